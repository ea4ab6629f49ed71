package operations

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const tabsFrom = 26 // the least lines of a page with the tabs of the views

// viewTabs are the views in a line above the page, with the operations of the range that each has.
type viewTabs struct {
	viewCounts

	tabs []viewTab // as last drawn
	told bool      // the line, as last drawn, shows for how long the counts are complete
}

// viewTab is a tab, and the cell that it ends before.
type viewTab struct {
	view query.SavedView
	end  int
}

// line draws as many tabs as fit, including the one in force, and for how long their counts are complete.
func (v *viewTabs) line(f page.Frame, e extent) string {
	views := v.views.every()
	current, _ := v.views.current()
	labels := make([]string, len(views))
	for i, view := range views {
		labels[i] = " " + view.Name + " "
		n, counted := v.counts[view.Name]
		if counted {
			labels[i] += count(n) + " "
		}
	}
	first, chosen := 0, query.ViewIndex(views, current.Name)
	for first < chosen && style.Width(strings.Join(labels[first:chosen+1], "")) > f.Width {
		first++
	}
	var b strings.Builder
	v.tabs = v.tabs[:0]
	end := 0
	for i := first; i < len(views); i++ {
		tone := style.Muted
		if i == chosen {
			tone = style.Selected
		}
		end += style.Width(labels[i])
		if end > f.Width {
			break
		}
		b.WriteString(f.Theme.Paint(tone, labels[i]))
		v.tabs = append(v.tabs, viewTab{views[i], end})
	}
	line := b.String()
	for _, complete := range []string{e.completeFor(f.Now) + " ", e.brief(f.Now) + " "} {
		if style.Width(line)+apart+style.Width(complete) <= f.Width {
			v.told = true
			return style.Fit(line, f.Width-style.Width(complete)) + f.Theme.Paint(style.Muted, complete)
		}
	}
	return style.Fit(line, f.Width)
}

// clicked returns the view of the tab that was clicked.
func (v *viewTabs) clicked(msg tea.Msg) (view query.SavedView, ok bool) {
	click, ok := msg.(page.Click)
	if !ok || click.Y != 0 {
		return query.SavedView{}, false
	}
	for _, tab := range v.tabs {
		if click.X < tab.end {
			return tab.view, true
		}
	}
	return query.SavedView{}, false
}

// below translates a mouse message to the coordinates below some lines.
func below(msg tea.Msg, lines int) tea.Msg {
	switch mouse := msg.(type) {
	case page.Click:
		mouse.Y -= lines
		return mouse
	case page.Wheel:
		mouse.Y -= lines
		return mouse
	}
	return msg
}
