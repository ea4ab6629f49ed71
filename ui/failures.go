package ui

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/shell"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// failure is a failed request, or another failure.
type failure struct {
	err     error
	request *models.Error // nil if it was no request
	base    string        // the base URL of the request
	target  feed.Key      // the operation or the project of a request for operations, or zero
	project string        // the id of the project of the request, or ""
}

func newFailure(err error, base string) *failure {
	f := &failure{err: err, base: base}
	e, ok := errors.AsType[*models.Error](err)
	if !ok || e.Path == "" {
		return f
	}
	f.request = e
	path, _, _ := strings.Cut(e.Path, "?")
	_, rest, _ := strings.Cut(path, "/projects/")
	id, rest, _ := strings.Cut(rest, "/")
	f.project, _ = url.PathUnescape(id)
	operation, ok := strings.CutPrefix(rest, "operations")
	if ok && f.project != "" {
		f.target.Project = f.project
		f.target.ID, _ = url.PathUnescape(strings.TrimPrefix(operation, "/"))
	}
	return f
}

// event returns the failure for the list of errors. Reads that failed for the same reason in several projects share a line;
// each failed change has its own text.
func (f *failure) event(s *session, now time.Time) *dialog.Event {
	e := &dialog.Event{
		At: now, Sign: f.sign(), Many: "projects", Text: f.err.Error(), Nowhere: "this was not a request",
		About: func() []dialog.Line { return f.lines(s.projectName(f.project)) },
	}
	if f.request == nil {
		return e
	}
	if f.project != "" {
		e.Subjects = []string{f.project}
	}
	if f.request.Method == "GET" {
		e.Text = models.Reason(f.err)
		if f.project == "" {
			e.Subjects, e.Apart = []string{f.request.Doing}, f.request.Doing
		}
	}
	copied := f.copied()
	e.Copied, e.Nowhere = &copied, "the request was not for operations"
	if f.target.Project != "" {
		e.Target, e.Follow = "its operations", func() { s.follow(f.target) }
	}
	if f.target.ID != "" {
		e.Target = "the operation"
	}
	return e
}

// sign returns the sign of the kind of failure: no answer, not now, or refused.
func (f *failure) sign() style.Status {
	switch models.KindOf(f.err) {
	case models.KindUnreachable, models.KindTimeout, models.KindCutOff, models.KindStalled:
		return style.Status{Glyph: "○", Tone: style.Bad}
	case models.KindRateLimited:
		return style.Status{Glyph: "◌", Tone: style.Waiting}
	default:
		return style.Status{Glyph: "✗", Tone: style.Bad}
	}
}

// copied returns the shell command that repeats a failed request.
func (f *failure) copied() page.Copy {
	line, label := f.curl(), "the curl command of the error"
	if shell.Plain(f.request.RequestID) {
		// The colon is the shell's command that does nothing. In one line, no shell runs the first part when it is pasted.
		line += "; : request id " + f.request.RequestID
		label += ", with its request id"
	}
	return page.Copy{Label: label, Text: models.NewSecret(line)}
}

// lines returns the failure in full, with the project's name in place of its id.
func (f *failure) lines(project string) []dialog.Line {
	text := f.err.Error()
	if f.project != "" {
		text = strings.Replace(text, f.project, project, 1)
	}
	lines := []dialog.Line{{Tone: style.Bad, Text: "✗ " + style.Sentence(text)}}
	if advice := models.AdviceOf(f.err); advice != "" {
		lines = append(lines, dialog.Line{Text: advice})
	}
	if f.request == nil {
		return lines
	}
	request := f.request.Method + " " + f.request.Path
	if f.request.RequestID != "" {
		request += " · request id " + f.request.RequestID
	}
	return append(lines,
		dialog.Line{Tone: style.Muted, Text: request},
		dialog.Line{Tone: style.Accent, Text: f.curl()},
	)
}

// curl returns the request as a shell command. It has no key, but the name of the variable that holds it.
func (f *failure) curl() string {
	words := []string{"curl", "-i"}
	if f.request.Method != "GET" {
		words = append(words, "-X", f.request.Method)
	}
	// The path includes the path of the base URL.
	scheme, rest, _ := strings.Cut(f.base, "://")
	host, _, _ := strings.Cut(rest, "/")
	address := scheme + "://" + host + f.request.Path
	return shell.Line(words...) + ` -H "Authorization: Bearer $PGTOWER_API_KEY" ` + shell.Word(address)
}

// projectName returns the name of the project with an id, or the id if no such project is known.
func (s *session) projectName(id string) string {
	for _, p := range s.seen.projects {
		if p.ID == id && p.Name != "" {
			return p.Name
		}
	}
	return id
}

func (s *session) openFailures() {
	if len(s.seen.failures) == 0 {
		s.Notify(style.Good, "No failed requests")
		return
	}
	s.openEvents("Errors, newest first", s.seen.failures)
}

// openEvents shows a list of events.
func (s *session) openEvents(title string, events dialog.Events) {
	s.Open(dialog.NewEvents(dialog.EventsSpec{
		Title: title, Events: events, Times: s.times, Name: s.projectName,
		Now:  func() time.Time { return s.service(s.profile.Clock()) },
		Copy: func(c page.Copy) { s.Emit(c) },
	}))
}
