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
type offset struct {
	low, high time.Duration
	since     time.Time // when the first response with it was received
}

// dateOf parses a response's Date, in whole seconds. It is zero if it is missing, or if an Age shows that a cache answered.
func dateOf(h http.Header) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if age := h.Get("Age"); err != nil || age != "" && age != "0" {
		return time.Time{}
	}
	return date
}

// offsetOf returns the offset that the Date of a response implies, and whether it is plausible.
func offsetOf(h http.Header, sent, received time.Time) (offset, bool) {
	date := dateOf(h)
	if date.IsZero() {
		return offset{}, false
	}
	o := offset{low: date.Sub(received), high: date.Add(time.Second).Sub(sent)}
	return o, o.low <= o.high && o.low > -maxSkew && o.high < maxSkew
}

func (o offset) middle() time.Duration { return o.low + (o.high-o.low)/2 }

// skew estimates how far the service's clock is ahead: where most offsets of recent responses overlap (Marzullo's
// algorithm). The fastest responses bound it most closely, and a single wrong date has no effect. This computer's clock may
// be set at any time: so times are counted from the first one, by the monotonic reading if they have one.
type skew struct {
	mu     sync.Mutex
	start  time.Time // of the first response
	recent []offset  // the newest last
}

const (
	// maxOffsets is how many responses are kept: few, so that a clock correction is noticed soon.
	maxOffsets = 8
	// agreeing is how many of them must agree for a bound: one or two dates may be wrong.
	agreeing = 3
)

// steady returns a time of this computer as if its clock had not been set since the first response.
func (s *skew) steady(t time.Time) time.Time {
	if s.start.IsZero() {
		return t.Round(0)
	}
	return s.start.Round(0).Add(t.Sub(s.start))
}

func (s *skew) learn(h http.Header, sent, received time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start.IsZero() {
		s.start = sent
	}
	o, ok := offsetOf(h, s.steady(sent), s.steady(received))
	if !ok {
		return
	}
	o.since = received
	s.recent = append(s.recent, o)
	s.recent = s.recent[max(0, len(s.recent)-maxOffsets):]
}

// common returns the offset on which most responses agree, and how many agree.
func (s *skew) common() (best offset, agreed int) {
	for _, from := range slices.Backward(s.recent) { // the newest of equal ones counts
		common, n := from, 0
		for _, o := range s.recent {
			if o.low <= from.low && from.low <= o.high {
				common.high = min(common.high, o.high)
				if o.since.Before(common.since) {
					common.since = o.since
				}
				n++
			}
		}
		if n > agreed {
			best, agreed = common, n
		}
	}
	return best, agreed
}

// estimate returns how far the service's clock is ahead of this computer's when that shows now.
func (s *skew) estimate(now time.Time) models.Opt[time.Duration] {
	s.mu.Lock()
	defer s.mu.Unlock()
	best, agreed := s.common()
	set := s.steady(now).Sub(now.Round(0))
	return models.Opt[time.Duration]{Value: best.middle() + set, Known: agreed > 0}
}

// moment bounds the time at which the facts of a response were true. The early bound is its own date if that is earlier, as
// any date may be wrong.
func (s *skew) moment(h http.Header, sent, received time.Time) models.Moment {
	m := s.between(sent, received)
	date := dateOf(h)
	if m.Early.IsZero() || !date.IsZero() && date.Before(m.Early) {
		m.Early = date
	}
	return m
}

// between returns bounds by the service's clock for a moment between two times of this computer.
func (s *skew) between(from, until time.Time) (m models.Moment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	best, agreed := s.common()
	if agreed > 0 {
		m.Early = s.steady(from).Add(best.low)
	}
	if agreed >= agreeing && 2*agreed > len(s.recent) {
		m.Late = s.steady(until).Add(best.high + asleep(best.since, until))
	}
	return m
}

// asleep returns how long the computer may have slept between two times. The monotonic clock stops during sleep.
func asleep(from, until time.Time) time.Duration {
	return max(0, until.Round(0).Sub(from.Round(0))-until.Sub(from))
}

// Skew returns how far the service's clock is ahead of [Options].Clock, within about half a second.
func (c *Client) Skew() models.Opt[time.Duration] { return c.skew.estimate(c.options.Clock()) }

// Now bounds the present by the service's clock.
func (c *Client) Now() models.Moment {
	now := c.options.Steady()
	return c.bounds.between(now, now)
}
