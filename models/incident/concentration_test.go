package incident

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// windows returns how many windows are drawn: a fifth of n in a short run.
func windows(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// TestConcentrationOfNoiseIsRare draws windows in which each operation fails with the same probability.
func TestConcentrationOfNoiseIsRare(t *testing.T) {
	t.Parallel()
	windows := windows(10_000)
	found := 0
	for seed := range uint64(windows) {
		w := newWorld(seed)
		w.window(w.rng.IntN(400), noon(), noise(w.rng.Float64()*0.3))
		if c := w.concentrated(); len(c) > 0 {
			found++
			t.Logf("seed %d: %+v", seed, c)
		}
	}
	if found > windows/1000 {
		t.Errorf("%d of %d windows of noise have a line", found, windows)
	}
}

// TestConcentrationBesideNoiseIsRarelyAnother draws windows in which one place fails, beside the same noise everywhere.
func TestConcentrationBesideNoiseIsRarelyAnother(t *testing.T) {
	t.Parallel()
	windows := windows(10_000)
	first, more := 0, 0
	for seed := range uint64(windows) {
		w := newWorld(seed)
		by := []Dimension{Projects, Actions, Regions}[seed%3]
		at := w.value(by)
		share := w.rng.Float64() * 0.2
		w.window(150+w.rng.IntN(250), noon(), failing(by, at, share))
		c := w.concentrated()
		if len(c) == 0 || c[0].By != by || c[0].Value != at {
			continue
		}
		first++
		if len(c) > 1 {
			more++
			t.Logf("seed %d: %+v", seed, c)
		}
	}
	if first < windows/3 || more > windows/1000 {
		t.Errorf("%d of %d windows have the place, and %d another one", first, windows, more)
	}
}

// failing returns the shares of a place that mostly fails, and of the noise elsewhere.
func failing(by Dimension, value string, elsewhere float64) func(Operation) float64 {
	return func(o Operation) float64 {
		if by.Of(o) == value {
			return 0.8
		}
		return elsewhere
	}
}

// concentrated searches the operations of a world, of two windows.
func (w *world) concentrated() []Concentration {
	return Concentrated(slices.Values(w.ended()), noon(), noon().Add(-30*time.Minute), nil, Spans()...)
}

// ended sorts the operations of a world, the last one that ended first.
func (w *world) ended() []Operation {
	slices.SortFunc(w.operations, func(a, b Operation) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return w.operations
}

// value draws a value of a dimension.
func (w *world) value(by Dimension) string {
	hit := w.some()
	hit.Operation = &models.Operation{Action: actions[w.rng.IntN(len(actions))]}
	return by.Of(hit)
}

// made counts the operations of a value that ended in a span.
func (w *world) made(by Dimension, value string, span time.Duration) (count tally) {
	for _, o := range w.operations {
		if by.Of(o) == value && o.UpdatedAt.After(noon().Add(-span)) {
			count.add(o.Status.Failed())
		}
	}
	return count
}

// TestConcentrationFindsIncidents draws incidents with noise beside them. A place that fails most of the time is named
// with the drawn numbers, if there are enough operations.
func TestConcentrationFindsIncidents(t *testing.T) {
	t.Parallel()
	for name, by := range map[string]Dimension{
		"a region that fails for a while": Regions,
		"a project that always fails":     Projects,
		"one bad deploy":                  Actions,
		"an organization over its limit":  Organizations,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const windows = 300
			missed := 0
			for seed := range uint64(windows) {
				w := newWorld(seed)
				at := w.value(by)
				w.window(300, noon(), failing(by, at, 0.005))
				made := w.made(by, at, 15*time.Minute)
				if made.failed < 2*LeastFailures || made.ended > len(w.operations)/2 {
					continue
				}
				c := w.concentrated()
				if len(c) == 0 {
					missed++
					continue
				}
				switch same := w.made(by, at, c[0].Span) == (tally{c[0].Ended, c[0].Failed}); {
				case c[0].By == by && c[0].Value == at && !same:
					t.Errorf("seed %d: %+v were made, not %+v", seed, made, c)
				case (c[0].By != by || c[0].Value != at) && !same: // the same operations may have another name
					missed++
				}
			}
			if missed > windows/50 {
				t.Errorf("%d of %d incidents were not named", missed, windows)
			}
		})
	}
}

