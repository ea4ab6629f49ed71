//go:build unix

package e2e

import (
	"testing"
	"time"

	"pgtower/client/mock"
)

// A branch waits while a check runs and fails: the list shows what happened, the timeline when.
func TestTimelineOfAnIncident(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("payments")
	for _, task := range []mock.Task{
		{ProjectID: project, Action: "check_availability", Wait: time.Millisecond, Run: 4 * time.Second, Fail: true},
		{ProjectID: project, Action: "create_branch", Wait: 3 * time.Second, Run: 10 * time.Minute},
	} {
		if _, err := b.Start(task); err != nil {
			t.Fatal(err)
		}
	}
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("Create branch", "✗ failed", "◐ running")
	p.Press("t")
	p.Wait("at once", "peak", "15 min UTC", "now", "t list")
	// Both are drawn from their start: zoomed in, with names.
	p.Press(")", ")", ")", ")")
	p.Wait("1 min UTC", "✗ ", "◐ Create", "1 failed", "running")
	p.Press("up")
	p.Wait("✗ failed", "Check availability · payments")
	p.Press("enter")
	p.Wait("failures_count", "check_availability")
	p.leave("failures_count")
	p.Press("g") // follows again
	p.Wait("now", "Create branch · payments")
	// The filter is the list's.
	p.Press("f")
	p.Wait("1 failed", "Check availability · payments", "/ is:failed")
	p.Press("esc", "T")
	p.Wait("a lane for each action")
	p.Press("down", "enter")
	p.Wait("Check availability", "Create branch ")
	// Zoom out until one cell has many operations.
	p.Press("(", "(", "(", "(", "(", "(", "(", "(", "(", "(", "(")
	p.Wait("24 h UTC")
	p.Press("t")
	p.Wait("STATUS", "ACTION")
	p.quit()
}
