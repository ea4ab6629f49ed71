package dialog

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/shell"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const maxFailures = 100 // how many failures are remembered

// Failures is the list of failed requests, the newest last.
type Failures []failure

// failure is a failed request, or several in a row that failed with the same error.
type failure struct {
	at    time.Time // of the last of them
	err   error
	times int
}

// Add appends a failure.
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

// FailuresSpec describes the dialog with the failures.
type FailuresSpec struct {
	Failures Failures
	BaseURL  string
	Projects []models.Project
	Times    func() style.Times
	Copy     func(page.Copy)
	Follow   func(feed.Key) // shows the operation or the project of a request
}

// failureList shows failures, newest first, each with a shell command that makes the same request. One is selected.
type failureList struct {
	*Viewer
	FailuresSpec

	cursor int
	begins []int // the first line of each failure, as last drawn, and the number of all lines
}

// NewFailures returns the dialog.
func NewFailures(spec FailuresSpec) page.Dialog {
	m := &failureList{FailuresSpec: spec}
	m.Failures = slices.Clone(m.Failures)
	slices.Reverse(m.Failures)
	m.Viewer = NewViewer("Errors, newest first", m.drawn)
	m.show = func(c *content) {
		m.shown(c)
		c.say(announce.Part{Name: "selected", Text: m.selected().said(m.Projects), Current: true})
	}
	// A shell command must be copied in one piece.
	m.widest = func(frame page.Frame) int { return frame.Width }
	m.actions = only(m.declare()...)
	return m
}

func (m *failureList) selected() failure { return m.Failures[m.cursor] }

func (m *failureList) declare() []*action.Action {
	follow := key("show its operations", m.follow, "enter")
	follow.Vary = func(l action.Look) action.Look {
		if target, _ := m.selected().target(); target.ID != "" {
			l.Title = "show the operation"
		}
		return l
	}
	untargeted := func() bool {
		_, ok := m.selected().target()
		return !ok
	}
	follow.Disabled = action.If(untargeted, "the request was not for operations")
	copies := key("copy", action.Do(func() { m.Copy(copied(m.selected().request(), m.BaseURL)) }), "y")
	unrequested := func() bool { return m.selected().request() == nil }
	copies.Disabled = action.If(unrequested, "this was not a request")
	return []*action.Action{
		follow, copies,
		key("down", action.DoWith(m.move, +1), "down", "j"),
		key("up", action.DoWith(m.move, -1), "up", "k"),
		key("page down", m.scroll.pages(+1), "pgdown", "space"),
		quiet("page up", m.scroll.pages(-1), "pgup"),
		quiet("go to the newest", action.DoWith(m.move, -len(m.Failures)), "g", "home"),
		quiet("go to the oldest", action.DoWith(m.move, len(m.Failures)), "G", "end"),
		key("close", m.close, "esc", "q", "?"),
	}
}

// follow shows the operation or the project of the selected request.
func (m *failureList) follow() tea.Cmd {
	target, _ := m.selected().target()
	m.Follow(target)
	return m.close()
}

// move selects another failure, and scrolls to it.
func (m *failureList) move(by int) {
	m.cursor = max(0, min(m.cursor+by, len(m.Failures)-1))
	if len(m.begins) > m.cursor+1 {
		m.scroll.reveal(m.begins[m.cursor+1] - 1)
		m.scroll.reveal(m.begins[m.cursor])
	}
}

func (m *failureList) drawn(f page.Frame) (lines []string) {
	const edge = "▌ "
	f.Width -= style.Width(edge)
	m.begins = m.begins[:0]
	for i, one := range m.Failures {
		if i > 0 {
			lines = append(lines, "")
		}
		m.begins = append(m.begins, len(lines))
		before := style.Spaces(style.Width(edge))
		switch {
		case f.Accessible:
			before = ""
		case i == m.cursor:
			before = f.Theme.Paint(style.Accent, edge)
		}
		for _, line := range Paragraphs(f, one.lines(m.BaseURL, m.Projects, m.Times())) {
			lines = append(lines, before+line)
		}
	}
	m.begins = append(m.begins, len(lines))
	return lines
}

// target returns the operation or the project of the request. ok reports whether it was for one.
func (f failure) target() (t feed.Key, ok bool) {
	e := f.request()
	if e == nil {
		return t, false
	}
	path, _, _ := strings.Cut(e.Path, "?")
	_, rest, _ := strings.Cut(path, "/projects/")
	project, id, ok := strings.Cut(rest, "/operations")
	if !ok {
		return t, false
	}
	t.Project, _ = url.PathUnescape(project)
	t.ID, _ = url.PathUnescape(strings.TrimPrefix(id, "/"))
	return t, t.Project != ""
}

// copied returns what is copied of a failed request: the shell command.
func copied(e *models.Error, base string) page.Copy {
	line, label := curl(e, base), "the curl command of the error"
	if shell.Plain(e.RequestID) {
		// The colon is the shell's command that does nothing. In one line, no shell runs the first part when it is pasted.
		line += "; : request id " + e.RequestID
		label += ", with its request id"
	}
	return page.Copy{Label: label, Text: models.NewSecret(line)}
}

// request returns the request that failed, or nil if the failure was not one.
func (f failure) request() *models.Error {
	if e, ok := errors.AsType[*models.Error](f.err); ok && e.Path != "" {
		return e
	}
	return nil
}

// said returns the error as a sentence, with the project's name in place of its id.
func (f failure) said(projects []models.Project) string {
	said := f.err.Error()
	if e := f.request(); e != nil {
		_, rest, _ := strings.Cut(e.Path, "/projects/")
		id, _, _ := strings.Cut(rest, "/")
		i := slices.IndexFunc(projects, func(p models.Project) bool { return p.ID == id })
		if i >= 0 && projects[i].Name != "" {
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
	return append(lines,
		Line{Tone: style.Muted, Text: request},
		Line{Tone: style.Accent, Text: curl(e, base)},
	)
}

// curl returns the request as a shell command. It has no key, but the name of the variable that holds it.
func curl(e *models.Error, base string) string {
	words := []string{"curl", "-i"}
	if e.Method != "GET" {
		words = append(words, "-X", e.Method)
	}
	// The path includes the path of the base URL.
	scheme, rest, _ := strings.Cut(base, "://")
	host, _, _ := strings.Cut(rest, "/")
	address := scheme + "://" + host + e.Path
	return shell.Line(words...) + ` -H "Authorization: Bearer $PGTOWER_API_KEY" ` + shell.Word(address)
}