// TestConcentrationFindsWhatHasJustBegun draws incidents that began some minutes ago, after noise. The shorter spans find
// most of those that the longest one cannot tell from the noise yet. Since is when its first failure was, or one of the
// next ones.
func TestConcentrationFindsWhatHasJustBegun(t *testing.T) {
	t.Parallel()
	const windows = 500
	early, late, dated, wrong := 0, 0, 0, 0
	for seed := range uint64(windows) {
		w := newWorld(seed)
		at, began := w.value(Regions), noon().Add(-time.Duration(100+seed%200)*time.Second)
		fails := func(o Operation) float64 {
			if Regions.Of(o) == at && !o.UpdatedAt.Before(began) {
				return 0.7
			}
			return 0.05
		}
		w.window(400, noon(), fails)
		w.window(400, noon().Add(-15*time.Minute), fails)
		if len(Concentrated(slices.Values(w.ended()), noon(), time.Time{}, nil, 15*time.Minute)) > 0 {
			late++
		}
		found := w.concentrated()
		if len(found) == 0 {
			continue
		}
		early++
		if found[0].By != Regions {
			continue
		}
		dated++
		if off := found[0].Since.Sub(began).Abs(); off > time.Minute || found[0].Open {
			wrong++
		}
	}
	if early < windows*7/10 || early < 2*late {
		t.Errorf("of %d incidents, the spans find %d, and the longest alone %d", windows, early, late)
	}
	if dated < early/2 || wrong > dated/10 {
		t.Errorf("of %d regions, the beginnings of %d are wrong", dated, wrong)
	}
}

// TestConcentrationOfTwoIncidents draws a region and an action that fail: neither hides the other one, and together they
// are named where neither has half of the failures.
func TestConcentrationOfTwoIncidents(t *testing.T) {
	t.Parallel()
	const windows = 300
	both, none, halves := 0, 0, 0
	for seed := range uint64(windows) {
		w := newWorld(seed)
		region, action := w.value(Regions), w.value(Actions)
		w.window(400, noon(), func(o Operation) float64 {
			switch {
			case Regions.Of(o) == region:
				return 0.5
			case Actions.Of(o) == action:
				return 0.6
			}
			return 0.01
		})
		found := w.concentrated()
		if len(found) == 0 {
			none++
			continue
		}
		if 2*found[0].Failed < found[0].Failures() {
			halves++
		}
		has := func(by Dimension, value string) bool {
			return slices.ContainsFunc(found, func(c Concentration) bool { return c.By == by && c.Value == value })
		}
		if has(Regions, region) && has(Actions, action) {
			both++
		}
	}
	if both < windows*8/10 || none > windows/100 || halves == 0 {
		t.Errorf("of %d windows, %d have both places and %d none; in %d, the first has less than half", windows, both, none, halves)
	}
}

// TestConcentrationOfPlacesWithoutMost draws noise with one small place: most failures are not there, and nothing is said.
func TestConcentrationOfPlacesWithoutMost(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		w := newWorld(seed)
		w.window(300, noon(), noise(0.4))
		for _, o := range w.operations[:12] {
			o.Action, o.Status = "rare", models.StatusFailed
		}
		if c := w.concentrated(); len(c) > 0 && c[0].Span == 15*time.Minute {
			t.Errorf("seed %d: %+v", seed, c)
		}
	}
}

// A place fails since its run of failures began, not since an earlier lone failure. If nothing that was read shows that it
// began there, it is open.
func TestConcentrationSince(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return noon().Add(-time.Duration(minute) * time.Minute) }
	var ended []Operation
	add := func(minute int, region string, status models.Status) {
		ended = append(ended, Operation{
			Operation: &models.Operation{Status: status, CreatedAt: at(minute), UpdatedAt: at(minute)}, Region: region,
		})
	}
	for minute := range 120 {
		status := models.StatusFinished
		if minute < 45 && minute%5 != 1 || minute == 100 {
			status = models.StatusFailed
		}
		for range 3 {
			add(minute, "b", models.StatusFinished)
			add(minute, "a", status)
		}
	}
	for _, c := range []struct {
		read, known int // minutes
		since       time.Time
		open        bool
	}{
		{120, 120, at(44), false},
		{60, 60, at(44), false},
		{46, 46, at(44), false}, // one minute in which all finished
		{45, 45, at(44), true},
		{40, 40, at(39), true},
		{60, 44, at(44), true}, // others may be missing from then on
		{60, 20, at(44), true}, // and later
	} {
		found := Concentrated(slices.Values(ended[:6*c.read]), noon(), at(c.known), nil, Spans()...)
		if len(found) != 1 || found[0].Value != "a" || !found[0].Since.Equal(c.since) || found[0].Open != c.open {
			t.Errorf("of %d minutes, known for %d: %+v", c.read, c.known, found)
		}
	}
	found := Concentrated(slices.Values(ended), noon(), time.Time{}, nil)
	if len(found) != 1 || !found[0].Since.Equal(at(44)) || found[0].Open {
		t.Errorf("of everything: %+v", found)
	}
}

