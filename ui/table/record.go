package table

import (
	"cmp"
	"strings"

	"pgtower/models"
	"pgtower/ui/style"
)

// Lapsed is how a row is marked that no longer matches the filter.
const Lapsed = "no longer matches"

// Field is a label with its value.
type Field struct {
	Label, Value string
	Tone         style.Tone
}

// Record is what is shown of one row: its state, what it means, and all of its fields.
type Record struct {
	Title, State, Note  string     // Note stands below State
	Tone                style.Tone // of State
	SaidState, SaidNote string     // in place of State and Note, if they are to be heard otherwise
	About               string
	Fields              []Field
	Damage              string // what of the record could not be read
	// Chart draws lines of at most width cells that say no more than the fields; it may be nil.
	Chart func(th *style.Theme, width int) []string
}

func (r Record) damage() string {
	if r.Damage == "" {
		return ""
	}
	return "Parts of this record could not be read: " + r.Damage + "."
}

// lines draws the record in lines of at most width cells. Values are wrapped, never cut: the
// user may have come to copy them.
func (r Record) lines(th *style.Theme, width int) []string {
	if width <= 0 {
		return nil
	}
	out := paragraph(th, style.Strong, r.Title, width)
	if r.State != "" {
		out = append(out, paragraph(th, r.Tone, r.State, width)...)
	}
	if r.Note != "" {
		out = append(out, paragraph(th, style.Muted, r.Note, width)...)
	}
	if r.About != "" {
		out = append(append(out, ""), paragraph(th, style.Muted, r.About, width)...)
	}
	if damage := r.damage(); damage != "" {
		out = append(append(out, ""), paragraph(th, style.Bad, damage, width)...)
	}
	out = append(append(out, ""), r.fields(th, width)...)
	if r.Chart != nil {
		out = append(append(out, ""), r.Chart(th, width)...)
	}
	return out
}

func (r Record) fields(th *style.Theme, width int) []string {
	label := 0
	for _, f := range r.Fields {
		label = max(label, style.Width(f.Label)+2)
	}
	const least = 16 // cells for values, or they go below their labels
	var out []string
	for _, f := range r.Fields {
		room := width - label
		if room < least {
			out = append(out, th.Paint(style.Muted, style.Cut(f.Label, width)))
			for _, line := range paragraph(th, f.Tone, f.Value, width-2) {
				out = append(out, "  "+line)
			}
			continue
		}
		name := f.Label
		for _, line := range paragraph(th, f.Tone, f.Value, room) {
			out = append(out, th.Paint(style.Muted, style.Fit(name, label))+line)
			name = ""
		}
	}
	return out
}

// said is the record for those who hear it, a line for each thing that there is to say.
func (r Record) said() []string {
	lines := []string{r.Title, cmp.Or(r.SaidState, r.State), cmp.Or(r.SaidNote, r.Note), r.About, r.damage()}
	for _, f := range r.Fields {
		value := f.Value
		if value == style.None {
			value = "none"
		}
		lines = append(lines, strings.ReplaceAll(f.Label, "_", " ")+": "+value)
	}
	return lines
}

// EmptyState is what a page says where rows would be: that it is loading, that there are
// none, or why they could not be had. Body says what to do next.
type EmptyState struct {
	Tone        style.Tone
	Title, Body string
}

// Failure is an error in the place of the rows that it cost, with what to do next.
func Failure(err error, next string) EmptyState {
	return EmptyState{style.Bad, "✗ " + err.Error(), strings.TrimSpace(models.AdviceOf(err) + " " + next)}
}

// lines draws the words in the middle of a space.
func (e EmptyState) lines(th *style.Theme, width, height int) []string {
	const widest = 64
	room := max(1, min(width-4, widest))
	said := paragraph(th, e.Tone, e.Title, room)
	if e.Body != "" {
		said = append(append(said, ""), paragraph(th, style.Muted, e.Body, room)...)
	}
	longest := 0
	for _, line := range said {
		longest = max(longest, style.Width(line))
	}
	out := make([]string, max(0, (height-len(said))/2), max(0, height)+len(said))
	for _, line := range said {
		out = append(out, style.Spaces((width-longest)/2)+line)
	}
	return style.Block(out, width, height)
}

// paragraph is a text in lines of at most width cells.
func paragraph(th *style.Theme, tone style.Tone, text string, width int) []string {
	lines := style.Wrap(text, width)
	for i, line := range lines {
		lines[i] = th.Paint(tone, line)
	}
	return lines
}
