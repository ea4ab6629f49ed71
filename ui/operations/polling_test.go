package operations_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
	"pgtower/ui"
)

// An operation that the service no longer knows is shown as gone.
func TestPollingOfAnOperationThatIsGone(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.PageSize = 2 }, func(p *play.Program) {
		p.Inject("404 of /projects/*/operations/*")
		p.Wait(2 * time.Minute)
		p.Filter("is:gone")
		p.Sees("⊘ gone")
	})
}

// Operations that begin while the groups are shown are among the rows afterwards.
func TestGroupsLeaveTheRowsArranged(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Filter("status:scheduling")
		p.Press("v")
		p.Begin(mock.Task{Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Wait(6 * time.Second)
		p.Press("p", "v")
		p.Wait(time.Minute)
		if !strings.Contains(p.Screen(), "Create branch") {
			t.Errorf("not there:\n%s", strings.Join(strings.Split(p.Screen(), "\n")[:5], "\n"))
		}
	})
}