// A place is quiet once none of its operations failed for as long as the shortest span.
func TestConcentrationIsQuietAfterItsLastFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ago   time.Duration
		quiet bool
	}{{0, false}, {2 * time.Minute, false}, {4 * time.Minute, true}} {
		var ended []Operation
		for i := range 60 {
			o := Operation{Operation: &models.Operation{Status: models.StatusFinished}, Region: []string{"a", "b"}[i%2]}
			o.UpdatedAt = noon().Add(-time.Duration(i) * 10 * time.Second)
			if o.Region == "a" && noon().Sub(o.UpdatedAt) >= c.ago {
				o.Status = models.StatusFailed
			}
			ended = append(ended, o)
		}
		found := Concentrated(slices.Values(ended), noon(), time.Time{}, nil, Spans()...)
		if len(found) != 1 || !found[0].Last.Equal(noon().Add(-c.ago)) || found[0].Quiet != c.quiet {
			t.Errorf("%s after the last failure: %+v", c.ago, found)
		}
	}
}

// Where nothing of a place came before its first failure, or too little to tell, it is open until the time that was read before
// that is longer than any pause of its failures, and than an operation may run. What ended elsewhere in that time decides nothing.
func TestConcentrationSinceByTheTimeBefore(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return noon().Add(-time.Duration(minute) * time.Minute) }
	for _, c := range []struct {
		pause, first, known int // minutes
		finished            int // in the minute before the first failure
		open                bool
	}{
		{1, 8, 8, 0, true},
		{1, 8, 9, 0, true},
		{1, 8, 17, 0, true},
		{1, 8, 18, 0, false},
		{1, 8, 60, 0, false},
		{12, 48, 59, 0, true},
		{12, 48, 60, 0, false},
		{12, 48, 59, 1, true}, // one that worked: as many do in the run
		{12, 48, 60, 1, false},
		{12, 48, 50, 4, false}, // so many do not
		{12, 48, 48, 4, true},
	} {
		var ended []Operation
		add := func(minute int, region string, status models.Status) {
			ended = append(ended, Operation{
				Operation: &models.Operation{Status: status, CreatedAt: at(minute), UpdatedAt: at(minute)}, Region: region,
			})
		}
		for minute := range 60 {
			if minute%c.pause == 0 && minute <= c.first {
				add(minute, "a", models.StatusFailed)
				add(minute, "a", models.StatusFailed)
				add(minute, "a", models.StatusFinished)
			}
			if minute == c.first+1 {
				for range c.finished {
					add(minute, "a", models.StatusFinished)
				}
			}
			for range 20 {
				add(minute, "b", models.StatusFinished)
			}
		}
		found := Concentrated(slices.Values(ended), noon(), at(c.known), nil, time.Hour)
		if len(found) != 1 || !found[0].Since.Equal(at(c.first)) || found[0].Open != c.open {
			t.Errorf("%+v: %+v", c, found)
		}
	}
}

// Once operations before the first one are unlikely in a run, those before them decide nothing, unless an earlier beginning is
// likelier. What ended in the second of the first one may have ended after it.
func TestRunIsPreceded(t *testing.T) {
	t.Parallel()
	var r run
	for i, c := range []struct {
		minute   int
		score    float64
		preceded bool
	}{
		{1, 5, false}, {1, 0, false}, {2, 2.5, false}, {3, 2, true}, {4, 4, true}, {5, 6, false}, {6, 5, false}, {7, 0, true},
	} {
		r.add(noon().Add(-time.Duration(c.minute)*time.Minute), c.score)
		if r.preceded != c.preceded {
			t.Errorf("after %d operations, it is preceded: %v", i+1, r.preceded)
		}
	}
}

