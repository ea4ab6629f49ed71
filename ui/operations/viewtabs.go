package operations

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const tabsFrom = 26 // the least lines of a page with the tabs of the views

// line draws as many tabs as fit, including the one in force, and for how long what they count is complete.
func (v *views) line(f page.Frame) string {
	all := v.every()
	current, _ := v.current()
	labels := make([]string, len(all))
	for i, view := range all {
		labels[i] = " " + view.Name + " "
		if n, known := v.counts[view.Name]; known {
			labels[i] += count(n) + " "
		}
	}
	first, at := 0, query.ViewIndex(all, current.Name)
	for first < at && style.Width(strings.Join(labels[first:at+1], "")) > f.Width {
		first++
	}
	var b strings.Builder
	v.tabs = v.tabs[:0]
	end := 0
	for i := first; i < len(all); i++ {
		tone := style.Muted
		if i == at {
			tone = style.Selected
		}
		if end += style.Width(labels[i]); end > f.Width {
			break
		}
		b.WriteString(f.Theme.Paint(tone, labels[i]))
		v.tabs = append(v.tabs, viewTab{all[i], end})
	}
	line := b.String()
	complete := v.extent().completeFor(f.Now) + " "
	if width := style.Width(line); width+apart+style.Width(complete) <= f.Width {
		line = style.Fit(line, f.Width-style.Width(complete)) + f.Theme.Paint(style.Muted, complete)
	}
	return style.Fit(line, f.Width)
}

// draw draws the tabs above the rest of a page, if there is room.
func (v *views) draw(f page.Frame, rest func(page.Frame) []string) []string {
	if f.Height < tabsFrom {
		v.tabs = nil
		return rest(f)
	}
	line := v.line(f)
	f.Height--
	return append([]string{line}, rest(f)...)
}

// clicked returns the view of the tab that was clicked.
func (v *views) clicked(msg tea.Msg) (view query.SavedView, ok bool) {
	at, ok := msg.(page.Click)
	if !ok || len(v.tabs) == 0 || at.Y != 0 {
		return query.SavedView{}, false
	}
	i := slices.IndexFunc(v.tabs, func(t viewTab) bool { return at.X < t.end })
	if i < 0 {
		return query.SavedView{}, false
	}
	return v.tabs[i].view, true
}

// below translates a mouse message to the coordinates below the tabs.
func (v *views) below(msg tea.Msg) tea.Msg {
	if len(v.tabs) == 0 {
		return msg
	}
	switch at := msg.(type) {
	case page.Click:
		at.Y--
		return at
	case page.Wheel:
		at.Y--
		return at
	}
	return msg
}

// count counts the views off the UI's goroutine, once the count before is finished.
func (v *views) count() tea.Cmd {
	if v.again = v.busy; v.busy || v.timeline().Read() == 0 {
		return nil
	}
	v.busy = true
	wanted := map[string]func(*row, time.Time) bool{}
	for _, view := range v.every() {
		if matches := v.matching(view); matches != nil {
			wanted[view.Name] = matches
		}
	}
	loaded, facts := v.timeline().Rows(), v.rows.facts
	from := v.extent().counted()
	now, of := v.session.Times.In(v.session.ServiceNow()), v.timeline()
	return v.session.DoQuietly(page.Operations, func(context.Context) tea.Msg {
		out := viewCounts{of: of, counts: make(map[string]int, len(wanted))}
		for name := range wanted {
			out.counts[name] = 0
		}
		r := &row{Operation: query.Operation{Facts: facts}}
		for i := range loaded.Len() {
			if loaded.PlacedAt(i).Before(from) {
				break
			}
			r.Op, r.Project, r.AsOf = loaded.At(i), loaded.ProjectAt(i), loaded.AsOf(i)
			for name, matches := range wanted {
				if matches(r, now) {
					out.counts[name]++
				}
			}
		}
		return out
	})
}

// matching returns the filter of a view, or nil if the view's operations are not the loaded ones.
func (v *views) matching(view query.SavedView) func(*row, time.Time) bool {
	q, wrong := query.Parse(view.Filter, fields(v.timeline))
	project := view.Project
	switch {
	case wrong != nil, project == query.AllProjects && !v.all():
		return nil
	case project == "", project == query.AllProjects, project == v.project.ID:
		return q.Match
	case !v.all():
		return nil
	}
	return func(r *row, now time.Time) bool { return r.Project == project && q.Match(r, now) }
}

// counted takes in the counts, unless they are of another scope, and counts again if something has changed meanwhile.
func (v *views) counted(msg viewCounts) tea.Cmd {
	v.busy = false
	if msg.of == v.timeline() {
		v.counts = msg.counts
	} else {
		v.again = true
	}
	if !v.again {
		return nil
	}
	return v.count()
}
