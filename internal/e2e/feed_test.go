//go:build unix

package e2e

import (
	"regexp"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// begin starts an operation that runs for an hour of the mock's clock, and then fails.
func (b *backend) begin(project, action string) (id string) {
	b.t.Helper()
	task := mock.Task{ProjectID: project, Action: action, Wait: time.Millisecond, Run: time.Hour, Fail: true}
	op, err := b.Start(task)
	if err != nil {
		b.t.Fatal(err)
	}
	return op.ID
}

// A watched operation rings the terminal's bell, notifies the desktop and changes the title when it ends.
func TestWatchRings(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("scratchpad")
	watched := b.begin(project, "prewarm_replica")
	p := start(t, termtest.Options{
		Args: []string{"--project", project, "--interval", "1s"}, Env: append(b.env(), "TERM_PROGRAM=WezTerm"),
	})
	p.Sees("Prewarm replica", "1 running")
	p.Press("w")
	p.Sees("watching Prewarm replica", "◉")
	if n := p.Bells(); n != 0 {
		t.Errorf("%d bells before the end", n)
	}
	if _, err := b.Fail(project, watched, 0); err != nil {
		t.Fatal(err)
	}
	p.until("the desktop's notification", func() bool {
		return p.showed("\x1b]9;pgtower: ✗ Prewarm replica of scratchpad failed") == 1
	})
	p.until("the bell", func() bool { return p.Bells() == 1 })
	title := regexp.MustCompile(`^pgtower · Failed: \d+ since you looked( · \d+ running)?$`)
	p.WaitFor("the title", func(termtest.Screen) bool { return title.MatchString(p.Title()) })
	p.quit()
}
