package ui

import (
	"testing"

	"pgtower/models/feed"
	"pgtower/ui/page"
)

// The newest notice is shown for a while. An alert stays until the user has seen it, or another one comes.
func TestNotices(t *testing.T) {
	t.Parallel()
	var n notices
	say := func(text string, waits bool, about feed.Key) {
		n.show(t.Context(), page.Notice{Text: text, Waits: waits, About: about}, page.Operations)
	}
	shows := func(want string) {
		t.Helper()
		if n.shown.Text != want {
			t.Errorf("%q is shown, not %q", n.shown.Text, want)
		}
	}
	of := feed.Key{Project: "a", ID: "1"}
	say("first", false, feed.Key{})
	say("second", false, feed.Key{})
	shows("second")
	n.over(noticeOver(n.number))
	shows("")
	say("alert", true, of)
	if say("loaded", false, feed.Key{Project: "a", ID: "2"}); n.named != of {
		t.Errorf("named is %v", n.named)
	}
	shows("alert")
	n.over(noticeOver(n.number)) // its time is over before a key
	shows("alert")
	n.seen()
	shows("")
	say("older alert", true, of)
	say("newer alert", true, of)
	shows("newer alert")
	n.seen() // a key before its time is over
	shows("newer alert")
	say("answer", false, feed.Key{})
	shows("answer")
}
