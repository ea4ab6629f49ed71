package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// drawnWidth and drawnHeight are of a dialog that is drawn only to be read.
const drawnWidth, drawnHeight = 120, 200

// scene is what gets the keys now, in words.
func (m *Model) scene() announce.Description {
	f := m.frame(m.height)
	f.Spoken = true
	n := len(m.dialogs)
	switch {
	case n > 0:
		return m.dialogScene(f, m.dialogs[n-1])
	case m.signin != nil:
		scene := m.signin.Spoken(f)
		scene.Hint = m.spokenHint()
		return scene
	case !m.signedIn():
		return announce.Description{ID: "opening", Name: "pgtower", Text: []string{"Looking for the API key."}}
	}
	scene := m.pages[m.active].Spoken(f)
	switch {
	case scene.Hint != "":
	case scene.Field != nil:
		scene.Hint = m.spokenHint()
	case !m.voice.hinted || m.voice.why == announce.Again:
		scene.Hint = style.Sentence(announce.Key(m.scope().Label(m.global.help))) + " lists the keys, " +
			announce.Key(m.scope().Label(againKey())) + " says again where you are."
	}
	return scene
}

// dialogScene is what a dialog says of itself, or else what it draws without its frame.
func (m *Model) dialogScene(f page.Frame, d page.Dialog) announce.Description {
	var scene announce.Description
	if speaking, ok := d.(page.Speaking); ok {
		scene = speaking.Spoken(f)
	} else {
		scene = drawn(d.View(page.Frame{Width: drawnWidth, Height: drawnHeight, Theme: m.theme, Now: m.painted, Tick: m.ticked}))
	}
	scene.ID, scene.Over, scene.Hint = d, true, m.spokenHint()
	return scene
}

// drawn is a scene of what was drawn: a part for each line that has words in it.
func drawn(view string) announce.Description {
	var scene announce.Description
	for line := range strings.SplitSeq(view, "\n") {
		line = announce.Plain(line)
		switch {
		case line == "":
		case scene.Name == "":
			scene.Name = line
		default:
			scene.Parts = append(scene.Parts, announce.Part{Name: strconv.Itoa(len(scene.Parts)), Text: line})
		}
	}
	return scene
}

// spokenHint are the keys that the footer would show.
func (m *Model) spokenHint() string {
	var out []string
	for _, g := range m.currentKeys() {
		for _, a := range g.Actions {
			if a.Footer {
				out = append(out, spokenAction(a))
			}
		}
	}
	return strings.Join(out, ". ") + "."
}

func spokenAction(a action.Action) string {
	h := a.Help()
	said := announce.Key(h.Key) + ": " + h.Desc
	if a.Off != "" {
		said += ", not now, " + strings.TrimRight(a.Off, ".")
	}
	return said
}

// spokenHelp lists every key that does something now, a line each.
func spokenHelp(title string, groups []action.Group) page.Dialog {
	var lines []string
	for _, g := range groups {
		lines = append(lines, g.Title+":")
		for _, a := range g.Actions {
			lines = append(lines, spokenAction(a))
		}
	}
	return dialog.NewViewer(title, func(page.Frame) []string { return lines })
}

// spokenView is the one line that stays on the screen, with the cursor where it is typed,
// or at its end. Nothing of it is painted anew while nothing is done.
func (m *Model) spokenView() tea.View {
	v := tea.NewView("")
	v.ReportFocus = true
	v.WindowTitle = "pgtower"
	if m.width <= 0 || m.voice.leaving {
		return v
	}
	scene := m.scene()
	prompt := scene.Prompt(announce.Key(m.scope().Label(m.global.help)) + " for help")
	line, cursor := prompt.Before+prompt.After, style.Width(prompt.Before)
	room := m.width - 1
	switch {
	case scene.Shown != "":
		// On more than one line it could not be taken away for sure when the program stops.
		line, cursor = scene.Shown, min(room, style.Width(scene.Shown))
		if style.Width(line) > m.width {
			line, cursor = "too long for this terminal: make it wider, or copy it", 0
		}
	case cursor > room:
		// What is typed is seen at its end.
		line = style.From(line, cursor-room)
		cursor = room
	}
	v.SetContent(ansi.Truncate(line, m.width, ""))
	v.Cursor = tea.NewCursor(cursor, 0)
	return v
}
