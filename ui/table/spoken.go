package table

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// spokenPage is how many rows a page down goes where no screen says how many there are.
const spokenPage = 10

// spokenPriority is up to which priority columns are said of a row.
const spokenPriority = 3

// Said are what a page adds in words to its table.
type Said struct {
	// ID and Name are the page's, Scope is whose rows these are, Summary is what its strip says, and State how current
	// the data is.
	ID      any
	Name    string
	Scope   announce.Part
	Summary []string
	State   announce.Part
	// Empty is said where rows would be, Nothing of a filter that nothing matches.
	Empty, Nothing Words
	// Trouble is what went wrong, and Notes what else there is to say.
	Trouble []error
	Notes   []announce.Part
	News    []announce.Event
}

// Spoken says in words what View draws.
func (m *Model[R, K]) Spoken(f page.Frame, t Said) announce.Description {
	m.list.SetHeight(spokenPage)
	m.list.Shown(m.Session.ServiceNow())
	scene := announce.Description{ID: t.ID, Name: t.Name, News: t.News, Field: m.filter.Spoken()}
	row, ok := m.list.Selected()
	if ok && m.open {
		scene.ID, scene.Name, scene.Over, scene.Hint = [2]any{t.ID, "detail"}, "Details", true, style.Sentence(announce.Key(f.Keys.Label(backKey())))+": back."
		key, _ := m.list.SelectedKey()
		scene.Parts = []announce.Part{t.State, m.spokenLapse(row, f.Now), {
			Name: "row", Key: fmt.Sprint(key), Current: true,
			Text: strings.Join(append(m.detail(f, Parts[R]{}, row).Said(), m.place()), "\n"),
		}}
		return scene
	}
	scene.Parts = append([]announce.Part{
		t.Scope,
		{Name: "summary", Text: strings.Join(t.Summary, ", "), Quiet: true},
		t.State,
		{Name: "trouble", Text: troubles(t.Trouble)},
	}, t.Notes...)
	if m.filter.Editing() {
		scene.Parts = append(scene.Parts, announce.Part{Name: "editing", Text: "Enter keeps the filter, Escape shows all rows."})
	}
	scene.Parts = append(scene.Parts, m.spokenView(f, t)...)
	if ok && !m.filter.Editing() {
		scene.Parts = append(scene.Parts, m.spokenLapse(row, f.Now), m.spokenRow(f, row))
	}
	return scene
}

// spokenLapse says what became of the selected row when it ceases to match.
func (m *Model[R, K]) spokenLapse(row R, now time.Time) announce.Part {
	p := announce.Part{Name: "lapsed"}
	if m.list.Lapsed() {
		key, _ := m.list.SelectedKey()
		p.Key, p.Text = fmt.Sprint(key), Lapsed+": "+m.say(row, now)
	}
	return p
}

func troubles(errs []error) string {
	var out []string
	for _, err := range errs {
		if err != nil {
			out = append(out, "error: "+err.Error())
		}
	}
	return strings.Join(out, "\n")
}

// spokenView says which rows are shown, in which order, and how many are marked.
func (m *Model[R, K]) spokenView(f page.Frame, t Said) []announce.Part {
	filter, order, empty := "", "", ""
	if m.filter.Shown() && m.filter.Query() != "" {
		filter = fmt.Sprintf("%s of %s match the filter %s.", Count(m.list.Matches()), Count(m.list.Total()), m.filter.Query())
	}
	switch {
	case m.wrong != nil:
		filter = "This is not a filter yet: " + m.wrong.Message
	case m.hint != nil && m.filter.Editing():
		filter = m.hint.Message
	}
	if column, reverse := m.list.Sorted(); column != DefaultOrder || reverse {
		order = "Sorted by " + m.Natural
		if column != DefaultOrder {
			order = "Sorted by " + strings.ToLower(m.Columns[column].Title)
		}
		if reverse {
			order += ", the other way round"
		}
		order += "."
	}
	switch {
	case m.list.Len() > 0, m.wrong != nil:
	case m.Filtered() && m.Source.Len() > 0:
		w := nothing(t.Nothing)
		empty = w.Title + " " + style.Sentence(announce.Key(f.Keys.Label(backKey()))) + " shows all rows again. " + w.Body
	default:
		empty = announce.Sentences(t.Empty.Title) + "\n" + t.Empty.Body
	}
	marks := announce.Part{Name: "marks", Text: strings.TrimPrefix(m.marks(), "● ")}
	return []announce.Part{
		{Name: "filter", Text: filter, Key: m.filterKey(filter)}, {Name: "order", Text: order}, marks, {Name: "empty", Text: empty},
	}
}

// filterKey leaves out how many rows there are besides those that match: they change with
// every poll.
func (m *Model[R, K]) filterKey(said string) string {
	if m.wrong != nil || m.hint != nil || m.filter.Query() == "" {
		return said
	}
	if m.filter.Editing() {
		m.typed = m.filter.Query() + " " + Count(m.list.Matches())
		return m.typed
	}
	// What was said while it was typed is not said again when it is kept.
	return cmp.Or(m.typed, m.filter.Query()+" kept")
}

// spokenRow is the selected row. While the feed is followed it is whichever is the first:
// that another one came is said as news.
func (m *Model[R, K]) spokenRow(f page.Frame, row R) announce.Part {
	key, _ := m.list.SelectedKey()
	p := announce.Part{Name: "row", Key: fmt.Sprint(key), Current: true}
	if m.list.Following() && !m.list.Arranged() {
		p.Key = "the first row"
	}
	if m.list.IsMarked(row) {
		p.Text = "marked, "
		p.Key += " marked"
	}
	p.Text += m.say(row, f.Now)
	if place := m.place(); place != "" {
		p.Text += ", " + place
	}
	return p
}

// place is where the selection is among the rows that match, "4 of 1,204".
func (m *Model[R, K]) place() string {
	switch {
	case m.list.Lapsed():
		return Lapsed
	case m.list.Place() == 0:
		return ""
	}
	return Count(m.list.Place()) + " of " + Count(m.list.Matches())
}

// say is a row in words.
func (m *Model[R, K]) say(row R, now time.Time) string {
	if m.Say != nil {
		return m.Say(row, now)
	}
	return m.SayCells(row, now)
}

// SayCells is the columns of a row in words, the first as it is, the others with their
// titles.
func (m *Model[R, K]) SayCells(row R, now time.Time) string {
	var parts []string
	for i, c := range m.Columns {
		cell, _ := c.Cell(row, now)
		switch {
		case c.Hidden, c.Priority > spokenPriority, cell == "", cell == style.None:
		case i == 0:
			parts = append(parts, cell)
		default:
			parts = append(parts, strings.ToLower(c.Title)+" "+cell)
		}
	}
	return strings.Join(parts, ", ")
}
