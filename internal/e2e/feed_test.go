//go:build unix

package e2e

import (
	"bytes"
	"regexp"
	"strings"
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

// The rows stay while the service is down, and the program continues without a key press when it is back.
func TestServiceGoesDownAndComesBack(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--project", b.project("payments"), "--interval", "1s")
	p.Wait("● live, every 1s")
	p.Press("j", "j", "j", "j")
	p.waitRow("5", func(row, _ int) bool { return row == 5 })
	selection := func() string {
		return regexp.MustCompile(`[A-Z][a-z ]+ br-\S+`).FindString(selected(p.Screen()))
	}
	before := selection()
	b.stop()
	p.WaitFor("a countdown", func(s termtest.Screen) bool { return strings.Contains(s.Line(0), "◌ no answer for ") })
	p.Wait("✗ list operations: the service cannot be reached")
	if after := selection(); before == "" || after != before {
		t.Errorf("the row was %q, and without an answer it is %q", before, after)
	}
	b.restart()
	p.Wait("● live, every 1s")
	p.WaitGone("✗ list operations")
	if after := selection(); after != before {
		t.Errorf("the row was %q, and is %q after the outage", before, after)
	}
	p.quit()
}
