package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
)

func TestNarrowings(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 23, 55, 12, 500_000_000, time.UTC)
	s := &state{scope: &scope{session: &page.Session{}, names: names{"p": "app", "q": "app-staging", "r": "web"}}}
	o := onward{state: s}
	op := &models.Operation{BranchID: "br-a", Action: "start_compute", CreatedAt: began}
	filters := func(r row) (out []string) {
		for _, n := range o.narrowings(r) {
			out = append(out, n.id+" "+n.filter)
			if n.note == "" || (n.filter == "") != strings.HasPrefix(n.note, "not now, ") {
				t.Errorf("%+v", n)
			}
		}
		return out
	}
	const near = "time after:2026-11-20 23:45:12 before:2026-11-21 00:05:13"
	check := func(r row, want ...string) {
		t.Helper()
		if got := filters(r); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(row{op: op, project: "r"},
		`branch branch:"br-a"`, "endpoint ", `project project:"web"`, `action action:"start_compute"`, near)
	// The last choice comes first. A name that is a part of another one's would find that, too.
	o.last = "time"
	check(row{op: op, project: "p"},
		near, `branch branch:"br-a"`, "endpoint ", `project project_id:"p"`, `action action:"start_compute"`)
	s.project.ID = "r"
	check(row{op: &models.Operation{EndpointID: `e"p`}, project: "r"},
		"time ", "branch ", "endpoint ", "project ", "action ")
}

func TestTenMinutesAroundARow(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run(t, "down")
		began := b.table
		r, _ := began.Selected()
		for _, n := range b.onward.narrowings(r) {
			if n.id == "time" {
				b.do(b.onward.filterBy(n.filter))
			}
		}
		b.wait(time.Second)
		for other := range b.table.Matching() {
			if d := other.op.CreatedAt.Sub(r.op.CreatedAt).Abs(); d > around {
				t.Errorf("%v away", d)
			}
		}
		if b.table.Matches() != 12 || !strings.HasSuffix(b.Place().Row, r.op.ID) {
			t.Errorf("%d rows, at %+v", b.table.Matches(), b.Place())
		}
	}, "a")
}
