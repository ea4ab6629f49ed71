package table

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"pgtower/models"
	"pgtower/ui/style"
)

// Field is a label with its value.
type Field struct {
	Label, Value string
	Announced    string // in place of Value in the accessible mode, if not empty
	Tone         style.Tone
	Linked       bool // to [Record.Link]
}

// Record is the details of a row: its state, what that means, and all of its fields.
type Record struct {
	Title, State, Note            string     // Note is below State
	Error                         string     // the reason for the state, between State and Note
	Tone                          style.Tone // of State
	AnnouncedState, AnnouncedNote string     // in place of State and Note in the accessible mode, if not empty
	// Facts are the answers to the first questions of a user: where, when, what is usual. They are above About and Fields.
	Facts  []Field
	About  string
	Fields []Field
	Damage string // what of the record could not be read
	Link   string // the address behind the linked fields, or ""
	// Chart draws lines of at most width cells. It shows nothing that the fields do not say, as it is not announced. May be nil.
	Chart func(th *style.Theme, width int) []string
	First bool // the chart is above the fields
}

func (r Record) damage() string {
	if r.Damage == "" {
		return ""
	}
	return "Parts of this record could not be read: " + r.Damage + "."
}

// lines draws the record. Values are wrapped, never cut: the user may want to copy them.
func (r Record) lines(th *style.Theme, width int) (out []string) {
	head, whole := r.head(th, width)
	out = append(out, th.Paragraph(style.Strong, head, width)...)
	if whole {
		out = []string{head}
	}
	return append(out, r.below(th, width, !whole)...)
}

// head returns the title with the state, painted; or the title alone, if a line has no room for both.
func (r Record) head(th *style.Theme, width int) (head string, whole bool) {
	if r.State == "" || style.Width(r.Title)+2+style.Width(r.State) > width {
		return r.Title, false
	}
	return th.Paint(style.Strong, r.Title) + "  " + th.Paint(r.Tone, r.State), true
}

// below draws what is below the title: the state, unless that is beside it, the facts and the fields.
func (r Record) below(th *style.Theme, width int, state bool) (out []string) {
	if state {
		out = paragraph(th, r.Tone, "", r.State, width)
	}
	out = append(out, paragraph(th, style.Bad, "", r.Error, width)...)
	out = append(out, paragraph(th, style.Muted, "", r.Note, width)...)
	label := labels(r.Facts, r.Fields)
	out = append(out, r.fields(th, width, label, r.Facts)...)
	out = append(out, paragraph(th, style.Muted, "\n", r.About, width)...)
	out = append(out, paragraph(th, style.Bad, "\n", r.damage(), width)...)
	parts := [][]string{r.fields(th, width, label, r.Fields)}
	if r.Chart != nil {
		parts = append(parts, r.Chart(th, width))
	}
	if r.First {
		slices.Reverse(parts)
	}
	for _, part := range parts {
		out = append(append(out, ""), part...)
	}
	return out
}

// paragraph draws a text after a prefix, or nothing for an empty one.
func paragraph(th *style.Theme, tone style.Tone, prefix, text string, width int) []string {
	if text == "" {
		return nil
	}
	return th.Paragraph(tone, prefix+text, width)
}

// labels returns the width of the column of labels, with the space behind it.
func labels(lists ...[]Field) (cells int) {
	for _, list := range lists {
		for _, f := range list {
			cells = max(cells, style.Width(f.Label)+2)
		}
	}
	return cells
}

func (r Record) fields(th *style.Theme, width, label int, fields []Field) (out []string) {
	const least, indent = 16, 2 // values with fewer cells go below their labels
	for _, f := range fields {
		name, named := f.Label, label
		if width-label < least {
			out = append(out, th.Paint(style.Muted, style.Cut(name, width)))
			name, named = "", indent
		}
		for _, line := range th.Paragraph(f.Tone, f.Value, width-named) {
			if f.Linked {
				line = th.Link(r.Link, line)
			}
			out = append(out, th.Paint(style.Muted, style.Fit(name, named))+line)
			name = ""
		}
	}
	return out
}

// said returns the lines that announce the record.
func (r Record) said() []string {
	lines := []string{
		r.Title, cmp.Or(r.AnnouncedState, r.State), r.Error, cmp.Or(r.AnnouncedNote, r.Note),
	}
	lines = append(lines, saidFields(r.Facts)...)
	return append(append(lines, r.About, r.damage()), saidFields(r.Fields)...)
}

func saidFields(fields []Field) (lines []string) {
	for _, f := range fields {
		value := cmp.Or(f.Announced, f.Value)
		if value == style.None {
			value = "none"
		}
		lines = append(lines, strings.ReplaceAll(f.Label, "_", " ")+": "+value)
	}
	return lines
}

// EmptyState is shown instead of rows. Body is the advice for the user.
type EmptyState struct {
	Tone        style.Tone
	Title, Body string
}

// Failure returns the empty state for an error, with what to do next.
func Failure(err error, next string) EmptyState {
	return EmptyState{style.Bad, "✗ " + err.Error(), strings.TrimSpace(models.AdviceOf(err) + " " + next)}
}

func (e EmptyState) lines(th *style.Theme, width, height int) []string {
	const widest = 64
	room := max(1, min(width-4, widest))
	text := th.Paragraph(e.Tone, e.Title, room)
	if e.Body != "" {
		text = append(append(text, ""), th.Paragraph(style.Muted, e.Body, room)...)
	}
	box := lipgloss.JoinVertical(lipgloss.Left, text...)
	placed := lipgloss.Place(width, height, lipgloss.Center, lipgloss.Center, box)
	return style.Block(strings.Split(placed, "\n"), width, height)
}
