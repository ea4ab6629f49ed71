package operations

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// An operation leads to those of its branch, endpoint, project, action and time, where that is possible.
func TestRelated(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 23, 55, 12, 500_000_000, time.UTC)
	session := &page.Session{}
	s := &scope{session: session, names: names{"p": "app", "q": "app-staging", "r": "web"}}
	o := onward{session: session, scope: s}
	op := &models.Operation{BranchID: "br-a", Action: "start_compute", CreatedAt: began}
	filters := func(r *row) (out []string) {
		r.Facts = &query.Facts{}
		for _, n := range o.narrowings(r) {
			out = append(out, n.id+" "+n.filter)
			if n.note == "" || (n.filter == "") != (strings.HasPrefix(n.note, "unavailable, ") || n.note == "already shown") {
				t.Errorf("%+v", n)
			}
		}
		return out
	}
	const near = "time after:2026-11-20 23:45:12 before:2026-11-21 00:05:13"
	check := func(r *row, want ...string) {
		t.Helper()
		if got := filters(r); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(&row{Operation: query.Operation{Op: op, Project: "r"}},
		`branch branch:"br-a"`, "endpoint ", `project project:"web"`, `action action:"start_compute"`, near)
	// The last choice comes first. A name that is part of another one is not offered.
	o.last = "time"
	check(&row{Operation: query.Operation{Op: op, Project: "p"}},
		near, `branch branch:"br-a"`, "endpoint ", `project project_id:"p"`, `action action:"start_compute"`)
	s.project.ID = "r"
	check(&row{Operation: query.Operation{Op: &models.Operation{EndpointID: `e"p`}, Project: "r"}},
		"time ", "branch ", "endpoint ", "project ", "action ")
}

// The operations around one began within ten minutes of it. That choice is then the first one.
func TestRelatedTenMinutesAround(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("down")
		began := b.list.table
		r, _ := began.List().Selected()
		for _, n := range b.onward.narrowings(r) {
			if n.id == "time" {
				b.Do(b.onward.narrow(n))
			}
		}
		b.Wait(time.Second)
		for other := range b.list.shown().Matching() {
			if d := other.Op.CreatedAt.Sub(r.Op.CreatedAt).Abs(); d > around {
				t.Errorf("%v away", d)
			}
		}
		if b.list.shown().Matches() != 12 || b.ViewState().Row.ID != r.Op.ID {
			t.Errorf("%d rows, at %+v", b.list.shown().Matches(), b.ViewState())
		}
		if first := b.onward.narrowings(r)[0].id; first != "time" {
			t.Errorf("the last choice was time, and the first one offered is %s", first)
		}
	}, "a")
}

// In the hour that is repeated when clocks go back, the ten minutes are around the operation.
func TestRelatedTenMinutesInTheRepeatedHour(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	session := page.NewSession(t.Context(), 1, time.Now)
	session.Times = style.TimesOf(style.Local, berlin, false)
	o := onward{session: session, scope: &scope{session: session}}
	for minutes := -90; minutes <= 90; minutes += 15 {
		began := time.Date(2026, 10, 25, 1, minutes, 7, 500, time.UTC) // 2:00 is repeated at 1:00 UTC
		op := &models.Operation{ID: "x", CreatedAt: began}
		for _, n := range o.narrowings(&row{Operation: query.Operation{Op: op, Facts: &query.Facts{}}}) {
			if n.id != "time" {
				continue
			}
			f, err := query.ParseOperations(n.filter, query.Facts{}, feed.NewTimeline())
			if err != nil {
				t.Fatalf("%s: %v", n.filter, err)
			}
			for after, want := range map[time.Duration]bool{
				-11 * time.Minute: false, -9 * time.Minute: true, 0: true, 9 * time.Minute: true, 11 * time.Minute: false,
			} {
				other := &models.Operation{CreatedAt: began.Add(after)}
				if f.Match("", other, began.Add(24*time.Hour).In(berlin)) != want {
					t.Errorf("%s: %v after %v", n.filter, after, began)
				}
			}
		}
	}
}

// The groups count the filtered rows as they change, and a line of them leads to its operations.
func TestGroupsFollowTheFilter(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		counts := func() (out string) {
			for i := range len(b.groups.page.Rows()) {
				g := &b.groups.page.Rows()[i]
				out += fmt.Sprintf("%s %d, %d failed; ", g.Value, g.Count, g.Failed)
			}
			return out
		}
		b.Do(b.list.table.SetQuery("id:a-0011 or is:failed"))
		b.Do(b.groups.groupBy(incident.Actions)) // before the filter has been applied
		b.Wait(time.Second)
		if got := counts(); got != "create_branch 10, 0 failed; " {
			t.Error(got)
		}
		b.service.add("a", models.StatusFailed, time.Now()).Action = "import_data"
		b.Wait(10 * time.Second)
		if got := counts(); got != "import_data 1, 1 failed; create_branch 10, 0 failed; " {
			t.Error(got)
		}
		contains(t, drawn(b, 120), "/ id:a-0011 or is:failed  11 operations in 24 h, complete to ")
		began := b.ViewState()
		b.run("statistics")
		counted := b.actions.toggleGroups()
		contains(t, drawn(b, 120), "Counting the operations…") // a key does not wait for the count
		b.Do(counted)
		b.Wait(0)
		b.filter("id:a-0011 or(is:failed)")
		b.run("down")
		b.run("action-operations")
		if b.list.table.Query() != `action:"create_branch" (id:a-0011 or(is:failed))` {
			t.Errorf("%q", b.list.table.Query())
		}
		b.Do(b.list.table.SetQuery("id:a-0011 or is:failed"))
		b.run("statistics")
		b.Wait(time.Second)
		b.run("down")
		b.run("action-operations")
		b.Wait(time.Second)
		if b.groups.shown || b.list.table.Query() != `action:"create_branch" (id:a-0011 or is:failed)` || b.list.shown().Matches() != 10 {
			t.Errorf("%q shows %d", b.list.table.Query(), b.list.shown().Matches())
		}
		for _, filter := range []string{`"create`, `is:failed or "create b`, "!", "took:"} {
			b.Do(b.list.table.SetQuery(filter))
			b.run("statistics")
			b.Wait(time.Second)
			b.run("down")
			b.run("action-operations")
			b.Wait(time.Second)
			if b.list.shown().Matches() < 80 {
				t.Errorf("%q, unfinished, becomes %q and shows %d", filter, b.list.table.Query(), b.list.shown().Matches())
			}
		}
		b.Do(b.Update(page.ShowOperations{Back: &began}))
		b.Wait(time.Second)
		if is := b.ViewState(); is != began || !is.Statistics || is.Row.ID != "create_branch" || counts() == "" {
			t.Errorf("%+v, want %+v", is, began)
		}
	}, "a", "b")
}

// An action on a row is for the one that was drawn as the selected one, also if another has come to the top since.
func TestActionsAreForTheRowThatWasSeen(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"related", "copy"} {
		onBench(t, Options{}, func(b *bench) {
			drawn(b, 120)
			seen, _ := b.list.selected()
			b.service.add("a", models.StatusFinished, time.Now())
			b.Wait(6 * time.Second)
			b.run(id)
			if r, _ := b.list.selected(); r.key() != seen.key() {
				t.Errorf("%s is for %s, not %s", id, r.Op.ID, seen.Op.ID)
			}
		}, "a")
	}
}
