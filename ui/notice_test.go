package ui

import (
	"testing"

	"pgtower/models/feed"
	"pgtower/ui/page"
)

func TestNotices(t *testing.T) {
	t.Parallel()
	var n notices
	say := func(notice page.Notice, rank int) int {
		n.show(t.Context(), notice, rank)
		return n.number
	}
	first := say(page.Notice{Text: "first"}, noticeRank)
	second := say(page.Notice{Text: "second", Here: true}, noticeRank)
	if n.expire(first); n.shown.Text != "second" {
		t.Errorf("the time of the first took %q away", n.shown.Text)
	}
	if n.leave(first); n.shown.Text != "second" {
		t.Error("a notice of where the user came to left with where they were")
	}
	if n.leave(second); n.shown.Text != "" {
		t.Error("a notice stayed behind")
	}
	alert := say(page.Notice{Text: "alert", Waits: true}, alertRank)
	n.seen() // shortly after it came
	if say(page.Notice{Text: "waits", Waits: true}, noticeRank); n.shown.Text != "alert" {
		t.Errorf("%q took the place of an alert", n.shown.Text)
	}
	if n.expire(alert); n.shown.Text != "alert" {
		t.Error("an alert did not wait for the user")
	}
	if n.seen(); n.shown.Text != "" {
		t.Error("an alert that was seen stays")
	}
	older := feed.Key{Project: "a", ID: "1"}
	say(page.Notice{Text: "older alert", Waits: true, About: older}, ringingRank)
	say(page.Notice{Text: "quiet alert", Waits: true, About: feed.Key{Project: "a", ID: "2"}}, alertRank)
	if say(page.Notice{Text: "all is loaded"}, noticeRank); n.shown.Text != "older alert" || n.named != older {
		t.Errorf("%q of %v took the place of an alert that the user has not seen", n.shown.Text, n.named)
	}
	if say(page.Notice{Text: "newer alert", Waits: true}, ringingRank); n.shown.Text != "newer alert" {
		t.Error("a newer alert gave way")
	}
	n.seen()
	if say(page.Notice{Text: "answer"}, noticeRank); n.shown.Text != "answer" {
		t.Error("what a key did is not said")
	}
}
