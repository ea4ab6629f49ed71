package feed

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// rowsAreThoseAboveTheFrontier compares the rows with the union of all feeds.
func (a *account) rowsAreThoseAboveTheFrontier(t *rapid.T) {
	var all []string
	ids := map[string]string{}
	for name, f := range a.feeds {
		for i := range f.Len() {
			k := a.key(name, i)
			all, ids[k] = append(all, k), f.At(i).ID
		}
	}
	slices.SortFunc(all, func(x, y string) int { return cmp.Compare(y, x) })
	if a.Loaded() != len(all) {
		t.Fatalf("%d loaded, the feeds have %d", a.Loaded(), len(all))
	}
	stops, held := a.stops(), ""
	if a.held.ID != "" {
		row, _ := a.feeds[a.held.Project].Find(a.held.ID)
		held = a.key(a.held.Project, row)
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(k string) bool {
		return len(stops) > 0 && k < stops[0] && (held == "" || k < held)
	})
	if a.Len() != len(shown) {
		t.Fatalf("%d rows are shown of %d, not %d", a.Len(), len(all), len(shown))
	}
	for i, k := range all {
		if i < len(shown) && (a.ProjectAt(i) != projectOf(k) || a.At(i).ID != ids[k]) {
			t.Fatalf("row %d is %s of %s, not %s", i, a.At(i).ID, a.ProjectAt(i), k)
		}
		row, ok := a.Find(projectOf(k), ids[k])
		if ok != (i < len(shown)) || ok && row != i {
			t.Fatalf("Find(%s) = %d, %v; %d of %d", k, row, ok, i, len(shown))
		}
	}
	frontier := len(a.Timeline.open.items) > 0
	if frontier != (len(stops) > 0) || frontier && a.Timeline.open.items[0].front.op().ID != ids[stops[0]] {
		t.Fatalf("frontier %v, feeds stop at %v", a.Timeline.open.items, stops)
	}
}

// missesNothingUnmarked checks the operations of read projects that the timeline lacks above its last row. Each is newer than
// the last poll, or lies in a gap: between the rows of the gap, or in the second of the lower one.
func (a *account) missesNothingUnmarked(t *rapid.T) {
	gaps := map[string]bool{}
	row := 0
	for _, g := range a.Gaps() {
		if g.Row < row || g.Row >= a.Len() || a.ProjectAt(g.Row) != g.Project || a.At(g.Row).ID != g.Below {
			t.Fatalf("gap %+v after row %d of %d", g, row, a.Len())
		}
		row = g.Row
		gaps[g.Project+g.Below] = true
	}
	if a.Len() == 0 {
		return
	}
	last, lastProject := a.At(a.Len()-1).CreatedAt, a.ProjectAt(a.Len()-1)
	for name, f := range a.feeds {
		if !f.Loaded() || a.retired[name] {
			continue
		}
		for _, op := range a.services[name].ops {
			_, known := a.Find(name, op.ID)
			below := op.CreatedAt.Before(last) || op.CreatedAt.Equal(last) && name <= lastProject
			if known || below || a.services[name].born[op.ID].After(f.AsOf()) {
				continue
			}
			marked := false
			for i := range f.Len() {
				// Of its second, it may be anywhere.
				next := i+1 == f.Len() || !f.At(i+1).CreatedAt.After(op.CreatedAt)
				marked = marked || next && !f.At(i).CreatedAt.Before(op.CreatedAt) && gaps[name+f.At(i).ID]
			}
			if !marked {
				t.Fatalf("%s of %s is missing and nothing says so", op.ID, name)
			}
		}
	}
}

// asksForTheRightPages compares the next pages to load with those that the feeds need.
func (a *account) asksForTheRightPages(t *rapid.T) {
	var older []target
	stops := a.stops()
	for _, k := range stops[:min(2, len(stops))] {
		cursor, _ := a.feeds[projectOf(k)].Older()
		older = append(older, target{Project: projectOf(k), Cursor: cursor})
	}
	if got := a.older(2); !slices.Equal(got, older) {
		t.Fatalf("older pages %v, not %v", got, older)
	}
	read, oldest := 0, time.Time{}
	for name, f := range a.feeds {
		if f.Loaded() && !a.retired[name] {
			read++
			if oldest.IsZero() || f.current().Before(oldest) {
				oldest = f.current()
			}
		}
	}
	name, asOf := a.Oldest()
	if a.Read() != read || !asOf.Equal(oldest) || read > 0 && !a.feeds[name].current().Equal(oldest) {
		t.Fatalf("%d read, %s the oldest at %v; not %d, %v", a.Read(), name, asOf, read, oldest)
	}
	if a.Ended() != (read > 0 && len(stops) == 0) {
		t.Fatalf("ended: %v, with %v", a.Ended(), stops)
	}
}

// countsWhatIsThere compares the statistics with a recount.
func (a *account) countsWhatIsThere(t *rapid.T) {
	statuses := map[models.Status]int{}
	actions := map[models.Action]int{}
	took := map[models.Action][]time.Duration{}
	for _, f := range a.feeds {
		for i := range f.Len() {
			op := f.At(i)
			if op.Gone {
				continue
			}
			statuses[op.Status]++
			actions[op.Action]++
			if op.Status == models.StatusFinished {
				took[op.Action] = append(took[op.Action], op.UpdatedAt.Sub(op.CreatedAt))
			}
		}
	}
	if len(a.Statuses()) != len(statuses) || len(a.Actions()) != len(actions) {
		t.Fatalf("statuses %v, actions %v; not %v, %v", a.Statuses(), a.Actions(), statuses, actions)
	}
	for s, n := range statuses {
		if a.statuses[s] != n || !slices.Contains(a.Statuses(), s) {
			t.Fatalf("%d are %s, not %d", a.statuses[s], s, n)
		}
	}
	for i, action := range a.Actions() {
		if got := a.kinds[action].count; got != actions[action] {
			t.Fatalf("%d are %s, not %d", got, action, actions[action])
		}
		if i > 0 && actions[a.Actions()[i-1]] < actions[action] {
			t.Fatal("a rarer action comes first")
		}
		agree(t, a.Durations(action), took[action])
	}
}

// agree compares durations with the exact ones.
func agree(t *rapid.T, d *Durations, exact []time.Duration) {
	if d.Count() != len(exact) {
		t.Fatalf("%d durations, not %d", d.Count(), len(exact))
	}
	slices.Sort(exact)
	for _, q := range []float64{0, 0.1, 0.5, 0.95, 1} {
		got, ok := d.Quantile(q)
		if ok != (len(exact) > 0) {
			t.Fatalf("Quantile(%v) = %v, %v", q, got, ok)
		}
		if !ok {
			continue
		}
		want := exact[max(0, int(math.Ceil(q*float64(len(exact))))-1)]
		if want < time.Millisecond && got == 0 {
			continue
		}
		if off := math.Abs(got.Seconds()/want.Seconds() - 1); off > 0.02 {
			t.Fatalf("Quantile(%v) = %v, %.1f%% away from %v", q, got, 100*off, want)
		}
	}
}

func (a *account) check(t *rapid.T) {
	a.rowsAreThoseAboveTheFrontier(t)
	a.missesNothingUnmarked(t)
	a.asksForTheRightPages(t)
	a.countsWhatIsThere(t)
	a.countsTheWindow(t)
	a.listsEndings(t)
}
