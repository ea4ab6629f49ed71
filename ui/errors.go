package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// maxFailures is how many failures are remembered.
const maxFailures = 100

// failure is a request that failed, or several in a row that failed alike.
type failure struct {
	at    time.Time // of the last one
	err   error
	times int
}

// remember notes a failure for those who want to know more than the page says.
func (m *Model) remember(err error) {
	if n := len(m.failures); n > 0 && m.failures[n-1].err.Error() == err.Error() {
		m.failures[n-1].at = m.now
		m.failures[n-1].times++
		return
	}
	m.failures = append(m.failures, failure{m.now, err, 1})
	m.failures = m.failures[max(0, len(m.failures)-maxFailures):]
}

// openErrors shows the failures, newest first, each with what the service's support will
// ask for, and with a line that makes the same request from a shell.
func (m *Model) openErrors() tea.Cmd {
	if len(m.failures) == 0 {
		return m.notify(page.Notice{Tone: style.Good, Text: "No failed requests", Here: true})
	}
	failures, base, names := m.failures, m.profile.BaseURL, m.projectNames()
	d := dialog.NewViewer("Errors, newest first", func(f page.Frame) []string {
		var lines []string
		for _, one := range slices.Backward(failures) {
			lines = append(lines, "")
			for _, l := range one.lines(base, m.times(), names) {
				for _, s := range style.Wrap(l.Text, errorsInner(f)) {
					lines = append(lines, f.Theme.Paint(l.Tone, s))
				}
			}
		}
		return append(lines, "")
	})
	d.Width, d.Copy = errorsWidth, newestRequest(failures, base)
	m.dialogs = append(m.dialogs, d)
	return nil
}

// errorsWidth is that of the screen: a line for a shell is of use only in one piece.
func errorsWidth(f page.Frame) int { return max(dialog.Width(f), f.Width-4) }

func errorsInner(f page.Frame) int {
	if f.Spoken {
		return dialog.Inner(f)
	}
	return max(1, errorsWidth(f)-4)
}

// newestRequest is the line for a shell of the newest failure that has one, to be copied.
func newestRequest(failures []failure, base string) *page.Copy {
	for _, one := range slices.Backward(failures) {
		e, ok := one.request()
		if !ok {
			continue
		}
		line, label := curl(e, base), "the curl line of the newest error"
		if plain(e.RequestID) {
			// A colon is the command that does nothing. What is copied is one line, so that no
			// shell begins with it when it is pasted.
			line += "; : request id " + e.RequestID
			label += ", with its request id"
		}
		return &page.Copy{Label: label, Text: models.NewSecret(line)}
	}
	return nil
}

// plain says that an id, which a server chose, is nothing but itself to a shell.
func plain(id string) bool {
	const known = "-_.:" + "0123456789" + "abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return id != "" && strings.Trim(id, known) == ""
}

// request is what failed, if it was a request.
func (f failure) request() (e *models.Error, ok bool) {
	e, ok = errors.AsType[*models.Error](f.err)
	return e, ok && e.Path != ""
}

// projectNames are the names of the projects that are listed, by their ids.
func (m *Model) projectNames() map[string]string {
	names := make(map[string]string, len(m.projects))
	for i := range m.projects {
		names[m.projects[i].ID] = m.projects[i].Name
	}
	return names
}

// said is the failure with the name of the project that a request was about in the place
// of its id.
func (f failure) said(names map[string]string) string {
	said := f.err.Error()
	if e, ok := f.request(); ok {
		_, rest, _ := strings.Cut(e.Path, "/projects/")
		id, _, _ := strings.Cut(rest, "/")
		if name := names[id]; name != "" {
			said = strings.Replace(said, id, name, 1)
		}
	}
	return style.Sentence(said)
}

func (f failure) lines(base string, times style.Times, names map[string]string) []dialog.Line {
	head := times.At(f.at)
	if f.times > 1 {
		head += fmt.Sprintf("  ×%d", f.times)
	}
	lines := []dialog.Line{{Tone: style.Muted, Text: head}, {Tone: style.Bad, Text: "✗ " + f.said(names)}}
	if advice := models.AdviceOf(f.err); advice != "" {
		lines = append(lines, dialog.Line{Text: advice})
	}
	e, ok := f.request()
	if !ok {
		return lines
	}
	request := e.Method + " " + e.Path
	if e.RequestID != "" {
		request += " · request id " + e.RequestID
	}
	return append(lines, dialog.Line{Tone: style.Muted, Text: request}, dialog.Line{Tone: style.Accent, Text: curl(e, base)})
}

// curl is the same request for a shell. The key is not in it: the shell's own variable
// stands in its place.
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
