package announce_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"pgtower/ui/announce"
)

// Signs become words, and drawings and styles go.
func TestPlain(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"✓ revoked ci-deploy":                       "revoked ci-deploy",
		"✗ list operations: timed out":              "error: list operations: timed out",
		"demo · id 4 · never used":                  "demo, id 4, never used",
		"│ \x1b[1mRevoke\x1b[m │":                   "Revoke",
		"╭ New API key ───╮":                        "New API key",
		"⠹ running ×3":                              "running times 3",
		"▲ 3 new · g to follow":                     "3 new, g to follow",
		"Loading…":                                  "Loading...",
		"it’s “quoted”":                             `it's "quoted"`,
		"漢字 é ñ ß ж":                                "漢字 é ñ ß ж",
		"party 🎉":                                   "party 🎉",
		"a\tb\r\nc\u202ed\u200b":                    "a b cd",
		"▁▂▃ ████":                                  "",
		"10,000 °C 5 € 50%":                         "10,000 °C 5 € 50%",
		"deploy → production":                       "deploy right production",
		"what is gone \uFFFD":                       "what is gone ?",
		"  ↓ more below: pgdn":                      "down more below: pgdn",
		"is:failed !check took:>5s (x) [y] {z} ~|^": "is:failed !check took:>5s (x) [y] {z} ~|^",
	} {
		if got := announce.Plain(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// Any text becomes one that can be read out, and that stays the same.
func TestPlainIsReadable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		got := announce.Plain(rapid.String().Draw(t, "text"))
		if !utf8.ValidString(got) || announce.Plain(got) != got {
			t.Fatalf("%q is not what it would be again: %q", got, announce.Plain(got))
		}
		for _, r := range got {
			if !announce.Readable(r) {
				t.Fatalf("%q has %q in it", got, r)
			}
		}
	})
}

// Keys have names that can be read out.
func TestKey(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]string{
		"↵": "Enter", "?": "question mark", "/": "slash", "+": "plus", "-": "minus", ":": "colon", ".": "period",
		"↑/k": "up arrow or k", "ctrl+k": "control k", "shift+tab": "shift Tab", "d ↵": "d and then Enter", "P": "capital P", "j": "j",
		"pgdn": "page down", "ctrl++": "ctrl++", "1": "1", "space": "Space",
	} {
		if got := announce.Key(shown); got != want {
			t.Errorf("%q: %q, want %q", shown, got, want)
		}
	}
}

// The reasons to speak: something may have changed, a key was pressed, or everything was requested.
const (
	changed = iota
	pressed
	again
)

