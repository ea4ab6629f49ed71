package operations

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// alertsOf returns the reasons of the alerts that were emitted, by whether they are only listed.
func alertsOf(b *bench) (loud, quiet []string) {
	for _, e := range b.Take() {
		alert, ok := e.(page.Alert)
		switch {
		case !ok:
		case alert.Quiet:
			quiet = append(quiet, alert.Reason)
		default:
			loud = append(loud, alert.Reason)
		}
	}
	return loud, quiet
}

// An acknowledged error of an action and project is only listed, another one is not, and after an hour away it is news.
func TestAlertsListAcknowledgedFailures(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		fail := func(reason string) (loud, quiet []string) {
			alertsOf(b)
			b.service.add("a", models.StatusFailed, time.Now()).Error = reason
			b.Wait(30 * time.Second)
			return alertsOf(b)
		}
		if loud, quiet := fail("no answer within 5s"); !slices.Equal(loud, []string{"Failed"}) || len(quiet) > 0 {
			t.Fatalf("a failure: %v, %v", loud, quiet)
		}
		b.run("top")
		b.run("acknowledge")
		if loud, quiet := fail("no answer within 9s"); len(loud) > 0 || !slices.Equal(quiet, []string{"Failed, acknowledged"}) {
			t.Errorf("acknowledged: %v, %v", loud, quiet)
		}
		if loud, quiet := fail("no capacity"); !slices.Equal(loud, []string{"Failed"}) || len(quiet) > 0 {
			t.Errorf("another error: %v, %v", loud, quiet)
		}
		b.Wait(2 * time.Hour)
		if loud, quiet := fail("no answer within 9s"); !slices.Equal(loud, []string{"Failed"}) || len(quiet) > 0 {
			t.Errorf("after an hour away: %v, %v", loud, quiet)
		}
	}, "a")
}

// The present filter rings from the screen, and no longer.
func TestAlertOfTheFilter(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		rings := func() (out bool) {
			b.Take()
			b.service.add("a", models.StatusFailed, time.Now()).Error = "no capacity"
			b.Wait(30 * time.Second)
			for _, e := range b.Take() {
				alert, ok := e.(page.Alert)
				out = out || ok && alert.Rings
			}
			return out
		}
		b.Do(b.views.ring("on")) // without a filter
		if rings() {
			t.Error("without a filter, every operation rings")
		}
		b.Do(b.list.filter("error:capacity"))
		b.Wait(time.Second)
		b.Do(b.views.ring("on"))
		if !rings() {
			t.Error("it does not ring")
		}
		b.Do(b.views.ring("off"))
		if rings() || len(*b.views.own) > 0 {
			t.Errorf("it still rings, with the views %+v", *b.views.own)
		}
	}, "a")
}

// The dialog that shows a saved view makes it ring, and no longer.
func TestAlertOfASavedViewFromItsDialog(t *testing.T) {
	t.Parallel()
	var own, saved []query.SavedView
	o := Options{Views: &own, SaveView: func(v query.SavedView) error { saved = append(saved, v); return nil }}
	onViews(t, o, func(b *bench) {
		b.run("save", "view everything")
		if got := b.opens(t, "Saved the view everything").Actions()[0].Actions; slices.Contains(got[0].Keys, "r") {
			t.Error("a view without a filter can ring")
		}
		b.Do(b.list.table.SetQuery("is:failed create"))
		b.run("save", "view mine")
		shown := b.opens(t, "Saved the view mine", "[ ] Ring when an operation first matches")
		for _, on := range []bool{true, false} {
			shown.Press("r")
			b.Wait(0)
			drawn := strings.Contains(shown.View(b.frame(100)), "[x] Ring")
			if now := saved[len(saved)-1]; now.Alert != on || now.Name != "mine" || own[1].Alert != on || drawn != on {
				t.Errorf("%v: saved %+v, drawn %v", on, now, drawn)
			}
		}
	})
}
