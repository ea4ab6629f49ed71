package client

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"pgtower/models"
)

// maxSkew is the largest plausible difference of two clocks.
const maxSkew = 366 * 24 * time.Hour

// offset bounds how far the service's clock is ahead of this computer's.
type offset struct{ low, high time.Duration }

// dateOf parses a response's Date, in whole seconds. It is zero if it is missing, or of a cache, which adds an Age.
func dateOf(h http.Header) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if age := h.Get("Age"); err != nil || age != "" && age != "0" {
		return time.Time{}
	}
	return date
}

// offsetOf returns what the Date of a response tells.
func offsetOf(h http.Header, sent, received time.Time) (offset, bool) {
	date := dateOf(h)
	if date.IsZero() {
		return offset{}, false
	}
	o := offset{date.Sub(received), date.Add(time.Second).Sub(sent)}
	return o, o.low <= o.high && o.low > -maxSkew && o.high < maxSkew
}

func (o offset) middle() time.Duration { return o.low + (o.high-o.low)/2 }

// skew estimates how far the service's clock is ahead: where most offsets of recent responses overlap (Marzullo's
// algorithm). So the fastest responses bound it most closely, and a single wrong date has no effect.
type skew struct {
	mu     sync.Mutex
	recent []offset // the newest last
}

// maxOffsets is how many responses are kept: few, so that a clock correction is noticed soon.
const maxOffsets = 8

func (s *skew) learn(h http.Header, sent, received time.Time) {
	o, ok := offsetOf(h, sent, received)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = append(s.recent, o)
	s.recent = s.recent[max(0, len(s.recent)-maxOffsets):]
}

func (s *skew) estimate() models.Opt[time.Duration] {
	s.mu.Lock()
	defer s.mu.Unlock()
	var best offset
	most := 0
	for _, from := range slices.Backward(s.recent) { // of equals the newest counts
		common, n := from, 0
		for _, o := range s.recent {
			if o.low <= from.low && from.low <= o.high {
				common.high = min(common.high, o.high)
				n++
			}
		}
		if n > most {
			best, most = common, n
		}
	}
	return models.Opt[time.Duration]{Value: best.middle(), Known: most > 0}
}

// Skew returns how far the service's clock is ahead of [Options].Clock, within about half a second.
func (c *Client) Skew() models.Opt[time.Duration] { return c.skew.estimate() }
