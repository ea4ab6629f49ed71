package ui

import (
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/page"
)

func TestBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("[")
		p.sees("nowhere to go back")
		p.Press("2", "down", "o") // the second project's operations
		p.sees(" billing ")
		p.Press("3", "[")
		p.sees(" billing ", "STATUS")
		p.Press("[")
		p.sees("12 projects")
		p.Press("[")
		p.sees("all projects (12)")
	})
}

// here is the last entry of the history: where the user is.
func (p *program) here() entry { return p.model.session.seen.back[len(p.model.session.seen.back)-1] }

func TestErrorsDrawer(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("!")
		p.sees("No failed requests")
		p.Press("3", "j")
		p.inject("403 of DELETE")
		p.Press("x", "tab", "enter", "x", "tab", "enter")
		p.Press("!")
		p.reads("Errors, newest first", "×2", "Cannot revoke laptop-old (403): injected fault: Forbidden", "DELETE /api/v2/api_keys/165074 · request id",
			`curl -i -X DELETE -H "Authorization: Bearer $PGTOWER_API_KEY" 'https://console.example/api/v2/api_keys/165074'`)
		p.sees("y copy")
		p.Press("y")
		p.sees("copied the curl command of the error")
		if !regexp.MustCompile(`^curl -i -X DELETE -H "Authorization: Bearer \$PGTOWER_API_KEY" 'https://\S+/165074'; : request id [\w-]+$`).MatchString(p.board.text) {
			t.Errorf("copied: %s", p.board.text)
		}
		p.Send(tea.WindowSizeMsg{Width: 140, Height: 36})
		p.sees(`$PGTOWER_API_KEY" 'https://console.example/api/v2/api_keys/165074' `)
		p.Press("esc")
		p.down = true
		p.Press("r")
		p.Wait(10 * time.Second)
		p.Press("!")
		p.sees("▌ ✗ List operations: no answer in time", " ↵ show its operations ")
		p.Press("j")
		p.sees("▌ ✗ List API keys: no answer in time")
	})
}

// A line of the errors leads to the operations of the request.
func TestFromAnErrorToItsProject(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		id := p.projectIDs()[1]
		p.inject("500 of /projects/" + id + "/operations")
		p.Wait(12 * time.Second)
		p.Press("r", "3", "!")
		p.sees("Errors, newest first", " ↵ show its operations ", "y copy")
		p.Press("enter")
		p.seesNot("Errors, newest first")
		if at := p.model.session.pages.all[page.Operations].ViewState(); at.Project != id {
			t.Errorf("%+v, want %s", at, id)
		}
		p.Press("[")
		p.sees("LAST USED")
	})
}

func TestEscapeLeavesTheOperationsOfAProject(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "h", "left"} {
		play(t, 160, 36, nil, func(p *program) {
			before := p.screen()
			if p.Press(key); p.screen() != before {
				t.Errorf("%s, which leads nowhere, is not silent:\n%s", key, p.screen())
			}
			p.Press("2", "j", "o")
			p.sees(" billing ", "STATUS", "esc back")
			p.Press("enter", key)
			p.sees(" billing ", "STATUS")
			p.Press("f", key)
			p.sees(" billing ", "STATUS")
			p.Press("v", "esc")
			p.sees(" billing ", "STATUS")
			p.Press(key)
			p.sees("12 projects")
		})
	}
}

func TestComingBackFindsTheFilterAndTheRow(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("2", "j", "o")
		p.Wait(2 * time.Second)
		p.Press("/")
		p.Type("status:finished")
		p.Press("enter", "j", "j", "j", "enter")
		p.Wait(time.Second)
		at := p.here()
		if at.at.Row.ID == "" || !at.at.Open {
			t.Fatalf("%+v", at)
		}
		p.Press("a")
		p.Wait(time.Second)
		p.seesNot("status:finished")
		p.Press("[")
		p.Wait(time.Second)
		if is := p.here(); is != at {
			t.Errorf("%+v, want %+v", is, at)
		}
	})
}

func TestComingBackFollowsWhatWasFollowed(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("2", "j", "o", "f", "2", "[")
		p.Wait(time.Second)
		p.sees("is:failed")
		if at := p.here(); at.at.Row.ID != "" {
			t.Errorf("%+v", at)
		}
	})
}

func TestFromARowOnwardAndBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("f")
		p.Wait(time.Second)
		p.Press("j")
		began := p.here()
		p.Press("=")
		p.sees("Related to", "same branch", "10 minutes before and after")
		p.Press("enter")
		p.Wait(time.Second)
		p.sees(` / branch:"br-`)
		p.Press("=", "down", "down", "down", "enter", "=", "enter")
		p.Wait(time.Second)
		p.sees(` / action:"`)
		p.Press("[")
		p.Wait(time.Second)
		p.sees(` / branch:"br-`)
		p.Press("[")
		p.Wait(time.Second)
		if is := p.here(); is != began || len(p.model.session.seen.back) != 1 {
			t.Errorf("%+v, want %+v", is, began)
		}
		p.sees(" / is:failed")
	})
}

func TestTheProjectOfARow(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("2", "/")
		p.Type("zzz")
		p.Press("enter", "1", "/")
		p.Type("project:billing")
		p.Press("enter")
		p.Wait(time.Second)
		p.Press("j")
		row := p.model.session.pages.all[page.Operations].ViewState()
		p.Press("o")
		p.sees("12 projects", "▌ billing")
		p.Press("[")
		if is := p.model.session.pages.all[page.Operations].ViewState(); is != row {
			t.Errorf("%+v, want %+v", is, row)
		}
		p.Press("o", "o")
		p.sees(" billing ", "STATUS")
	})
}

// If the user removes the filter of a step, esc leads further back.
func TestEscapeAfterAStep(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("2", "j", "o")
		p.Wait(2 * time.Second)
		p.Press("=", "enter")
		p.Wait(time.Second)
		p.sees(` / branch:"br-`)
		p.Press("esc")
		p.sees(" billing ", "STATUS")
		p.Press("esc")
		p.sees("12 projects")
	})
}

func TestHistory(t *testing.T) {
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

// A command goes to a time, from any page, and back returns to the row.
func TestGoingToATimeAndBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("down", "down")
		p.sees(" 3 / ")
		p.Press("2")
		p.command("at 20m")
		p.Wait(time.Second)
		p.seesNot(" 3 / ", "HEALTH")
		p.Press("[", "[")
		p.sees(" 3 / ")
	})
}

// A time without an operation is no step: back leads to where the user was before.
func TestGoingToATimeWithoutAnOperation(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, longHistory(100), func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("2", "1", "down")
		p.command("at 30d")
		p.Wait(3 * time.Second)
		p.sees("No operation shown began by")
		p.Press("[")
		p.sees("HEALTH")
		p.command("at 30d")
		p.Press("[")
		p.sees("HEALTH")
		p.Press("1", "v")
		p.command("at 30d")
		p.Press("[")
		p.sees("LAST 15M")
	})
}

// From the top of the feed, back returns to the top, even while older operations load for the time.
func TestGoingToATimeFromTheTop(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, longHistory(2_000), func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("2", "1")
		for _, wait := range []time.Duration{0, time.Second, 30 * time.Second} {
			p.command("at 2h")
			p.Wait(wait)
			p.Press("[")
			p.sees(" 1 / ", "STATUS")
			p.Wait(30 * time.Second)
			p.sees(" 1 / ", "STATUS")
		}
	})
}
