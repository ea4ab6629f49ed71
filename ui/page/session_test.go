package page

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Setting a timer again replaces it. It outlives the session, and ends with the program.
func TestTimerIsSetAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		program, quit := context.WithCancel(t.Context())
		s := NewSession(program, 3, time.Now)
		start := time.Now()
		var a Timer
		came := func(d time.Duration, msg tea.Msg) chan tea.Msg {
			ch := make(chan tea.Msg, 1)
			cmd := a.Set(s, Projects, d, msg)
			go func() { ch <- cmd() }()
			return ch
		}
		first := came(time.Hour, "first")
		second := came(time.Minute, "second")
		if msg := <-first; msg != nil || time.Since(start) != 0 {
			t.Errorf("the first brought %v after %v", msg, time.Since(start))
		}
		got, _ := (<-second).(Delivery)
		if got.Generation != 3 || got.To != Projects || got.Msg != "second" || time.Since(start) != time.Minute {
			t.Errorf("the second brought %+v after %v", got, time.Since(start))
		}
		third := came(time.Minute, "third")
		s.End() // it may be resumed
		if got, _ := (<-third).(Delivery); got.Msg != "third" {
			t.Errorf("the session ended, and %+v came", got)
		}
		fourth := came(time.Hour, "fourth")
		quit()
		if msg := <-fourth; msg != nil || time.Since(start) != 2*time.Minute {
			t.Errorf("the program ended, and %v came after %v", msg, time.Since(start))
		}
	})
}
