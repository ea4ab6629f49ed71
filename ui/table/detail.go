package table

import (
	"cmp"
	"strings"

	"pgtower/ui/style"
)

// Field is a label with its value.
type Field struct {
	Label, Value string
	Tone         style.Tone
}

// Record is what is shown of one row: a title, a line on its state, what it means,
// and all of its fields.
type Record struct {
	Title string
	State string
	Tone  style.Tone // of State
	Note  string     // below State
	// SaidState and SaidNote are State and Note for those who hear them, where they differ.
	SaidState, SaidNote string
	About               string
	Fields              []Field
	// Chart draws lines of at most width cells below the fields; it may be nil.
	Chart func(th *style.Theme, width int) []string
	// Damage says what of the record could not be read, or is empty.
	Damage string
}

// Lines draws the record in lines of at most width cells. Values are wrapped, never
// cut: somebody may have come to copy them.
func (r Record) Lines(th *style.Theme, width int) []string {
	if width <= 0 {
		return nil
	}
	var out []string
	add := func(tone style.Tone, s string) {
		out = append(out, paintLines(th, tone, style.Wrap(s, width))...)
	}
	add(style.Strong, r.Title)
	if r.State != "" {
		add(r.Tone, r.State)
	}
	if r.Note != "" {
		add(style.Muted, r.Note)
	}
	if r.About != "" {
		out = append(out, "")
		add(style.Muted, r.About)
	}
	if r.Damage != "" {
		out = append(out, "")
		add(style.Bad, "Parts of this record could not be read: "+r.Damage+".")
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
	var out []string
	for _, f := range r.Fields {
		room := width - label
		if room < 16 {
			// Too narrow for two columns: the value goes below its label.
			out = append(out, th.Paint(style.Muted, style.Cut(f.Label, width)))
			for _, line := range style.Wrap(f.Value, width-2) {
				out = append(out, "  "+th.Paint(f.Tone, line))
			}
			continue
		}
		for i, line := range style.Wrap(f.Value, room) {
			name := ""
			if i == 0 {
				name = f.Label
			}
			out = append(out, th.Paint(style.Muted, style.Fit(name, label))+th.Paint(f.Tone, line))
		}
	}
	return out
}

// Said is the record for those who hear it, a line for each thing that there is to say.
// A chart says nothing that its numbers do not.
func (r Record) Said() []string {
	lines := []string{r.Title, cmp.Or(r.SaidState, r.State), cmp.Or(r.SaidNote, r.Note), r.About}
	if r.Damage != "" {
		lines = append(lines, "Parts of this record could not be read: "+r.Damage+".")
	}
	for _, f := range r.Fields {
		value := f.Value
		if value == style.None {
			value = "none"
		}
		lines = append(lines, strings.ReplaceAll(f.Label, "_", " ")+": "+value)
	}
	return lines
}

// Words is what a page says where rows would be: that it is loading, that there are
// none, or why they could not be had.
type Words struct {
	Tone  style.Tone
	Title string
	// Body says what to do next.
	Body string
}

// Lines draws the words in the middle of a space.
func (w Words) Lines(th *style.Theme, width, height int) []string {
	room := max(1, min(width-4, 64))
	said := paintLines(th, w.Tone, style.Wrap(w.Title, room))
	if w.Body != "" {
		said = append(append(said, ""), paintLines(th, style.Muted, style.Wrap(w.Body, room))...)
	}
	widest := 0
	for _, line := range said {
		widest = max(widest, style.Width(line))
	}
	out := make([]string, max(0, (height-len(said))/2), max(0, height)+len(said))
	for _, line := range said {
		out = append(out, style.Spaces((width-widest)/2)+line)
	}
	return style.Block(out, width, height)
}

func paintLines(th *style.Theme, tone style.Tone, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = th.Paint(tone, line)
	}
	return out
}
