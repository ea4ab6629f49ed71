package ui_test

import (
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// After the sign-in, a notice tells once what ended since an earlier run had read the operations.
func TestNoticeOfWhatHappenedSinceTheLastRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		away time.Duration
		down bool
		want string // of the notice; empty for none
	}{
		"a while":                 {50 * time.Minute, false, `^since Dec 31 23:10: \d+ failed, \d+ recovered$`},
		"longer than is loaded":   {40 * time.Hour, false, ""},
		"just now":                {time.Minute, false, ""},
		"never":                   {0, false, ""},
		"while nothing is read":   {50 * time.Minute, true, ""},
		"an hour before midnight": {10 * time.Hour, false, `^since Dec 31 14:00: \d+ failed, \d+ recovered$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var times atomic.Int64
			var last atomic.Value
			last.Store(time.Time{})
			play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
				if test.away > 0 {
					o.LastSeen = time.Now().Add(-test.away)
				}
				b.Down = test.down
				o.KeepSeen = func(at time.Time) {
					times.Add(1)
					last.Store(at)
				}
			}, func(p *play.Program) {
				notice := regexp.MustCompile(`since [^:]+:\d\d: [^·│]*? recovered`)
				p.Wait(20 * time.Second)
				found := notice.FindString(p.Screen())
				if (found == "") != (test.want == "") || !regexp.MustCompile(test.want).MatchString(found) {
					t.Errorf("%q, want %q in\n%s", found, test.want, p.Screen())
				}
				p.Press("esc", "r")
				p.Wait(20 * time.Second)
				if found := notice.FindString(p.Screen()); found != "" {
					t.Errorf("%q again", found)
				}
				p.Wait(3 * time.Minute)
				if n := times.Load(); !test.down && n < 3 {
					t.Errorf("remembers %d times in 3 min", n)
				}
				p.Model.Leave(t.Context())
				kept := last.Load().(time.Time)
				if test.down != kept.IsZero() || !test.down && time.Since(kept) > time.Minute {
					t.Errorf("remembers %v", kept)
				}
			})
		})
	}
}
