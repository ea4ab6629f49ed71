package table

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const announcedPage = 10 // rows of a page without a screen

// Describe describes what [Model.Draw] draws, for the accessible mode.
func (m *Model[R]) Describe(f page.Frame, d Description[R]) announce.Description {
	m.list.setHeight(announcedPage)
	m.list.seen()
	s := m.scene(f, &d)
	out := announce.Description{
		ID: d.ID, Name: d.Name, Over: d.Over, News: d.News, Field: m.filter.line.Describe("Filter"),
	}
	row, ok := s.list.Selected()
	if ok && m.details.open {
		out.ID, out.Name, out.Over = [2]any{d.ID, "detail"}, "Details", true
		out.Hint = style.Sentence(announce.Key(f.Key("back"))) + ": back."
		out.Parts = []announce.Part{d.State, s.sayLapsed(row), s.sayDetails(row)}
		return out
	}
	out.Parts = []announce.Part{
		d.Scope,
		{Name: "summary", Text: saySummary(d.Summary), Quiet: true},
		d.State,
		{Name: "trouble", Text: sayTrouble(d.Trouble)},
		s.sayNote(),
		m.filter.describeKeys(),
		m.filter.describe(s.list.Matches(), s.countMatches()),
		m.filter.describeCompletion(),
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

// sayDetails describes open details. Their other tab is announced again when it has been read.
func (s *scene[R]) sayDetails(row R) announce.Part {
	p := announce.Part{Name: "row", Key: fmt.Sprint(s.list.key), Current: true}
	p.Text = strings.Join(append(s.sayOpened(row), s.sayPosition()), "\n")
	if s.details.rawOf(s.list.key) != nil {
		p.Key = p.Text
	}
	return p
}

// saySummary joins the parts of the line above the table with commas, but not after a colon.
func saySummary(parts []Part) (out string) {
	for _, p := range parts {
		text := cmp.Or(p.Announced, p.Text)
		if p.ScreenOnly || text == "" {
			continue
		}
		if strings.HasSuffix(out, ":") {
			out += " "
		} else if out != "" {
			out += ", "
		}
		out += text
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
	if s.d.Note.ScreenOnly || s.list.Len() == 0 {
		return announce.Part{}
	}
	part := s.d.Note.Announced
	part.Name, part.Text = cmp.Or(part.Name, "note"), cmp.Or(part.Text, s.d.Note.Text)
	return part
}

func (s *scene[R]) sayLapsed(row R) announce.Part {
	p := announce.Part{Name: "lapsed"}
	if s.list.lapsed {
		p.Key, p.Text = fmt.Sprint(s.list.key), lapsedNote+": "+s.config.Say(row, s.at(row))
	}
	return p
}

func (s *scene[R]) sayOrder() string {
	sentence := "Sorted by " + s.config.nameOf(s.list.want.column)
	switch {
	case s.list.want.reverse:
		return sentence + ", reversed."
	case s.list.want.column != DefaultOrder:
		return sentence + "."
	}
	return ""
}

func (s *scene[R]) sayEmpty() string {
	if s.list.Len() > 0 || s.filter.wrong != nil {
		return ""
	}
	e := s.empty()
	return announce.Sentence(e.Title) + "\n" + e.Body
}

// sayRow describes the selected row. While the selection follows the top, a new row there is not announced.
func (s *scene[R]) sayRow(row R) announce.Part {
	p := announce.Part{Name: "row", Key: fmt.Sprint(s.list.key), Current: true}
	if s.list.Following() && !s.list.Arranged() {
		p.Key = "the first row"
	}
	if s.list.marked[s.list.key] {
		p.Key += " marked"
		p.Text = "marked, "
	}
	p.Text += s.sayLine(row)
	position := s.sayPosition()
	if position != "" {
		p.Text += ", " + position
	}
	return p
}

// sayLine describes the selected row, or the fold that it begins.
func (s *scene[R]) sayLine(row R) string {
	if folded := s.list.folded(s.list.cursor); folded != nil {
		return fmt.Sprintf("%d rows in one line: %s; the newest: %s", len(folded), s.config.Fold.Say(folded), s.config.Say(row, s.at(row)))
	}
	return s.config.Say(row, s.at(row))
}

// sayPosition returns the position of the selection, "4 of 1,204".
func (s *scene[R]) sayPosition() string {
	if s.list.lapsed {
		return lapsedNote
	}
	position := s.list.position()
	if position == 0 {
		return ""
	}
	return style.Count(position) + " of " + style.Count(s.list.Matches())
}
