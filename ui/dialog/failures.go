package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// maxFailures is how many failures are remembered.
const maxFailures = 100

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

// NewFailures shows failures, newest first, each with what the service's support will ask
// for, and with a line that makes the same request from a shell. base is the address of the
// service, names are those of its projects by their ids, and copies puts such a line on the
// clipboard.
func NewFailures(f Failures, base string, names map[string]string, times func() style.Times, copies func(page.Copy)) *Viewer {
	f = slices.Clone(f)
	m := NewViewer("Errors, newest first", func(frame page.Frame) []string {
		var lines []Line
		for i, one := range slices.Backward(f) {
			lines = append(lines, one.lines(base, names, times())...)
			if i > 0 {
				lines = append(lines, Line{})
			}
		}
		return Paragraphs(frame, lines)
	})
	// A line for a shell is of use only in one piece.
	m.widest = func(frame page.Frame) int { return frame.Width }
	for _, one := range slices.Backward(f) {
		if e, ok := one.request(); ok {
			m.copies = func() { copies(copied(e, base)) }
			break
		}
	}
	return m
}

// copied is what is copied of the newest error that was a request: its line for a shell.
func copied(e *models.Error, base string) page.Copy {
	line, label := curl(e, base), "the curl line of the newest error"
	if selfQuoted(e.RequestID) {
		// A colon is the command that does nothing. What is copied is one line, so that no
		// shell begins with it when it is pasted.
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

// request is what failed, if it was a request.
func (f failure) request() (e *models.Error, ok bool) {
	e, ok = errors.AsType[*models.Error](f.err)
	return e, ok && e.Path != ""
}

// said is the failure with the name of the project that a request was about in place of its id.
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

func (f failure) lines(base string, names map[string]string, times style.Times) []Line {
	head := times.At(f.at)
	if f.times > 1 {
		head += fmt.Sprintf("  ×%d", f.times)
	}
	lines := []Line{{Tone: style.Muted, Text: head}, {Tone: style.Bad, Text: "✗ " + f.said(names)}}
	if advice := models.AdviceOf(f.err); advice != "" {
		lines = append(lines, Line{Text: advice})
	}
	e, ok := f.request()
	if !ok {
		return lines
	}
	request := e.Method + " " + e.Path
	if e.RequestID != "" {
		request += " · request id " + e.RequestID
	}
	return append(lines, Line{Tone: style.Muted, Text: request}, Line{Tone: style.Accent, Text: curl(e, base)})
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
