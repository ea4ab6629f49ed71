package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Viewer is a dialog with lines that may be more than the screen holds.
type Viewer struct {
	base

	copies func() // copies what can be copied of it; nil if nothing can
	lines  func(page.Frame) []string
}

// NewViewer shows what lines draws in the width of a frame, under a title.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	m := &Viewer{base: base{title: title}, lines: lines}
	m.show = m.shown
	return m
}

// Actions declares what can be done now.
func (m *Viewer) Actions() []action.Group {
	by := func(lines int) func() tea.Cmd { return action.Do(func() { m.scroll.by(lines) }) }
	actions := []action.Action{
		key("close", m.close, "esc", "enter", "q", "?"),
		key("down", by(+1), "down", "j"),
		key("up", by(-1), "up", "k"),
		key("page down", m.scroll.pages(+1), "pgdown", "space"),
		{Title: "page up", Keys: []string{"pgup"}, Run: m.scroll.pages(-1)},
		{Title: "to the top", Keys: []string{"g", "home"}, Run: action.Do(m.scroll.top)},
		{Title: "to the bottom", Keys: []string{"G", "end"}, Run: action.Do(m.scroll.bottom)},
	}
	if m.copies != nil {
		actions = slices.Insert(actions, 1, key("copy", action.Do(m.copies), "y"))
	}
	return only(actions...)
}

func (m *Viewer) shown(c *content) {
	const most = 100 // lines that are said at once
	lines := m.lines(c.Frame)
	c.scrolled(&m.scroll, lines)
	if c.Spoken {
		said := m.scroll.window(c.Frame, lines, most)
		c.say(announce.Part{Name: "lines", Text: strings.Join(said, "\n")})
	}
}

// scroll is how far a part of a dialog is scrolled that has more lines than room.
type scroll struct {
	offset int
	// room and lines are those of the last drawing: how far it can be scrolled depends on nothing else.
	room, lines int
}

// actions declares the keys that scroll, if there is anything to scroll: while typing, those that edit no text.
func (s *scroll) actions(typing bool) []action.Action {
	switch {
	case s.lines <= s.room:
		return nil
	case typing:
		return []action.Action{key("more", s.pages(+1), "pgdown"), {Title: "back", Keys: []string{"pgup"}, Run: s.pages(-1)}}
	}
	return []action.Action{
		key("more", s.pages(+1), "pgdown", "ctrl+f", "ctrl+d"),
		{Title: "back", Keys: []string{"pgup", "ctrl+b", "ctrl+u"}, Run: s.pages(-1)},
		{Title: "to the top", Keys: []string{"home"}, Run: action.Do(s.top)},
		{Title: "to the bottom", Keys: []string{"end"}, Run: action.Do(s.bottom)},
	}
}

func (s *scroll) pages(n int) func() tea.Cmd {
	return action.Do(func() { s.by(n * max(1, s.room-2)) })
}

func (s *scroll) by(lines int) {
	s.offset += lines
	s.clamp()
}

func (s *scroll) top()    { s.by(-s.lines) }
func (s *scroll) bottom() { s.by(s.lines) }

// reveal scrolls as little as shows a line.
func (s *scroll) reveal(line int) {
	// The first and the last line may be taken by what says that there are more.
	s.offset = min(s.offset, line-1)
	s.offset = max(s.offset, line-s.room+2)
	s.clamp()
}

func (s *scroll) clamp() { s.offset = max(0, min(s.offset, s.lines-s.room)) }

// window returns the lines that show in the room, the first and the last of them saying how many more there are.
func (s *scroll) window(f page.Frame, lines []string, room int) []string {
	s.room, s.lines = max(1, min(room, len(lines))), len(lines)
	s.clamp()
	end := min(s.lines, s.offset+s.room)
	out := append([]string(nil), lines[s.offset:end]...)
	more := func(at int, arrow string, n int) {
		if n > 0 && s.room > 2 {
			out[at] = f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, style.Count(n+1)))
		}
	}
	more(0, "↑", s.offset)
	more(len(out)-1, "↓ pgdn:", s.lines-end)
	return out
}

const maxFailures = 100 // how many failures are remembered

// Failures are requests that failed, the newest last.
type Failures []failure

