package dialog_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgtower/ui/dialog"
	"pgtower/ui/style"
)

func noon() time.Time { return time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC) }

// happened adds an event some seconds after noon.
func happened(list *dialog.Events, seconds int, glyph, subject, text string) {
	list.Add(&dialog.Event{
		At: noon().Add(time.Duration(seconds) * time.Second), Sign: style.Status{Glyph: glyph}, Subjects: []string{subject},
		Many: "projects", Text: text, Nowhere: "nothing", About: func() []dialog.Line { return []dialog.Line{{Text: "all of " + text}} },
	})
}

func events(list dialog.Events) *dialog.Viewer {
	return dialog.NewEvents(dialog.EventsSpec{
		Title: "Errors", Events: list, Name: func(subject string) string { return subject },
		Times: func() style.Times { return style.Times{} }, Now: func() time.Time { return noon().Add(time.Hour) },
	})
}

// Events that are alike are one line with their number, begin and end, also when others came between them; not after a pause.
func TestEventsThatAreAlike(t *testing.T) {
	t.Parallel()
	var list dialog.Events
	happened(&list, 0, "○", "billing", "reset")
	happened(&list, 1, "◌", "billing", "429")
	happened(&list, 5, "○", "search", "reset")
	happened(&list, 6, "✗", "search", "reset")
	happened(&list, 7, "○", "billing", "reset")
	happened(&list, 700, "✗", "search", "reset")
	box := events(list)
	got := view(box, frame(80, 24))
	for _, want := range []string{
		"▌          12:11:40 ✗ search      reset", "  12:00:00–12:00:07 ○ 2 projects  3 × reset",
		"           12:00:06 ✗ search      reset", "           12:00:01 ◌ billing     429", "all of reset",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// One more raises the count of a line in the open list, and moves nothing.
	happened(&list, 500, "○", "payments", "reset")
	if got := view(box, frame(80, 24)); !strings.Contains(got, "12:00:00–12:08:20 ○ 3 projects  4 × reset") {
		t.Errorf("the open list has\n%s", got)
	}
}

// In little room, the begin goes first and then the subject, and never the end or the text.
func TestEventsInLittleRoom(t *testing.T) {
	t.Parallel()
	var list dialog.Events
	for i := range 12 {
		happened(&list, i, "○", fmt.Sprintf("project-with-a-long-name-%d", i%2), "the connection was reset")
	}
	happened(&list, 20, "○", "project-with-a-long-name", "no answer")
	for width, want := range map[int]string{
		120: "12:00:00–12:00:11 ○ 2 projects                12 × the connection was reset",
		64:  "  12:00:11 ○ 2 projects    12 × the connection was reset",
		44:  "  12:00:11 ○ 12 × the connection",
	} {
		got := view(events(list), frame(width, 24))
		if !strings.Contains(got, want) {
			t.Errorf("%d: no %q in\n%s", width, want, got)
		}
	}
}

// The search finds subjects, texts and what is shown below, and a click selects a line.
func TestEventsAreFound(t *testing.T) {
	t.Parallel()
	var list dialog.Events
	for i := range 40 {
		happened(&list, i, "○", fmt.Sprintf("p%d", i), fmt.Sprintf("error %d", i))
	}
	box, f := events(list), frame(80, 24)
	pointAt(t, box, f, "error 36")
	if got := view(box, f); !strings.Contains(got, "▌ 12:00:36 ○ p36") || !strings.Contains(got, "all of error 36") {
		t.Errorf("a click does not select\n%s", got)
	}
	send(t, box, keysOf("/all of p1\n")...)
	if got := view(box, f); !strings.Contains(got, "11 of 40") || !strings.Contains(got, "▌ 12:00:19") {
		t.Errorf("the search finds\n%s", got)
	}
	send(t, box, keysOf("⎋/none such\n")...)
	if got := view(box, f); !strings.Contains(got, "No matches.") {
		t.Errorf("the search finds\n%s", got)
	}
}

// A low box draws the same lines as a high one, wherever it is scrolled. A click there selects the event of its line.
func TestEventsThatAreScrolled(t *testing.T) {
	t.Parallel()
	var list dialog.Events
	for i := range 40 {
		happened(&list, i, "○", fmt.Sprintf("p%02d", i), fmt.Sprintf("error %d", i))
	}
	box, low, high := events(list), frame(80, 20), frame(80, 60)
	for i := 39; i >= 0; i-- {
		got, whole := view(box, low), view(box, high)
		if selected := fmt.Sprintf("▌ 12:00:%02d ○ p%02d ", i, i); !strings.Contains(got, selected) {
			t.Errorf("no %q in\n%s", selected, got)
		}
		for line := range strings.Lines(got) {
			if strings.Contains(line, " ○ ") && !strings.Contains(whole, line) {
				t.Errorf("only the low box has %q", line)
			}
		}
		view(box, low) // the keys scroll what was drawn last
		send(t, box, keysOf("↓")...)
	}
	pointAt(t, box, low, "error 5 ")
	if got := view(box, low); !strings.Contains(got, "▌ 12:00:05 ○ p05") {
		t.Errorf("a click selects\n%s", got)
	}
}
