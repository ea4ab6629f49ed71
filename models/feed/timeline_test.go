package feed

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// Whatever happens in the projects and whatever the order of responses, the timeline shows what is above its frontier,
// marks everything missing there, and counts correctly. After everything was requested, everything is shown.
func TestTimelineFollowsTheServices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := newAccount(t)
		t.Repeat(map[string]func(*rapid.T){
			"project": func(t *rapid.T) {
				name := a.open(t)
				if rapid.Bool().Draw(t, "has rows") {
					a.feeds[name].Merge(a.services[name].page(a.limit[name], ""))
				}
				a.Add(a.feeds[name])
			},
			"birth": func(t *rapid.T) {
				_, s := a.some(t)
				s.birth(rapid.IntRange(1, 12).Draw(t, "n"), false)
			},
			"twins": func(t *rapid.T) {
				_, s := a.some(t)
				now := a.clock.now
				s.birth(2, true)
				a.clock.now = now
				_, s = a.some(t)
				s.birth(1, true)
			},
			"finish": func(t *rapid.T) {
				_, s := a.some(t)
				atLeastOne(t, s)
				to := rapid.SampledFrom([]models.Status{models.StatusFinished, models.StatusFinished, models.StatusFailed, models.StatusCancelled, models.StatusError})
				s.finish(rapid.IntRange(0, len(s.ops)-1).Draw(t, "which"), to.Draw(t, "as"))
			},
			"remove": func(t *rapid.T) {
				_, s := a.some(t)
				atLeastOne(t, s)
				s.remove(rapid.IntRange(0, len(s.ops)-1).Draw(t, "which"))
			},
			"forget": func(t *rapid.T) {
				_, s := a.some(t)
				atLeastOne(t, s)
				s.remove(len(s.ops) - 1)
			},
			"poll": func(t *rapid.T) {
				name, _ := a.some(t)
				a.deliver(t, name, "")
			},
			"torn poll": func(t *rapid.T) {
				// The response was assembled while its first operation changed.
				name, s := a.some(t)
				atLeastOne(t, s)
				s.finish(0, models.StatusFinished)
				before := s.ops[0]
				s.finish(0, models.StatusFinished)
				p := s.page(a.limit[name], "")
				p.Items = slices.Insert(p.Items, 0, before)
				a.merge(t, name, p)
			},
			"older": func(t *rapid.T) {
				for _, o := range a.older(rapid.IntRange(1, 3).Draw(t, "pages")) {
					a.deliver(t, o.Project, o.Cursor)
				}
			},
			"open a gap": func(t *rapid.T) {
				gaps := a.Gaps()
				if len(gaps) == 0 {
					t.Skip()
				}
				g := rapid.SampledFrom(gaps).Draw(t, "gap")
				a.deliver(t, g.Project, g.Cursor)
			},
			"late answer": func(t *rapid.T) {
				if len(a.late) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(a.late)-1).Draw(t, "which")
				a.merge(t, a.late[i].project, a.late[i].page)
				a.late = slices.Delete(a.late, i, i+1)
			},
			"read overdue": func(t *rapid.T) {
				name, _ := a.some(t)
				a.reread(name, 2)
			},
			"hold": func(t *rapid.T) {
				i := rapid.IntRange(-1, a.Len()-1).Draw(t, "row")
				if a.held = (Key{}); i >= 0 {
					a.held = Key{a.ProjectAt(i), a.At(i).ID}
				}
				a.Hold(i)
			},
			"retire": func(t *rapid.T) {
				name, _ := a.some(t)
				a.feeds[name].SetRetired(true)
				a.retired[name] = true
			},
			"begin anew": func(*rapid.T) {
				var feeds []*Feed
				for _, name := range a.names {
					feeds = append(feeds, a.feeds[name])
				}
				a.Timeline, a.held = NewTimeline(feeds...), Key{}
			},
			"": a.check,
		})
		a.drain(t)
		a.check(t)
	})
}

// An operation that is older than the range counts while it is unfinished, and stays when it ends.
func TestTimelineSinceHasOlderOperationsThatWereUnfinished(t *testing.T) {
	t.Parallel()
	f := New("a")
	line := NewTimeline(f)
	for _, status := range []models.Status{models.StatusRunning, models.StatusFinished} {
		items := []models.Operation{
			ranFor("new", models.StatusFinished, time.Hour, time.Minute),
			ranFor("done", models.StatusFinished, 3*time.Hour, time.Minute),
			ranFor("stuck", status, 4*time.Hour, time.Minute),
		}
		f.Merge(models.Page[models.Operation]{Items: items, AsOf: epoch(), ServiceTime: epoch()})
		var got []string
		rows := line.Since(epoch().Add(-2 * time.Hour))
		for i := range rows.Len() {
			got = append(got, rows.At(i).ID)
		}
		if !slices.Equal(got, []string{"new", "stuck"}) {
			t.Errorf("%s: %v", status, got)
		}
	}
}
