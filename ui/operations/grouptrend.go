package operations

import (
	"time"

	"pgtower/models/incident"
	"pgtower/ui/style"
)

const trendParts = 24 // of the trend of a group: an hour each by default

// trend counts the failures of a group over a time up to now.
type trend struct {
	parts   [trendParts]int
	unknown int // so many of the first parts are not known as a whole
}

// trendLength returns the time that trends are about, in whole units, as [span] names it: that of the range.
func trendLength(e extent, now time.Time) time.Duration {
	back := now.Sub(e.Range)
	switch {
	case e.Range.IsZero():
		return 24 * time.Hour
	case back < 2*time.Hour:
		return max(time.Minute, back.Truncate(time.Minute))
	case back < 2*24*time.Hour:
		return back.Truncate(time.Hour)
	}
	return back.Truncate(24 * time.Hour)
}

// newTrend returns a trend without failures.
func newTrend(span incident.Span, length time.Duration) trend {
	missing := span.Since.Sub(span.Now.Add(-length))
	part := length / trendParts
	return trend{unknown: int(min(trendParts, max(0, missing+part-1)/part))}
}

// add counts a failure, unless it ended before that time.
func (t *trend) add(ended time.Time, span incident.Span, length time.Duration) {
	begin := span.Now.Add(-length)
	if ended.Before(begin) {
		return
	}
	t.parts[min(trendParts-1, int(trendParts*ended.Sub(begin)/length))]++
}

// draw draws the trend. Where failures may be missing and none is known, it is dotted.
func (t *trend) draw() string {
	bars := []rune(style.Spark(t.parts[:]))
	for i := range t.unknown {
		if t.parts[i] == 0 {
			bars[i] = '┄'
		}
	}
	return string(bars)
}
