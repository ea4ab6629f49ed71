package ui_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

func TestRowsAreArrangedBehindTheGroups(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Press("/")
		p.Type("status:scheduling")
		p.Press("enter", "v")
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Wait(6 * time.Second)
		p.Press("p", "v")
		p.Wait(time.Minute)
		if !strings.Contains(p.Screen(), "Create branch") {
			t.Errorf("not there:\n%s", strings.Join(strings.Split(p.Screen(), "\n")[:5], "\n"))
		}
	})
}

func TestListIsReadAgain(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3")
		p.After = func(r *http.Request) {
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "api_keys") {
				time.Sleep(5 * time.Second)
			}
		}
		p.Press("r", "n")
		p.Type("fresh-key")
		p.Press("enter", "r", "esc")
		p.Wait(30 * time.Second)
		p.Sees("fresh-key ")
	})
}

func TestWatchLeavesRoomForPolling(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		b.Budget = 10
		o.Budget = 10
		o.PageSize = 200
	}, func(p *play.Program) {
		for range 100 {
			p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
			time.Sleep(time.Millisecond)
		}
		p.Wait(6 * time.Second)
		for range 30 {
			p.Press("w", "j")
		}
		p.Wait(10 * time.Second)
		n := p.Asked(time.Minute)
		if n < 11 {
			t.Errorf("%d polls in a minute while everything is watched", n)
		}
	})
}

func TestWatchIsSwitchedOff(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Press("r", "g")
		for range 21 {
			p.Press("w")
		}
		k := 0
		p.Watch = func(r *http.Request) {
			if strings.Contains(r.URL.Path, "/operations/") {
				k++
			}
		}
		p.Wait(50 * time.Second)
		if k > 12 {
			t.Errorf("%d reads of one operation in 50 s", k)
		}
	})
}

func TestScreenHoldsStillWhenAProjectComesLate(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 30, busiestComesLate, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("j", "j", "j", "j", "j")
		rows := func() (line int, row string) {
			for i, l := range strings.Split(p.Screen(), "\n") {
				if strings.HasPrefix(l, " ▌") {
					return i, p.Model.Page(page.Operations).ViewState().Row.ID
				}
			}
			return 0, ""
		}
		line, row := rows()
		p.Wait(10 * time.Second)
		if nowLine, nowRow := rows(); nowLine != line || nowRow != row {
			t.Errorf("%s was on line %d, now %s is on line %d\n%s", row, line, nowRow, nowLine, p.Screen())
		}
		p.Sees("new · g: newest")
	})
}

// busiestComesLate delays the first page of the busiest project until the others are read: it raises the frontier above
// the rows shown.
func busiestComesLate(b *play.Backend, o *ui.Options) {
	o.PageSize = 20
	f := "500 of /projects/" + b.Server.BusiestProject() + "/operations count=1"
	if _, err := b.Server.Inject(f); err != nil {
		b.T.Fatal(err)
	}
}
