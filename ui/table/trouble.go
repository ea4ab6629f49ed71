package table

import (
	"strings"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Foot draws the lines below the rows: what went wrong, a line each, then what there is
// to say, and where the selection is among the rows, "4 / 1,204". Without rows there are
// none, because the words in their place say it all.
func (m *Model[R, K]) Foot(f page.Frame, said string, errs ...error) []string {
	if m.list.Len() == 0 {
		return nil
	}
	var out []string
	for _, err := range errs {
		if err != nil {
			more := f.Theme.Paint(style.Muted, f.Keys.Label(page.ErrorsKey())+" errors ")
			room := f.Width - style.Width(more) - 1
			out = append(out, style.Ends(f.Theme.Paint(style.Bad, style.Cut(" ✗ "+err.Error(), room)), more, f.Width))
		}
	}
	if marks := m.marks(); marks != "" {
		said = strings.TrimRight(" "+f.Theme.Paint(style.Accent, marks)+"   "+strings.TrimLeft(said, " "), " ")
	}
	at := style.None
	if n := m.list.Place(); n > 0 {
		at = Count(n)
	}
	place := at + " " + f.Theme.Paint(style.Muted, "/ "+Count(m.list.Matches())+" ")
	return append(out, style.Ends(said, place, f.Width))
}

// marks says how many rows are marked, and how many of them cannot be seen.
func (m *Model[R, K]) marks() string {
	n := m.list.CountMarked()
	if n == 0 {
		return ""
	}
	said := "● " + Count(n) + " marked"
	if hidden := m.list.HiddenMarks(); hidden > 0 {
		said += ", " + Count(hidden) + " of them hidden by the filter"
	}
	return said
}

// Failure is an error in the place of the rows that it cost, with what to do next: what
// the kind of error suggests, then what the page offers.
func Failure(err error, next string) Words {
	return Words{
		Tone:  style.Bad,
		Title: "✗ " + err.Error(),
		Body:  strings.TrimSpace(models.AdviceOf(err) + " " + next),
	}
}