// The words of a place have its numbers, and whether it may fail for longer.
func TestConcentrationWords(t *testing.T) {
	t.Parallel()
	c := Concentration{Failed: 33, Ended: 48, FailedElsewhere: 6, EndedElsewhere: 170}
	few := Concentration{Failed: 4, Ended: 2000}
	for got, want := range map[string]string{
		c.Rate(): "33 of 48 (69 %)", c.Elsewhere(): ", elsewhere 6 of 170", few.Rate(): "4 of 2,000 (<1 %)",
		c.Begin("19:02"): "since 19:02", (&Concentration{Open: true}).Begin("19:02"): "since 19:02 or before",
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// Three failures are no place, even if they have a value of their own.
func TestConcentrationOfFewFailuresIsNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(1)
	w.window(500, noon(), noise(0))
	for i := range LeastFailures - 1 {
		failed := w.projects[2]
		failed.Operation = &models.Operation{Status: models.StatusFailed}
		w.operations[i] = failed
	}
	if c := w.concentrated(); len(c) > 0 {
		t.Errorf("three failures are %+v", c)
	}
}

// The probability is that of the hypergeometric distribution.
func TestLogTail(t *testing.T) {
	t.Parallel()
	// Of 10 with 4 failures, 3 are drawn: P(X ≥ 2) = (C(4,2)·C(6,1) + C(4,3)) / C(10,3) = 40 / 120.
	if p := math.Exp(logTail(tally{10, 4}, tally{3, 2})); math.Abs(p-1.0/3) > 1e-12 {
		t.Errorf("the tail is %v, not a third", p)
	}
	if p := math.Exp(logTail(tally{192, 8}, tally{52, 0})); math.Abs(p-1) > 1e-9 {
		t.Errorf("all is %v, not 1", p)
	}
}

// TestConcentrationRemains draws places of few operations that fail for half an hour. One that was found hardly ever goes and
// comes back while it fails, which it often does if it is searched anew each time, and none remains twenty minutes after.
func TestConcentrationRemains(t *testing.T) {
	t.Parallel()
	const incidents, step = 40, 15 * time.Second
	anew, gaps, rest, found := 0, 0, 0, 0
	for seed := range uint64(incidents) {
		w := newWorld(seed)
		at, began, over := w.value(Projects), noon().Add(-50*time.Minute), noon().Add(-20*time.Minute)
		fails := func(o Operation) float64 {
			if Projects.Of(o) == at && o.UpdatedAt.After(began) && !o.UpdatedAt.After(over) {
				return 0.5
			}
			return 0.03
		}
		for quarter := range 5 {
			w.window(120, noon().Add(-time.Duration(quarter)*15*time.Minute), fails)
		}
		ended := w.ended()
		var places []Concentration
		var named, namedAnew bool
		for now := began; !now.After(noon()); now = now.Add(step) {
			known := ended[slices.IndexFunc(ended, func(o Operation) bool { return !o.UpdatedAt.After(now) }):]
			previous := places
			places = Concentrated(slices.Values(known), now, time.Time{}, places, Spans()...)
			newly, remains := len(Concentrated(slices.Values(known), now, time.Time{}, nil, Spans()...)) > 0, len(places) > 0
			for _, c := range places {
				i := slices.IndexFunc(previous, func(p Concentration) bool { return p.By == c.By && p.Value == c.Value && !p.Quiet })
				if i >= 0 && c.Since.After(previous[i].Since) {
					t.Errorf("seed %d: since %v, and then since %v", seed, previous[i].Since, c.Since)
				}
			}
			if now.Before(over) {
				gaps += crossed(named, remains)
				anew += crossed(namedAnew, newly)
			}
			if remains && !named {
				found++
			}
			named, namedAnew = remains, newly
		}
		if named {
			rest++
		}
	}
	t.Logf("%d found, %d gaps, %d anew, %d rest", found, gaps, anew, rest)
	if gaps > anew/5 || anew < incidents/4 || rest > 0 {
		t.Errorf("%d gaps, %d if it is searched anew, %d are named twenty minutes after", gaps, anew, rest)
	}
}

// TestConcentrationKeepsItsName draws regions that fail for half an hour, whose projects fail with them. Which place is first hardly
// ever changes, which it often does if it is searched anew each time.
func TestConcentrationKeepsItsName(t *testing.T) {
	t.Parallel()
	const incidents, step = 40, 15 * time.Second
	anew, changes, region, all := 0, 0, 0, 0
	for seed := range uint64(incidents) {
		w := newWorld(seed)
		at, began := w.value(Regions), noon().Add(-30*time.Minute)
		fails := func(o Operation) float64 {
			if Regions.Of(o) == at && o.UpdatedAt.After(began) {
				return 0.6
			}
			return 0.03
		}
		for quarter := range 3 {
			w.window(120, noon().Add(-time.Duration(quarter)*15*time.Minute), fails)
		}
		ended := w.ended()
		var places, others []Concentration
		for now := began; !now.After(noon()); now = now.Add(step) {
			known := ended[slices.IndexFunc(ended, func(o Operation) bool { return !o.UpdatedAt.After(now) }):]
			previous, last := places, others
			places = Concentrated(slices.Values(known), now, time.Time{}, places, Spans()...)
			others = Concentrated(slices.Values(known), now, time.Time{}, nil, Spans()...)
			changes += renamed(previous, places)
			anew += renamed(last, others)
			if len(places) > 0 {
				all++
				if places[0].Value == at {
					region++
				}
			}
		}
	}
	t.Logf("%d changes, %d if it is searched anew; %d of %d name the region", changes, anew, region, all)
	if changes > anew/4 || anew < incidents/2 || region < all*9/10 {
		t.Errorf("%d changes, %d if it is searched anew; %d of %d name the region", changes, anew, region, all)
	}
}

// renamed counts a change of the first place.
func renamed(was, is []Concentration) int {
	if len(was) > 0 && len(is) > 0 && (was[0].By != is[0].By || was[0].Value != is[0].Value) {
		return 1
	}
	return 0
}

// Two regions that mostly fail are two places, also where most operations fail because of them.
func TestConcentrationOfTwoRegions(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		w := newWorld(seed)
		w.window(200, noon(), func(o Operation) float64 {
			if r := Regions.Of(o); r == "region-0" || r == "region-1" {
				return 0.95
			}
			return 0
		})
		for _, c := range w.concentrated() {
			if c.By == Everything {
				t.Errorf("seed %d: %+v", seed, c)
			}
		}
	}
}

