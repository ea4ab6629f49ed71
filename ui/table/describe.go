package table

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	announcedPage     = 10 // rows of a page without a screen
	announcedPriority = 3  // the highest priority of announced columns
)

// Describe puts into words what [Model.Draw] draws.
func (m *Model[R]) Describe(f page.Frame, d Description[R]) announce.Description {
	m.setHeight(announcedPage)
	m.seen()
	s := scene[R]{table: m, f: f, d: &d}
	out := announce.Description{ID: d.ID, Name: d.Name, Over: d.Over, News: d.News, Field: m.line.Describe("Filter")}
	row, ok := m.Selected()
	if ok && m.open {
		out.ID, out.Name, out.Over = [2]any{d.ID, "detail"}, "Details", true
		out.Hint = style.Sentence(announce.Key(f.Key("back"))) + ": back."
		text := strings.Join(append(s.sayOpened(row), s.sayPlace()), "\n")
		key := fmt.Sprint(m.key)
		if m.rawShown() {
			key = text
		}
		out.Parts = []announce.Part{
			d.State, s.sayLapsed(row), {Name: "row", Key: key, Current: true, Text: text},
		}
		return out
	}
	editing := announce.Part{Name: "editing"}
	if m.Editing() {
		editing.Text = "Enter: apply the filter. Escape: show all rows. Tab: complete."
		if len(s.table.Examples) > 0 {
			editing.Text += " Examples: " + strings.Join(s.table.Examples, "; ") + "."
		}
	}
	out.Parts = []announce.Part{
		d.Scope,
		{Name: "summary", Text: saySummary(d.Summary), Quiet: true},
		d.State,
		{Name: "trouble", Text: sayTrouble(d.Trouble)},
		s.sayNote(),
		editing,
		s.sayFilter(),
		{Name: "completion", Text: s.sayCompletion()},
		{Name: "order", Text: s.sayOrder()},
		{Name: "marks", Text: s.countMarks()},
		{Name: "empty", Text: s.sayEmpty()},
		d.Picture,
	}
	if ok && !m.Editing() {
		out.Parts = append(out.Parts, s.sayLapsed(row), s.sayRow(row))
	}
	return out
}

// saySummary joins the parts of the line above the table with commas, but not after a colon.
func saySummary(parts []Part) (out string) {
	for _, p := range parts {
		said := cmp.Or(p.Announced, p.Text)
		if p.ScreenOnly || said == "" {
			continue
		}
		if strings.HasSuffix(out, ":") {
			out += " "
		} else if out != "" {
			out += ", "
		}
		out += said
	}
	return out
}

func sayTrouble(errs []error) string {
	if err := errors.Join(errs...); err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), "\n", "\nerror: ")
	}
	return ""
}

func (s *scene[R]) sayNote() announce.Part {
	if s.d.Note.ScreenOnly || s.table.Len() == 0 {
		return announce.Part{}
	}
	said := s.d.Note.Announced
	said.Name, said.Text = cmp.Or(said.Name, "note"), cmp.Or(said.Text, s.d.Note.Text)
	return said
}

func (s *scene[R]) sayLapsed(row R) announce.Part {
	p := announce.Part{Name: "lapsed"}
	if s.table.lapsed {
		p.Key, p.Text = fmt.Sprint(s.table.key), Lapsed+": "+s.table.Say(row, s.at(row))
	}
	return p
}

// sayFilter describes the filter. Its key omits the total, which changes with every poll.
func (s *scene[R]) sayFilter() announce.Part {
	p := announce.Part{Name: "filter"}
	switch {
	case s.table.wrong != nil:
		p.Text = "Invalid filter: " + s.table.wrong.Message
	case s.table.query.Hint() != nil && s.table.Editing():
		p.Text = s.table.query.Hint().Message
	case s.table.Query() != "":
		p.Text = s.countMatches() + " match the filter " + s.table.Query() + "."
		if s.table.Editing() {
			s.table.typed = s.table.Query() + " " + style.Count(s.table.Matches())
		}
		// What was announced while it was typed is not repeated when the filter is kept.
		p.Key = cmp.Or(s.table.typed, s.table.Query()+" kept")
	}
	return p
}

// sayCompletion describes how the typed text can be completed.
func (s *scene[R]) sayCompletion() string {
	const most = 5
	words, taken := s.table.line.Proposals()
	switch {
	case !s.table.Editing() || s.table.Query() == "" || len(words) == 0:
		return ""
	case taken >= 0:
		return fmt.Sprintf("Completed: %s, %d of %d.", words[taken], taken+1, len(words))
	case len(words) > most:
		words = append(words[:most:most], "and more")
	}
	return "Tab completes: " + strings.Join(words, ", ") + "."
}

func (s *scene[R]) sayOrder() string {
	switch said := "Sorted by " + s.table.nameOf(s.table.want.column); {
	case s.table.want.reverse:
		return said + ", reversed."
	case s.table.want.column != DefaultOrder:
		return said + "."
	}
	return ""
}

func (s *scene[R]) sayEmpty() string {
	if s.table.Len() > 0 || s.table.wrong != nil {
		return ""
	}
	e := s.empty()
	return announce.Sentence(e.Title) + "\n" + e.Body
}

// sayRow describes the selected row. While the top is followed, the next row there is not announced.
func (s *scene[R]) sayRow(row R) announce.Part {
	p := announce.Part{Name: "row", Key: fmt.Sprint(s.table.key), Current: true}
	if s.table.Following() && !s.table.Arranged() {
		p.Key = "the first row"
	}
	if s.table.marked[s.table.key] {
		p.Key += " marked"
		p.Text = "marked, "
	}
	p.Text += s.table.Say(row, s.at(row))
	if place := s.sayPlace(); place != "" {
		p.Text += ", " + place
	}
	return p
}

// sayPlace returns the position of the selection, "4 of 1,204".
func (s *scene[R]) sayPlace() string {
	switch place := s.table.place(); {
	case s.table.lapsed:
		return Lapsed
	case place > 0:
		return style.Count(place) + " of " + style.Count(s.table.Matches())
	}
	return ""
}

// SayCells puts the cells of a row into words: the first as it is, the others with their titles.
func (m *Model[R]) SayCells(row R, now time.Time) string {
	var parts []string
	order, _ := m.columnOrder()
	for _, i := range order {
		c := m.Columns[i]
		cell, _ := c.Cell(row, now)
		switch {
		case c.hidden(), c.Drawn, c.Priority > announcedPriority && len(m.Chosen()) == 0, cell == "", cell == style.None:
		case i == 0:
			parts = append(parts, cell)
		default:
			parts = append(parts, strings.ToLower(c.Title)+" "+cell)
		}
	}
	return strings.Join(parts, ", ")
}
