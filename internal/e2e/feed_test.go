//go:build unix

package e2e

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// begin starts an operation that runs for a time of the mock's clock, and then fails.
func (b *backend) begin(project, action string, run time.Duration) {
	b.t.Helper()
	task := mock.Task{ProjectID: project, Action: action, Wait: time.Millisecond, Run: run, Fail: true}
	if _, err := b.Start(task); err != nil {
		b.t.Fatal(err)
	}
}

// A watched operation rings the terminal's bell, notifies the desktop and changes the title when it ends.
func TestWatchRings(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("scratchpad")
	b.begin(project, "prewarm_replica", time.Hour)
	p := start(t, termtest.Options{
		Args: []string{"--project", project, "--interval", "1s"}, Env: append(b.env(), "TERM_PROGRAM=WezTerm"),
	})
	p.Wait("Prewarm replica", "1 running")
	p.Press("w")
	p.Wait("watching Prewarm replica", "◉")
	if n := p.Bells(); n != 0 {
		t.Errorf("%d bells before the end", n)
	}
	b.ahead.Store(int64(2 * time.Hour))
	p.Wait("Prewarm replica of scratchpad failed")
	p.WaitFor("the bell", func(termtest.Screen) bool { return p.Bells() == 1 })
	if notice := "\x1b]9;pgtower: ✗ Prewarm replica of scratchpad failed"; !bytes.Contains(p.Wrote(), []byte(notice)) {
		t.Errorf("the desktop was not notified with %q", notice)
	}
	// What failed in other projects meanwhile is counted as soon as their polls end.
	title := regexp.MustCompile(`^pgtower · Failed: \d+ since you looked · \d+ running$`)
	p.WaitFor("the title", func(termtest.Screen) bool { return title.MatchString(p.Title()) })
	p.quit()
}
