package ui

import (
	"slices"
	"strconv"
	"testing"

	"pgtower/models/feed"
	"pgtower/ui/page"
)

// Another row of the same project is no new entry, and the oldest entries are dropped.
func TestBackStack(t *testing.T) {
	t.Parallel()
	at := func(project, row string) entry {
		return entry{page.Operations, page.ViewState{Project: project, Row: feed.Key{ID: row}}}
	}
	var h backStack
	for _, e := range []entry{at("a", "1"), at("a", "2"), at("b", "3"), at("c", "4")} {
		h.visit(e)
	}
	if want := (backStack{at("a", "2"), at("b", "3"), at("c", "4")}); !slices.Equal(h, want) {
		t.Errorf("%+v", h)
	}
	for i := range 2 * maxHistory {
		h.visit(at(strconv.Itoa(i), ""))
	}
	if len(h) != maxHistory {
		t.Errorf("%d entries", len(h))
	}
}
