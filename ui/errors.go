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
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/viewer"
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
		return m.notify(page.Notice{Tone: theme.Good, Text: "✓ nothing has failed", Here: true})
	}
	failures, base := m.failures, m.profile.BaseURL
	m.dialogs = append(m.dialogs, viewer.New("Errors, newest first", func(f page.Frame) []string {
		var lines []string
		for _, one := range slices.Backward(failures) {
			lines = append(append(lines, ""), dialog.Paragraphs(f, one.lines(base))...)
		}
		return append(lines, "")
	}))
	return nil
}

func (f failure) lines(base string) []dialog.Line {
	head := f.at.UTC().Format("15:04:05 UTC")
	if f.times > 1 {
		head += fmt.Sprintf("  ×%d", f.times)
	}
	lines := []dialog.Line{{Tone: theme.Muted, Text: head}, {Tone: theme.Bad, Text: "✗ " + text.Sentence(f.err.Error())}}
	if advice := models.AdviceOf(f.err); advice != "" {
		lines = append(lines, dialog.Line{Text: advice})
	}
	e, ok := errors.AsType[*models.Error](f.err)
	if !ok || e.Path == "" {
		return lines
	}
	request := e.Method + " " + e.Path
	if e.RequestID != "" {
		request += " · request id " + e.RequestID
	}
	return append(lines, dialog.Line{Tone: theme.Muted, Text: request}, dialog.Line{Tone: theme.Accent, Text: curl(e, base)})
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
