package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	maxAlerts  = 1000             // how many are kept to be read again
	bell       = "\a"             // rings the terminal's bell
	alertRuns  = 10               // how many programs of a view run at once
	alertRunIn = 30 * time.Second // the longest time of a program
)

// alerts are the alerts of a session, and the programs that views run for them.
type alerts struct {
	all   []*alert  // the newest first
	until time.Time // the end of muting: until then, alerts are only listed
	runs  map[string]*viewRuns
	// unseen is the last failure that the user was alerted to and has not looked at, or empty.
	unseen string
}

// alert is an operation or an API key of an alert, or what failed for one.
type alert struct {
	page.Found

	reasons   []string  // the views that it matched, the first one first, or another reason
	operation bool      // the alert is about the operation itself: there is one for each operation
	at        time.Time // by the service's clock
}

// list adds an alert to the list. An operation has one line: news of it move the line to the top, and a match of another
// view does not.
func (a *alerts) list(e page.Alert, now time.Time) {
	lines := map[feed.Key]*alert{} // of the operations
	for _, entry := range a.all {
		if entry.operation {
			lines[entry.About] = entry
		}
	}
	var fresh []*alert
	moved := map[*alert]bool{}
	for _, found := range e.Found {
		operation := found.Values != nil && found.About.ID != ""
		entry := &alert{found, []string{e.Reason}, operation, now}
		entry.Values = nil // only its program needs them
		if earlier := lines[entry.About]; earlier != nil && entry.operation {
			if !slices.Contains(earlier.reasons, e.Reason) {
				earlier.reasons = append(earlier.reasons, e.Reason)
			}
			if earlier.Text == entry.Text {
				continue
			}
			entry.reasons, moved[earlier] = earlier.reasons, true
		}
		if entry.operation {
			lines[entry.About] = entry
		}
		fresh = append(fresh, entry)
	}
	slices.Reverse(fresh)
	a.all = slices.DeleteFunc(append(fresh, a.all...), func(entry *alert) bool { return moved[entry] })
	a.all = slices.Delete(a.all, min(len(a.all), maxAlerts), len(a.all)) // also frees their memory
}

// muted returns for how long alerts are only listed.
func (a *alerts) muted(now time.Time) time.Duration { return max(0, a.until.Sub(now)) }

// actions declares the actions for alerts.
func (a *alerts) actions(s *session, c *clock) []*action.Action {
	none := func() bool { return len(a.all) == 0 }
	heard := func() bool { return a.muted(c.now) == 0 }
	mute := func(d time.Duration) tea.Cmd { return a.mute(s, c.now, d) }
	steps := []time.Duration{30 * time.Minute, time.Hour, 4 * time.Hour}
	return []*action.Action{
		{
			ID: "alerts", Title: "show alerts", Keywords: []string{"notifications"}, Disabled: action.If(none, "no alerts yet"),
			Run: action.DoWith(a.show, s),
		},
		{
			ID: "mute", Title: "mute alerts", Keywords: []string{"bell", "sound", "silence", "notifications"},
			Arg: action.Duration("1h", steps, action.Within(time.Minute, 24*time.Hour), mute),
		},
		{
			ID: "unmute", Title: "unmute alerts",
			Disabled: action.If(heard, "alerts are not muted"),
			Run:      action.DoWith(a.unmute, s),
		},
	}
}

func (a *alerts) mute(s *session, now time.Time, d time.Duration) tea.Cmd {
	a.until = now.Add(d)
	s.Notify(style.Muted, "Alerts are muted for "+style.DurationWords(d)+", and only listed (:alerts)")
	return nil
}

func (a *alerts) unmute(s *session) {
	a.until = time.Time{}
	s.Notify(style.Muted, "Alerts are no longer muted")
}

// show lists the alerts, with similar ones in one line.
func (a *alerts) show(s *session) {
	var events dialog.Events
	for _, entry := range slices.Backward(a.all) {
		events.Add(entry.event(s))
	}
	s.openEvents("Alerts, newest first", events)
}

// event returns the alert for the list of alerts.
func (a *alert) event(s *session) *dialog.Event {
	e := &dialog.Event{
		At: a.at, Sign: a.Sign, Many: "projects", Text: cmp.Or(a.Brief, a.Text), Nowhere: "it is about no operation",
		About: a.lines,
	}
	if a.Sign.Glyph == "" {
		e.Sign = style.Status{Glyph: "!", Tone: style.Waiting}
	}
	if a.Subject != "" {
		e.Subjects = []string{a.Subject}
	}
	switch {
	case a.APIKey.ID != 0:
		e.Many, e.Apart, e.Target = "API keys", "API key", "the API key"
	case a.About.ID != "":
		e.Target = "the operation"
	}
	if e.Target != "" {
		e.Follow = func() { s.followAlert(a) }
	}
	return e
}

// lines returns the alert in full, with the views that it matched.
func (a *alert) lines() []dialog.Line {
	return []dialog.Line{
		{Tone: a.Sign.Tone, Text: a.Text}, {Tone: style.Muted, Text: strings.Join(a.reasons, ", ")},
	}
}

