package cli

import (
	"testing"
	"time"
)

// Late replies are awaited for a round trip after the end, at most for a second.
func TestRepliesRoundTrip(t *testing.T) {
	t.Parallel()
	began := time.Unix(0, 0)
	for name, c := range map[string]struct {
		sent map[time.Duration]string
		ends time.Duration
		want time.Duration
	}{
		"a near terminal":   {map[time.Duration]string{2 * time.Millisecond: "\x1b[?2026;2$y"}, time.Minute, 2 * time.Millisecond},
		"a far terminal":    {map[time.Duration]string{300 * time.Millisecond: "j\x1b]11;rgb:0000/0000/0000\x1b\\"}, time.Minute, 300 * time.Millisecond},
		"a very far one":    {map[time.Duration]string{3 * time.Second: "\x1b[?62c"}, time.Minute, longestTrip},
		"quit before it":    {nil, 200 * time.Millisecond, 800 * time.Millisecond},
		"no reply at all":   {nil, time.Minute, 0},
		"keys are no reply": {map[time.Duration]string{time.Millisecond: "\x1b[A"}, 50 * time.Millisecond, 950 * time.Millisecond},
	} {
		now := began
		r := &replies{clock: func() time.Time { return now }, asked: began}
		for delay, text := range c.sent {
			now = began.Add(delay)
			r.read([]byte(text))
		}
		now = began.Add(c.ends)
		if got := r.trip(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