// says checks the announcements of a speaker.
func says(t *testing.T, s *announce.Speaker, now announce.Description, why int, want ...string) {
	t.Helper()
	switch why {
	case pressed:
		s.After(tea.KeyPressMsg{Code: tea.KeyTab}, false, func() announce.Description { return now })
	case again:
		s.Again()
	}
	if got := s.Say(now, ""); !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// Only changed parts are announced; a key that changed nothing repeats the current ones.
func TestSpeakerSaysOnlyChanges(t *testing.T) {
	t.Parallel()
	page := func(row string, age int) announce.Description {
		return announce.Description{
			ID: 1, Name: "Operations", Text: []string{"All of them."}, Hint: "Question mark helps.",
			Parts: []announce.Part{
				{Name: "summary", Text: fmt.Sprintf("%d loaded", age), Quiet: true},
				{Name: "row", Key: row, Text: fmt.Sprintf("%s, %d seconds old", row, age), Current: true},
			},
		}
	}
	var s announce.Speaker
	says(t, &s, page("first", 1), changed, "Operations", "All of them.", "1 loaded", "first, 1 seconds old", "Question mark helps.")
	says(t, &s, page("first", 2), changed)
	says(t, &s, page("second", 3), pressed, "second, 3 seconds old")
	says(t, &s, page("second", 4), pressed, "second, 4 seconds old")
	says(t, &s, page("second", 5), again, "Operations", "All of them.", "5 loaded", "second, 5 seconds old", "Question mark helps.")
	s.Queue("✓ copied")
	says(t, &s, page("second", 6), pressed, "copied")
}

// A quiet part is announced each time it appears, and not when it changes.
func TestSpeakerSaysAReturningPartAgain(t *testing.T) {
	t.Parallel()
	scene := func(text string) announce.Description {
		return announce.Description{ID: 1, Name: "x", Parts: []announce.Part{{Name: "wrong", Text: text, Quiet: true}}}
	}
	var s announce.Speaker
	says(t, &s, scene(""), changed, "x")
	says(t, &s, scene("late"), changed, "late")
	says(t, &s, scene("later"), changed)
	says(t, &s, scene(""), changed)
	says(t, &s, scene("late"), changed, "late")
}

// A dialog is announced in full, and after it only what changed on the page below.
func TestSpeakerSaysThatADialogOpensAndCloses(t *testing.T) {
	t.Parallel()
	page := func(state string) announce.Description {
		return announce.Description{ID: "page", Name: "API keys", Parts: []announce.Part{
			{Name: "state", Text: state}, {Name: "summary", Text: "20 keys", Quiet: true}, {Name: "row", Text: "ci-deploy", Current: true},
		}}
	}
	dialog := func(id, button string) announce.Description {
		return announce.Description{ID: id, Name: id + "?", Over: true, Parts: []announce.Part{{Name: "button", Text: button}}, Hint: "Escape cancels."}
	}
	var s announce.Speaker
	says(t, &s, page("live"), changed, "API keys", "live", "20 keys", "ci-deploy")
	says(t, &s, dialog("Revoke", "Cancel"), pressed, "Revoke?", "Cancel", "Escape cancels.")
	says(t, &s, dialog("Revoke", "Yes"), pressed, "Yes")
	says(t, &s, dialog("Sure", "No"), pressed, "Sure?", "No", "Escape cancels.")
	says(t, &s, page("offline"), pressed, "Back to API keys.", "offline", "ci-deploy")
	other := page("live")
	other.ID, other.Name = "other", "Projects"
	says(t, &s, other, pressed, "Projects", "live", "20 keys", "ci-deploy")
}

// Many events at once are counted by their kind.
func TestSpeakerCountsABurst(t *testing.T) {
	t.Parallel()
	scene := func(from, to int, kind string) announce.Description {
		c := announce.Description{ID: 1, Name: "x"}
		for i := from; i < to; i++ {
			c.News = append(c.News, announce.Event{Key: fmt.Sprint(i), Kind: kind, Text: fmt.Sprint(kind, ": ", i)})
		}
		return c
	}
	var s announce.Speaker
	says(t, &s, scene(0, 3, "running"), changed, "x")
	says(t, &s, scene(0, 5, "running"), changed, "running: 3", "running: 4")
	says(t, &s, scene(0, 5, "running"), changed)
	many := scene(10, 14, "finished")
	many.News = append(many.News, scene(20, 22, "failed").News...)
	says(t, &s, many, changed, "6 changes: 4 finished, 2 failed.")
}

// A text field is announced without what is typed next, and the prompt shows the text around the cursor.
func TestSpeakerFields(t *testing.T) {
	t.Parallel()
	scene := func(f *announce.Field) announce.Description {
		return announce.Description{ID: 1, Name: "Form", Field: f}
	}
	var s announce.Speaker
	says(t, &s, scene(&announce.Field{Label: "Name", Before: "ab"}), changed, "Form", "Text field: Name, now ab")
	says(t, &s, scene(&announce.Field{Label: "Name", Before: "abc"}), changed)
	says(t, &s, scene(nil), changed)
	says(t, &s, scene(&announce.Field{Label: "API key"}), again, "Form", "Text field: API key")
	for want, d := range map[string]announce.Description{
		"Name: a b?":                    scene(&announce.Field{Label: "Name", Before: "a ", After: "b│"}),
		"API key: ":                     scene(&announce.Field{Label: "API key"}),
		"Operations, press something ":  {Name: "Operations"},
		"Revoke x? ":                    {Name: "Revoke x?", Over: true},
		"the secret":                    {Name: "New key", Secret: "the secret"},
		"too long for this terminal: m": {Name: "New key", Secret: "the secret that is longer than the line"},
	} {
		if got := d.View(29, "press something").Content; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	d := scene(&announce.Field{Label: "Name", Before: "a text that is longer", After: " than the line"})
	if v := d.View(20, ""); v.Content != " text that is longer"[1:]+" " || v.Cursor.X != 19 {
		t.Errorf("%q, the cursor at %d", v.Content, v.Cursor.X)
	}
}

// After several keys, only the last one leads to an announcement, and later while a text is typed.
func TestSpeakerWaitsForTheLastKey(t *testing.T) {
	t.Parallel()
	var s announce.Speaker
	now := announce.Description{ID: 1, Name: "Form"}
	after := func(msg tea.Msg, want time.Duration) announce.Due {
		t.Helper()
		wait, due, ok := s.After(msg, false, func() announce.Description { return now })
		if !ok || wait != want {
			t.Errorf("%v: speaks after %s, %v; want %s", msg, wait, ok, want)
		}
		return due
	}
	letter := tea.KeyPressMsg{Code: 'a', Text: "a"}
	first := after(letter, announce.SpeakAfter)
	last := after(letter, announce.SpeakAfter)
	_, _, something := s.After("something", false, nil)
	if _, _, tick := s.After("tick", true, nil); something || tick {
		t.Error("speaks although it will in a moment")
	}
	if _, _, ok := s.After(first, false, nil); ok {
		t.Error("speaks for a key after which another one was pressed")
	}
	after(last, 0)
	s.Queue("✓ done")
	if got := s.Say(now, "Signed in."); !slices.Equal(got, []string{"Signed in.", "done", "Form"}) {
		t.Errorf("said %q", got)
	}
	now.Field = &announce.Field{Label: "Name"}
	after(letter, announce.SpeakAfterTyping)
	if s.Again(); !s.Repeats() {
		t.Error("does not repeat")
	}
	if got := s.Say(now, "Signed in."); !slices.Equal(got, []string{"Form", "Text field: Name"}) || s.Repeats() {
		t.Errorf("said %q", got)
	}
}

// A sentence gets a full stop unless it has another end.
func TestSentenceEnds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "✗ connection refused": "error: connection refused.", "Nothing listens there.": "Nothing listens there.",
		"Loading…": "Loading...", "why?": "why?",
	} {
		if got := announce.Sentence(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
