package operations_test

import (
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
)

// The groups and the projects say what was seen after a lone failure, while it is in the window and later, after another
// attempt and after one that worked.
func TestGroupsTellWhatWasSeenSinceAFailure(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		quiet, err := p.Server.Projects("", "scratchpad", "", 1)
		if err != nil || len(quiet) != 1 {
			t.Fatalf("%v, %v", quiet, err)
		}
		start := func(run time.Duration, fail bool) {
			t.Helper()
			task := mock.Task{ProjectID: quiet[0].ID, Action: "timeline_archive", Run: run, Fail: fail}
			if _, err := p.Server.Start(task); err != nil {
				t.Fatal(err)
			}
		}
		sees := func(groups, projects string) {
			t.Helper()
			p.Press("1")
			p.Reads("Timeline archive", groups)
			p.Press("2")
			p.Reads(projects)
		}
		start(time.Second, true)
		p.Wait(time.Minute)
		p.Press("v", "tab")
		sees("✗ failing", "scratchpad ✗ failing")
		p.Wait(20 * time.Minute)
		sees("? not tried since 20m", "scratchpad ✓ ok")
		start(3*time.Minute, false)
		p.Wait(2 * time.Minute)
		sees("? tried again 2m ago", "scratchpad ◐ running")
		p.Wait(2 * time.Minute)
		sees("✓ worked since", "scratchpad ✓ ok")
		start(time.Second, true)
		start(2*time.Second, false)
		p.Wait(time.Minute)
		sees("✓ worked since", "scratchpad ✗ failed 1")
	})
}
