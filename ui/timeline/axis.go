package timeline

import (
	"slices"
	"time"

	"pgtower/ui/style"
)

// spans are the zoom levels: the time that the view can cover.
var spans = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 12 * time.Hour,
	day, 2 * day, 4 * day, 7 * day, 14 * day, 30 * day,
}

const day = 24 * time.Hour

// Zoom returns the next longer span or, if closer, the next shorter one. At the last level it returns span.
func Zoom(span time.Duration, closer bool) time.Duration {
	if closer {
		i, _ := slices.BinarySearch(spans, span)
		return spans[max(0, i-1)]
	}
	i := slices.IndexFunc(spans, func(d time.Duration) bool { return d > span })
	if i < 0 {
		return span
	}
	return spans[i]
}

// steps are the possible distances between the axis labels.
var steps = []time.Duration{
	5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute,
	2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day, 2 * day, 5 * day,
	10 * day,
}

// tick is an axis label and its cell.
type tick struct {
	cell  int
	label string
}

// ticks returns as many axis labels as fit, at round times of the time zone.
func (s *Spec) ticks(times style.Times) (out []tick) {
	const apart = 4
	step := steps[len(steps)-1]
	for _, d := range steps {
		if int(d/s.Cell) >= len(layoutOf(d, false))+apart {
			step = d
			break
		}
	}
	from := times.In(s.From())
	_, offset := from.Zone()
	shift := time.Duration(offset) * time.Second
	for instant := from.Add(shift).Truncate(step).Add(-shift); instant.Before(s.To); instant = instant.Add(step) {
		local := times.In(instant)
		midnight := local.Hour() == 0 && local.Minute() == 0 && local.Second() == 0
		if !instant.Before(from) {
			out = append(out, tick{s.cellOf(instant.UnixNano()), local.Format(layoutOf(step, midnight))})
		}
	}
	return out
}

func layoutOf(step time.Duration, midnight bool) string {
	switch {
	case midnight, step >= day:
		return "Jan 02"
	case step < time.Minute:
		return time.TimeOnly
	}
	return "15:04"
}