// A place that explains a part of an outage does not hide it.
func TestConcentrationOfAPartOfAnOutage(t *testing.T) {
	t.Parallel()
	var ended []Operation
	add := func(project string, failed bool) {
		o := Operation{Project: project, Operation: &models.Operation{Status: models.StatusFinished}}
		if failed {
			o.Status = models.StatusFailed
		}
		o.UpdatedAt = noon().Add(-time.Duration(len(ended)) * time.Second / 2)
		ended = append(ended, o)
	}
	for i := range 100 {
		add(fmt.Sprint("p", i%10), i*7%100 < 58)
		if i%2 == 0 {
			add("worst", true)
		}
	}
	if found := Concentrated(slices.Values(ended), noon(), time.Time{}, nil, Spans()...); len(found) != 1 || found[0].By != Everything {
		t.Errorf("%+v", found)
	}
}

// crossed counts the end of something.
func crossed(was, is bool) int {
	if was && !is {
		return 1
	}
	return 0
}

// A place that was found before does not remain when most failures lie elsewhere.
func TestConcentrationOfFewOfTheFailuresDoesNotRemain(t *testing.T) {
	t.Parallel()
	var ended []Operation
	add := func(project string, n, failed int) {
		for i := range n {
			o := Operation{Project: project, Operation: &models.Operation{Status: models.StatusFinished}}
			o.UpdatedAt = noon().Add(-time.Duration(len(ended)) * time.Second)
			if i < failed {
				o.Status = models.StatusFailed
			}
			ended = append(ended, o)
		}
	}
	add("b", 12, 10)
	for i := range 20 {
		add(fmt.Sprint("p", i), 15, 1)
	}
	previous := []Concentration{{By: Projects, Value: "b"}}
	if found := Concentrated(slices.Values(ended), noon(), time.Time{}, previous, 15*time.Minute); len(found) > 0 {
		t.Errorf("10 of 30 failures are %+v", found)
	}
}

