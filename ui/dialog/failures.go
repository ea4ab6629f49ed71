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

// failureList is failures, newest first, each with a shell command that makes the same request. One is selected.
type failureList struct {
	FailuresSpec

	scroll *scroll // of the viewer
	cursor int
	begins []int // the first line of each failure, as last drawn, and the number of all lines
}

// NewFailures returns the dialog.
func NewFailures(spec FailuresSpec) *Viewer {
	list := &failureList{FailuresSpec: spec}
	list.Failures = slices.Clone(spec.Failures)
	slices.Reverse(list.Failures)
	m := newViewer("Errors, newest first", filling{lines: list.lines, below: list.saySelected})
	// A shell command must be copied in one piece.
	m.widest = func(frame page.Frame) int { return frame.Width }
	list.scroll = &m.scroll
	m.actions = only(slices.Concat(
		[]*action.Action{list.follows(m.close), list.copies()},
		m.scroll.moves(list.move, "go to the newest", "go to the oldest"),
		[]*action.Action{key("close", m.close, "esc", "q", "?")},
	)...)
	return m
}

func (l *failureList) selected() failure { return l.Failures[l.cursor] }

func (l *failureList) saySelected(c *content) {
	c.say(announce.Part{Name: "selected", Text: l.selected().said(l.Projects), Current: true})
}

// follows declares the action that shows the operation or the project of the selected request, and closes the dialog.
func (l *failureList) follows(closes func() tea.Cmd) *action.Action {
	follow := key("show its operations", func() tea.Cmd {
		target, _ := l.selected().target()
		l.Follow(target)
		return closes()
	}, "enter")
	follow.Vary = func(look action.Look) action.Look {
		if target, _ := l.selected().target(); target.ID != "" {
			look.Title = "show the operation"
		}
		return look
	}
	untargeted := func() bool {
		_, ok := l.selected().target()
		return !ok
	}
	follow.Disabled = action.If(untargeted, "the request was not for operations")
	return follow
}

// copies declares the action that copies the selected request.
func (l *failureList) copies() *action.Action {
	copies := key("copy", action.Do(func() { l.Copy(copied(l.selected().request(), l.BaseURL)) }), "y")
	unrequested := func() bool { return l.selected().request() == nil }
	copies.Disabled = action.If(unrequested, "this was not a request")
	return copies
}

// move selects another failure, and scrolls to it.
func (l *failureList) move(by int) {
	l.cursor = max(0, min(l.cursor+by, len(l.Failures)-1))
	if len(l.begins) > l.cursor+1 {
		l.scroll.reveal(l.begins[l.cursor+1] - 1)
		l.scroll.reveal(l.begins[l.cursor])
	}
}

func (l *failureList) lines(f page.Frame) (lines []string) {
	const edge = "▌ "
	f.Width -= style.Width(edge)
	l.begins = l.begins[:0]
	for i, one := range l.Failures {
		if i > 0 {
			lines = append(lines, "")
		}
		l.begins = append(l.begins, len(lines))
		before := style.Spaces(style.Width(edge))
		switch {
		case f.Accessible:
			before = ""
		case i == l.cursor:
			before = f.Theme.Paint(style.Accent, edge)
		}
		for _, line := range Paragraphs(f, one.lines(l.BaseURL, l.Projects, l.Times())) {
			lines = append(lines, before+line)
		}
	}
	l.begins = append(l.begins, len(lines))
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
