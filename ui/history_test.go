package ui_test

import (
	"regexp"
	"testing"
	"time"

	"pgtower/internal/play"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// The key [ leads back over projects and pages, and says so at the beginning.
func TestBack(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("[")
		p.Sees("nowhere to go back")
		p.Projects().Select("billing").OpenOperations()
		p.Sees(" billing ")
		p.Press("3", "[")
		p.Sees(" billing ", "STATUS")
		p.Press("[")
		p.Sees("12 projects")
		p.Press("[")
		p.Sees("all projects (12)")
	})
}

// position is where the user is.
type position struct {
	page   page.ID
	at     page.ViewState
	before int // how many places there were before
}

func here(p *play.Program) (is position) {
	is.page, is.at, is.before = p.Model.Here()
	return is
}

// Failed requests are listed, similar ones in one line, with a curl command that has no key and can be copied.
func TestErrors(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Failures()
		p.Sees("No failed requests")
		key := p.Keys().Select("laptop-old")
		p.Inject("403 of DELETE")
		key.Revoke().Confirm()
		key.Revoke().Confirm()
		p.Failures()
		p.Reads("Errors, newest first", "2 × ", "Cannot revoke laptop-old (403): injected fault: Forbidden", "DELETE /api/v2/api_keys/165074 · request id",
			`curl -i -X DELETE -H "Authorization: Bearer $PGTOWER_API_KEY" 'https://console.example/api/v2/api_keys/165074'`)
		p.Sees("y copy")
		p.Press("y")
		p.Sees("copied the curl command of the error")
		if !regexp.MustCompile(`^curl -i -X DELETE -H "Authorization: Bearer \$PGTOWER_API_KEY" 'https://\S+/165074'; : request id [\w-]+$`).MatchString(p.Board.Text) {
			t.Errorf("copied: %s", p.Board.Text)
		}
		p.Send(tea.WindowSizeMsg{Width: 140, Height: 36})
		p.Sees(`$PGTOWER_API_KEY" 'https://console.example/api/v2/api_keys/165074' `)
		p.Press("esc")
		p.Down = true
		p.Press("r")
		p.Wait(10 * time.Second)
		p.Failures()
		p.Sees("▌          00:00:07 ○ storefront     no answer in time", "○ list projects  2 × no answer in time", " ↵ show its operations ")
	})
}

// A line of the errors leads to the operations of the request.
func TestErrorsLeadToTheirProject(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		id := p.ProjectIDs()[1]
		p.Inject("500 of /projects/" + id + "/operations")
		p.Wait(12 * time.Second)
		p.Press("r", "3")
		p.Failures()
		p.Sees("Errors, newest first", " ↵ show its operations ", "y copy")
		p.Press("enter")
		p.SeesNot("Errors, newest first")
		if at := p.Model.Page(page.Operations).ViewState(); at.Project != id {
			t.Errorf("%+v, want %s", at, id)
		}
		p.Press("[")
		p.Sees("LAST USED")
	})
}

// Esc leaves details, filter and statistics first, and then the project for the page that led to it.
func TestBackFromAProjectByEscape(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "h", "left"} {
		play.Run(t, 160, 36, nil, func(p *play.Program) {
			before := p.Screen()
			if p.Press(key); p.Screen() != before {
				t.Errorf("%s, which leads nowhere, is not silent:\n%s", key, p.Screen())
			}
			p.Projects().Select("billing").OpenOperations()
			p.Sees(" billing ", "STATUS", "esc back")
			p.Press("enter", key)
			p.Sees(" billing ", "STATUS")
			p.Press("f", key)
			p.Sees(" billing ", "STATUS")
			p.Press("v", "esc")
			p.Sees(" billing ", "STATUS")
			p.Press(key)
			p.Sees("12 projects")
		})
	}
}

// Going back restores the filter of the page, and selects no row if none was chosen.
func TestBackFollowsWhatWasFollowed(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Projects().Select("billing").OpenOperations()
		p.Press("f", "2", "[")
		p.Wait(time.Second)
		p.Sees("is:failed")
		if at := here(p); at.at.Row.ID != "" {
			t.Errorf("%+v", at)
		}
	})
}

// Each step to related operations is an entry: going back leads through the filters to the first position.
func TestBackFromRelatedOperations(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("f")
		p.Wait(time.Second)
		p.Press("j", "enter")
		began := here(p)
		p.Press("=")
		p.Sees("Related to", "same branch", "10 minutes before and after")
		p.Press("enter")
		p.Wait(time.Second)
		p.Sees(` / branch:"br-`)
		p.Press("=", "down", "down", "down", "enter", "=", "enter")
		p.Wait(time.Second)
		p.Sees(` / action:"`)
		p.Press("[")
		p.Wait(time.Second)
		p.Sees(` / branch:"br-`)
		p.Press("[")
		p.Wait(time.Second)
		if is := here(p); is != began || !is.at.Open || is.at.Query != "is:failed" {
			t.Errorf("%+v, want %+v", is, began)
		}
	})
}

// Following a row to its project removes a filter that hides it, and going back restores the row.
func TestBackFromTheProjectOfARow(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Projects().Filter("zzz")
		p.Operations().Filter("project:billing")
		p.Wait(time.Second)
		p.Press("j")
		row := p.Model.Page(page.Operations).ViewState()
		p.Press("o")
		p.Sees("12 projects", "▌ billing")
		p.Press("[")
		if is := p.Model.Page(page.Operations).ViewState(); is != row {
			t.Errorf("%+v, want %+v", is, row)
		}
		p.Press("o", "o")
		p.Sees(" billing ", "STATUS")
	})
}

// If the user removes the filter of a step, esc leads further back.
func TestBackAfterAStepByEscape(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Projects().Select("billing").OpenOperations()
		p.Wait(2 * time.Second)
		p.Press("=", "enter")
		p.Wait(time.Second)
		p.Sees(` / branch:"br-`)
		p.Press("esc")
		p.Sees(" billing ", "STATUS")
		p.Press("esc")
		p.Sees("12 projects")
	})
}