// failure is a request that failed, or several in a row that failed alike.
type failure struct {
	at    time.Time // of the last one
	err   error
	times int
}

// Add remembers a failure for users who want to know more than the page says.
func (f *Failures) Add(err error, now time.Time) {
	all := *f
	if n := len(all); n > 0 && all[n-1].err.Error() == err.Error() {
		all[n-1].at = now
		all[n-1].times++
		return
	}
	all = append(all, failure{now, err, 1})
	*f = all[max(0, len(all)-maxFailures):]
}

// NewFailures shows failures, newest first, each with a line that makes the same request from a shell.
func NewFailures(
	f Failures, base string, projects []models.Project, times func() style.Times, copies func(page.Copy),
) *Viewer {
	f = slices.Clone(f)
	slices.Reverse(f)
	m := NewViewer("Errors, newest first", func(frame page.Frame) []string {
		var lines []Line
		for _, one := range f {
			lines = append(lines, append(one.lines(base, projects, times()), Line{})...)
		}
		return Paragraphs(frame, lines[:max(0, len(lines)-1)])
	})
	// A line for a shell is of use only in one piece.
	m.widest = func(frame page.Frame) int { return frame.Width }
	if i := slices.IndexFunc(f, func(one failure) bool { return one.request() != nil }); i >= 0 {
		m.copies = func() { copies(copied(f[i].request(), base)) }
	}
	return m
}

// copied is what is copied of the newest error that was a request: its line for a shell.
func copied(e *models.Error, base string) page.Copy {
	line, label := curl(e, base), "the curl line of the newest error"
	if selfQuoted(e.RequestID) {
		// A colon is the command that does nothing. In one line, no shell begins with it when it is pasted.
		line += "; : request id " + e.RequestID
		label += ", with its request id"
	}
	return page.Copy{Label: label, Text: models.NewSecret(line)}
}

// selfQuoted reports whether an id, which a server chose, is nothing but itself to a shell.
func selfQuoted(id string) bool {
	const known = "-_.:" + "0123456789" + "abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return id != "" && strings.Trim(id, known) == ""
}

// request is the request that failed, or nil if it was none.
func (f failure) request() *models.Error {
	if e, ok := errors.AsType[*models.Error](f.err); ok && e.Path != "" {
		return e
	}
	return nil
}

// said is the failure with the name of the project that a request was about in place of its id.
func (f failure) said(projects []models.Project) string {
	said := f.err.Error()
	if e := f.request(); e != nil {
		_, rest, _ := strings.Cut(e.Path, "/projects/")
		id, _, _ := strings.Cut(rest, "/")
		if i := slices.IndexFunc(projects, func(p models.Project) bool { return p.ID == id }); i >= 0 && projects[i].Name != "" {
			said = strings.Replace(said, id, projects[i].Name, 1)
		}
	}
	return style.Sentence(said)
}

func (f failure) lines(base string, projects []models.Project, times style.Times) []Line {
	head := times.At(f.at)
	if f.times > 1 {
		head += fmt.Sprintf("  ×%d", f.times)
	}
	lines := []Line{{Tone: style.Muted, Text: head}, {Tone: style.Bad, Text: "✗ " + f.said(projects)}}
	if advice := models.AdviceOf(f.err); advice != "" {
		lines = append(lines, Line{Text: advice})
	}
	e := f.request()
	if e == nil {
		return lines
	}
	request := e.Method + " " + e.Path
	if e.RequestID != "" {
		request += " · request id " + e.RequestID
	}
	return append(lines, Line{Tone: style.Muted, Text: request}, Line{Tone: style.Accent, Text: curl(e, base)})
}

// curl is the same request for a shell. The key is not in it: the shell's own variable stands in its place.
func curl(e *models.Error, base string) string {
	method := ""
	if e.Method != "GET" {
		method = "-X " + e.Method + " "
	}
	// The path has that of the base URL in it.
	scheme, rest, _ := strings.Cut(base, "://")
	host, _, _ := strings.Cut(rest, "/")
	address := strings.ReplaceAll(scheme+"://"+host+e.Path, "'", "%27")
	return "curl -i " + method + `-H "Authorization: Bearer $PGTOWER_API_KEY" '` + address + "'"
}
