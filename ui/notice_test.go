package ui

import (
	"testing"

	"pgtower/ui/page"
)

func TestNotices(t *testing.T) {
	t.Parallel()
	var n notices
	say := func(notice page.Notice, alert bool) int {
		n.show(t.Context(), notice, alert)
		return n.number
	}
	first := say(page.Notice{Text: "first"}, false)
	second := say(page.Notice{Text: "second", Here: true}, false)
	if n.expire(first); n.shown.Text != "second" {
		t.Errorf("the time of the first took %q away", n.shown.Text)
	}
	if n.leave(first); n.shown.Text != "second" {
		t.Error("a notice of where the user came to left with where they were")
	}
	if n.leave(second); n.shown.Text != "" {
		t.Error("a notice stayed behind")
	}
	alert := say(page.Notice{Text: "alert", Waits: true}, true)
	n.seen() // shortly after it came
	if say(page.Notice{Text: "waits", Waits: true}, false); n.shown.Text != "alert" {
		t.Errorf("%q took the place of an alert", n.shown.Text)
	}
	if n.expire(alert); n.shown.Text != "alert" {
		t.Error("an alert did not wait for the user")
	}
	if n.seen(); n.shown.Text != "" {
		t.Error("an alert that was seen stays")
	}
	say(page.Notice{Text: "older alert", Waits: true}, true)
	if say(page.Notice{Text: "newer alert", Waits: true}, true); n.shown.Text != "newer alert" {
		t.Error("a newer alert gave way")
	}
	if say(page.Notice{Text: "answer"}, false); n.shown.Text != "answer" {
		t.Error("what a key did is not said")
	}
}
