package table

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// filter is the line that a filter is typed in, and the query in force.
type filter[R any] struct {
	fields    []query.Field[R]
	examples  []string
	line      input.Filter
	query     query.Query[R] // the last valid one
	wrong     *query.Error   // the error in what was typed, or nil
	announced string         // the announcement while it was typed, or ""
}

func newFilter[R any](c *Config[R]) filter[R] {
	out := filter[R]{
		fields: c.Fields, examples: c.Examples, line: input.NewFilter("words that rows must have"),
	}
	out.line.Complete = func(typed string) []string {
		return query.Complete(typed, c.Fields, each(c.Source.Freeze()))
	}
	if c.Session.Filters != nil {
		out.line.History = &c.Session.Filters[c.Page]
	}
	return out
}

// parse reports whether the typed text is valid. If so, it becomes the query in force.
func (l *filter[R]) parse() bool {
	q, err := query.Parse(l.line.Text(), l.fields)
	l.wrong = err
	if err == nil {
		l.query = q
	}
	return err == nil
}

// open reports whether the filter has lines of its own: while it is typed, or wrong.
func (l *filter[R]) open() bool { return l.line.Focused() || l.wrong != nil }

// incomplete reports whether the typed text has an error or is not complete.
func (l *filter[R]) incomplete() bool { return cmp.Or(l.wrong, l.query.Hint()) != nil }

// arg is the argument of the action that filters. set filters by a text.
func (l *filter[R]) arg(set func(q string) tea.Cmd) *action.Arg {
	example := "words"
	if len(l.fields) > 0 {
		example = l.fields[0].Name() + ":…"
	}
	return &action.Arg{
		Example: example, Help: l.help, Complete: l.complete,
		Parse: func(arg string) (func() tea.Cmd, error) { return action.With(set, arg), l.check(arg) },
	}
}

// check returns what is wrong with a text as a filter, or nil.
func (l *filter[R]) check(text string) error {
	q, wrong := query.Parse(text, l.fields)
	if wrong = cmp.Or(wrong, q.Hint()); wrong != nil {
		return wrong
	}
	return nil
}

func (l *filter[R]) complete(typed string) (out []action.Value) {
	for _, text := range l.line.Complete(typed) {
		out = append(out, action.Value{Text: text})
	}
	return out
}

const helpWidth = 42 // cells of a line of the help

// help is the syntax of a filter over the fields.
func (l *filter[R]) help() []action.Value {
	help := []action.Value{
		{Text: "a b", Note: "rows that contain both"},
		{Text: "a or (b c)", Note: "either; parentheses group"},
		{Text: "!a", Note: "rows that do not contain it"},
		{Text: `"a b"`, Note: "exact text"},
	}
	if len(l.fields) > 0 {
		help = append(help, action.Value{Text: l.fields[0].Name() + ":a,b", Note: "a or b in a field:"})
	}
	var names []string
	for _, f := range l.fields {
		names = append(names, f.Name())
	}
	for line := range strings.SplitSeq(ansi.Wordwrap(strings.Join(names, " "), helpWidth, ""), "\n") {
		help = append(help, action.Value{Text: "fields", Note: line})
	}
	return help
}

// lines draws the filter, with its error or hint. That stands beside a mark below the part that it is about, or below the mark
// if there is no room. matches is the number of rows that match, in words.
func (l *filter[R]) lines(f page.Frame, matches string) []string {
	e, tone := l.wrong, style.Bad
	if e != nil {
		matches = "" // of the last valid filter
	}
	lines := []string{l.line.View(f.Theme, f.Width, matches)}
	if e == nil && l.line.Focused() {
		e, tone = l.query.Hint(), style.Muted
		guide := l.guide(f)
		if e == nil || guide != "" {
			return append(lines, guide)
		}
	}
	if e == nil {
		return lines
	}
	const indent = input.FilterIndent
	head, part := l.line.Text()[:e.At], l.line.Text()[e.At:e.At+e.Len]
	mark := style.Spaces(indent+style.Width(head)) + strings.Repeat("^", max(1, style.Width(part)))
	if line := mark + " " + e.Message; style.Width(line) <= f.Width {
		return append(lines, f.Theme.Paint(tone, line))
	}
	lines = append(lines, f.Theme.Paint(tone, style.Cut(mark, f.Width)))
	for _, line := range f.Theme.Paragraph(tone, e.Message, f.Width-2*indent) {
		lines = append(lines, style.Spaces(indent)+line)
	}
	return lines
}

// guide is a line of completions, or of examples while nothing is typed. It may be empty.
func (l *filter[R]) guide(f page.Frame) (out string) {
	words, taken := l.line.Proposals()
	if l.line.Text() == "" {
		words, taken = l.examples, -1
	}
	room := f.Width - input.FilterIndent
	for i, word := range words {
		tone := style.Muted
		if i == taken {
			tone = style.Accent
		}
		room -= style.Width(word) + gap
		if room < 0 {
			break
		}
		out += f.Theme.Paint(tone, word) + style.Spaces(gap)
	}
	if out != "" {
		out = style.Spaces(input.FilterIndent) + out
	}
	return out
}

// describe describes the filter, which n rows match; matches is that number and the total, in words. The key of the part omits
// the total, which changes with every poll.
func (l *filter[R]) describe(n int, matches string) announce.Part {
	p := announce.Part{Name: "filter"}
	typed, editing := l.line.Text(), l.line.Focused()
	switch {
	case l.wrong != nil:
		p.Text = "Invalid filter: " + l.wrong.Error()
	case l.query.Hint() != nil && editing:
		p.Text = l.query.Hint().Message
	case typed != "":
		p.Text = matches + " match the filter " + typed + "."
		if editing {
			l.announced = typed + " " + style.Count(n)
		}
		// The announcement is not repeated when the user keeps the filter.
		p.Key = cmp.Or(l.announced, typed+" kept")
	}
	return p
}

// describeKeys returns what keys do while a filter is typed.
func (l *filter[R]) describeKeys() announce.Part {
	p := announce.Part{Name: "editing"}
	if l.line.Focused() {
		p.Text = "Enter: apply the filter. Escape: show all rows. Tab: complete."
		if len(l.examples) > 0 {
			p.Text += " Examples: " + strings.Join(l.examples, "; ") + "."
		}
	}
	return p
}

// describeCompletion describes how the typed text can be completed.
func (l *filter[R]) describeCompletion() announce.Part {
	const most = 5
	p := announce.Part{Name: "completion"}
	words, taken := l.line.Proposals()
	switch {
	case !l.line.Focused() || l.line.Text() == "" || len(words) == 0:
		return p
	case taken >= 0:
		p.Text = fmt.Sprintf("Completed: %s, %d of %d.", words[taken], taken+1, len(words))
		return p
	case len(words) > most:
		words = append(words[:most:most], "and more")
	}
	p.Text = "Tab completes: " + strings.Join(words, ", ") + "."
	return p
}