// followAlert shows the API key or the operation of an alert.
func (s *session) followAlert(entry *alert) {
	if entry.APIKey.ID != 0 && s.live() {
		s.Emit(page.ShowKey{Ref: entry.APIKey})
		return
	}
	if entry.About.ID != "" {
		s.follow(entry.About)
	}
}

// viewRuns are the programs that a view runs.
type viewRuns struct {
	view    string
	program []string // and its arguments, with placeholders
	rings   bool     // the view wants the bell
	running int
	waiting int        // the number of operations for which no program was started
	newest  page.Found // the newest of these
}

// run runs the program of a view for each operation that was found. While [alertRuns] programs run, the operations wait, and
// the next program is for all of them. The demo runs no programs: its failures are not real.
func (a *alerts) run(e page.Alert, s *session) tea.Cmd {
	if len(e.Run) == 0 {
		return nil
	}
	r, found := a.runs[e.Reason]
	if !found {
		if a.runs == nil {
			a.runs = map[string]*viewRuns{}
		}
		r = &viewRuns{view: e.Reason}
		a.runs[e.Reason] = r
	}
	r.program, r.rings = e.Run, e.Rings // the configuration may have been read again
	if s.profile.Demo {
		if !found {
			text := "The demo does not run " + models.ProgramName(e.Run[0]) + " for the view " + e.Reason
			found := []page.Found{{Text: text, About: e.Found[0].About}}
			s.Emit(page.Alert{Reason: e.Reason, Tone: style.Waiting, Text: text, Rings: e.Rings, Found: found})
		}
		return nil
	}
	var cmds []tea.Cmd
	left := page.Alert{Reason: e.Reason, Tone: style.Bad, Rings: e.Rings}
	for _, found := range e.Found {
		if _, err := r.arguments(found, 1); err != nil {
			name, about := models.ProgramName(r.program[0]), strings.TrimPrefix(found.Text, "✗ ")
			text := fmt.Sprintf("%s was not run (%s): %v", name, about, err)
			left.Found = append(left.Found, page.Found{Text: text, Sign: wrong(), Subject: found.Subject, About: found.About})
			continue
		}
		r.waiting++
		r.newest = found
		if r.running < alertRuns {
			cmds = append(cmds, r.start(s))
		}
	}
	if others := len(left.Found) - 1; others >= 0 {
		left.Text = r.view + ": ✗ " + left.Found[0].Text
		if others > 0 {
			left.Text += fmt.Sprintf(" (and %d more)", others)
		}
		s.Emit(left)
	}
	return tea.Batch(cmds...)
}

// AlertPlaceholders returns the names that stand for something of an alert in the arguments of the program of a view of a
// page, besides those of the operation or the key.
func AlertPlaceholders(id page.ID) []string {
	if id == page.APIKeys {
		return []string{"view", "count", "event"}
	}
	return []string{"view", "count"}
}

// arguments returns the program and its arguments for an operation, the newest of count, or an error if it has a field
// that the program would take for an option.
func (r *viewRuns) arguments(finding page.Found, count int) ([]string, error) {
	values := models.Fields{"view": r.view, "count": strconv.Itoa(count)}
	for name := range finding.Values {
		values[name] = cmp.Or(finding.Values.Text(name), style.None)
	}
	return models.Arguments(r.program, values, false)
}

// start runs the program for the operations that wait, with the fields of the newest one.
func (r *viewRuns) start(s *session) tea.Cmd {
	programs, run := s.options.Programs, viewRunEnded{view: r.view, about: r.newest.About}
	args, err := r.arguments(r.newest, r.waiting)
	run.err = err
	r.waiting = 0
	r.running++
	return s.current.DoAnyway(page.Operations, func(ctx context.Context) (msg tea.Msg, late func()) {
		return run.end(ctx, programs, args), nil
	})
}

// wrong is the sign of a program that failed.
func wrong() style.Status { return style.Status{Glyph: "✗", Tone: style.Bad} }

// viewRunEnded is the result of a program of a view.
type viewRunEnded struct {
	view   string
	about  feed.Key
	output string
	err    error
}

// end runs the program, unless its arguments are wrong, and returns the result.
func (e viewRunEnded) end(ctx context.Context, programs Programs, args []string) viewRunEnded {
	if e.err == nil {
		ctx, cancel := context.WithTimeout(ctx, alertRunIn)
		defer cancel()
		e.output, e.err = programs.Run(ctx, args)
	}
	return e
}

// ended records the end of a program, and starts the next one for the operations that came meanwhile. A failure is an alert,
// too.
func (a *alerts) ended(e viewRunEnded, s *session) tea.Cmd {
	r := a.runs[e.view]
	r.running--
	if e.err != nil {
		failed := endNotice(models.ProgramName(r.program[0]), e.err, e.output)
		s.Emit(page.Alert{
			Reason: r.view, Tone: failed.Tone, Text: r.view + ": " + failed.Text, Rings: r.rings,
			Found: []page.Found{{
				Text: failed.Text, Sign: wrong(), Brief: strings.TrimPrefix(failed.Text, wrong().Glyph+" "), About: e.about,
			}},
		})
	}
	if r.waiting == 0 {
		return nil
	}
	return r.start(s)
}
