package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Viewer is a dialog with lines that may be more than the screen holds.
type Viewer struct {
	// Width is that of the box in a frame, [Width] if it is left out.
	Width func(page.Frame) int
	// Head are lines above the others that are not scrolled; it may be nil.
	Head func(page.Frame) []string
	// Copy is what of it can be copied, or nil.
	Copy *page.Copy

	title  string
	lines  func(page.Frame) []string
	scroll Scroll
}

// NewViewer shows what lines draws, under a title.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	return &Viewer{Width: Width, title: title, lines: lines}
}

func viewerCloseKey() action.Action {
	return action.New("esc", "close", "esc", "enter", "q", "?").InFooter()
}
func viewerCopyKey() action.Action { return action.New("y", "copy", "y").InFooter() }
func viewerDownKey() action.Action { return action.New("↓", "down", "down", "j").InFooter() }
func viewerUpKey() action.Action   { return action.New("↑", "up", "up", "k").InFooter() }
func viewerPageDown() action.Action {
	return action.New("pgdn", "page down", "pgdown", "space").InFooter()
}
func viewerPageUp() action.Action    { return action.New("pgup", "page up", "pgup") }
func viewerTopKey() action.Action    { return action.New("g", "to the top", "g", "home") }
func viewerBottomKey() action.Action { return action.New("G", "to the bottom", "G", "end") }

// Keys declares what can be done now.
func (m *Viewer) Keys() []action.Group {
	actions := []action.Action{viewerCloseKey(), viewerDownKey(), viewerUpKey(), viewerPageDown(), viewerPageUp(), viewerTopKey(), viewerBottomKey()}
	if m.Copy != nil {
		actions = slices.Insert(actions, 1, viewerCopyKey())
	}
	return []action.Group{{Title: m.title, Actions: actions}}
}

// Top scrolls to the first line.
func (m *Viewer) Top() { m.scroll.Top() }

// Update scrolls, copies or leaves.
func (m *Viewer) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	if w, ok := msg.(page.Wheel); ok {
		m.scroll.By(w.By)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case viewerCloseKey().Pressed(k):
		return true, nil
	case m.Copy != nil && viewerCopyKey().Pressed(k):
		return false, *m.Copy
	case viewerDownKey().Pressed(k):
		m.scroll.By(+1)
	case viewerUpKey().Pressed(k):
		m.scroll.By(-1)
	case viewerTopKey().Pressed(k):
		m.scroll.Top()
	case viewerBottomKey().Pressed(k):
		m.scroll.Bottom()
	case viewerPageDown().Pressed(k):
		m.scroll.Page(+1)
	case viewerPageUp().Pressed(k):
		m.scroll.Page(-1)
	}
	return false, nil
}

// spokenLines is how many lines are said at once.
const spokenLines = 100

// Spoken says the lines, as many at once as can be listened to.
func (m *Viewer) Spoken(f page.Frame) announce.Description {
	lines := m.lines(f)
	room := min(len(lines), spokenLines)
	said := m.scroll.Window(f, len(lines), room, func(i int) string { return lines[i] })
	return announce.Description{Name: m.title, Parts: []announce.Part{{Name: "lines", Text: strings.Join(said, "\n")}}}
}

// View draws the dialog's box.
func (m *Viewer) View(f page.Frame) string {
	var head []string
	if m.Head != nil {
		head = m.Head(f)
	}
	lines := trimmed(m.lines(f))
	room := max(1, min(len(lines), Room(f)-len(head)))
	shown := m.scroll.Window(f, len(lines), room, func(i int) string { return lines[i] })
	return WideBox(f, m.title, append(head, shown...), m.Width(f))
}

// trimmed leaves out empty lines at the ends: the box has its own.
func trimmed(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
