package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
)

// An operation has one line with the views that it matched. What is new of it moves the line to the top.
func TestAlertsOfAnOperation(t *testing.T) {
	t.Parallel()
	var a alerts
	list := func(reason string, texts ...string) {
		e := page.Alert{Reason: reason}
		for _, text := range texts {
			about := feed.Key{Project: "p", ID: text[:1]}
			e.Found = append(e.Found, page.Found{Text: text, About: about, Values: models.Fields{}})
		}
		a.list(e, time.Time{})
	}
	list("Failed", "a failed", "b failed")
	list("Trouble", "b failed", "c slow", "c failed")
	list("Trouble", "a failed")
	list("watched", "a finished")
	a.list(page.Alert{Reason: "Trouble", Found: []page.Found{{Text: "tell failed", About: feed.Key{Project: "p", ID: "a"}}}}, time.Time{})
	var got []string
	for _, one := range a.all {
		got = append(got, strings.Join(one.reasons, "+")+" "+one.Text)
	}
	want := []string{"Trouble tell failed", "Failed+Trouble+watched a finished", "Trouble c failed", "Failed+Trouble b failed"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