// What still fails comes before what has become quiet, and the first place stays first. Each has what is in none before it.
func TestConcentrationOrder(t *testing.T) {
	t.Parallel()
	var ended []Operation
	add := func(project string, ago time.Duration, n int, status models.Status) {
		for i := range n {
			o := Operation{Project: project, Region: "of " + project, Operation: &models.Operation{Status: status}}
			o.UpdatedAt = noon().Add(-ago - time.Duration(i)*time.Second)
			ended = append(ended, o)
		}
	}
	add("new", 0, 8, models.StatusFailed)
	add("rest", 10*time.Second, 90, models.StatusFinished)
	add("over", 200*time.Second, 20, models.StatusFailed)
	add("rest", 220*time.Second, 60, models.StatusFinished)
	add("old", 290*time.Second, 9, models.StatusFailed)
	values := func(previous []Concentration) (out []string) {
		for _, c := range Concentrated(slices.Values(ended), noon(), time.Time{}, previous, 15*time.Minute) {
			out = append(out, fmt.Sprint(c.Value, " ", c.Failed, " ", c.FailedElsewhere))
		}
		return out
	}
	if got, want := values(nil), []string{"new 8 29", "over 20 9", "old 9 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	ended[8+90].UpdatedAt = noon() // the other one fails again
	slices.SortStableFunc(ended, func(a, b Operation) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	for first, want := range map[string][]string{"new": {"new 8 29", "over 20 9", "old 9 0"}, "over": {"over 20 17", "new 8 9", "old 9 0"}} {
		if got := values([]Concentration{{By: Projects, Value: first}}); !slices.Equal(got, want) {
			t.Errorf("after %s, %q, not %q", first, got, want)
		}
	}
}

// Where most operations fail, everywhere, that is one place, which has all of them. It remains for a while, since the same time.
func TestConcentrationOfEverything(t *testing.T) {
	t.Parallel()
	before := Concentration{By: Everything, Since: noon().Add(-time.Hour)}
	for name, c := range map[string]struct {
		operations, failing int // of twenty
		previous            []Concentration
		found               bool
	}{
		"most":           {300, 12, nil, true},
		"more than half": {300, 11, nil, false},
		"still most":     {300, 11, []Concentration{before}, true},
		"half":           {300, 10, []Concentration{before}, false},
		"few operations": {29, 20, nil, false},
	} {
		w := newWorld(1)
		for i := range c.operations {
			o := w.some()
			o.Operation = &models.Operation{Action: actions[i%len(actions)], Status: models.StatusFinished}
			o.UpdatedAt = noon().Add(-time.Duration(i) * 3 * time.Second)
			if i*7%20 < c.failing {
				o.Status = models.StatusFailed
			}
			w.operations = append(w.operations, o)
		}
		places := Concentrated(slices.Values(w.ended()), noon(), noon().Add(-30*time.Minute), c.previous, Spans()...)
		if found := len(places) == 1 && places[0].By == Everything; found != c.found {
			t.Errorf("%s: %+v", name, places)
		}
		if !c.found {
			continue
		}
		p, all := places[0], w.made(Everything, "", places[0].Span)
		if all != (tally{p.Ended, p.Failed}) || p.Elsewhere() != "" || p.Since.IsZero() || p.Quiet {
			t.Errorf("%s: %+v, of %+v", name, p, all)
		}
		if len(c.previous) > 0 && !p.Since.Equal(before.Since) {
			t.Errorf("%s: since %v", name, p.Since)
		}
	}
}

// The regions of places begin with those of the first place, each once. A place in no region has those of all projects.
func TestRegionsOf(t *testing.T) {
	t.Parallel()
	regions := map[string]string{"shop": "aws-3", "blog": "aws-1", "wiki": ""}
	place := func(by Dimension, value string) Concentration { return Concentration{By: by, Value: value} }
	for want, places := range map[string][]Concentration{
		"":            nil,
		"aws-9 aws-3": {place(Regions, "aws-9"), place(Projects, "shop"), place(Projects, "wiki"), place(Regions, "aws-9")},
		"aws-3 aws-1": {place(Projects, "shop"), place(Actions, "start_compute")},
		"aws-1 aws-3": {place(Everything, "")},
	} {
		if got := strings.Join(RegionsOf(places, regions), " "); got != want {
			t.Errorf("%v: %q, not %q", places, got, want)
		}
	}
}
