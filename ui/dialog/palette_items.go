package dialog

import (
	"slices"

	"pgtower/ui/page"
	"pgtower/ui/query"
)

// item is a line of the list: a command, or a value for the one that is being typed.
type paletteItem struct {
	title, note string
	off         bool
	text        string // what the line becomes when it is completed
}

func (m *Palette) items() []paletteItem {
	if c, arg, ok := m.command(); ok {
		return paletteValues(c, arg)
	}
	var out []paletteItem
	for _, c := range m.matching() {
		i := paletteItem{title: c.Title, note: c.Key, text: c.Name + " ", off: c.Off != ""}
		switch {
		case c.Run != nil:
			i.title, i.note = c.Name+" "+c.Arg, c.Title
		case c.Key == "":
			// There is no key to say beside it, but what it does.
			i.title, i.note = c.Name, c.Title
		}
		if i.off {
			i.note = "not now, " + c.Off
		}
		out = append(out, i)
	}
	return out
}

func paletteValues(c page.Command, arg string) []paletteItem {
	var out []paletteItem
	if c.Values == nil {
		return nil
	}
	for _, v := range c.Values(arg) {
		out = append(out, paletteItem{title: v.Text, note: v.Note, text: c.Name + " " + v.Text})
	}
	return out
}

// matching are the commands that the words find, the nearest first.
func (m *Palette) matching() []paletteOffer {
	typed := m.input.Text()
	out := query.Named(typed, m.commands,
		query.Text("name", func(o paletteOffer) string { return o.Name }),
		query.Text("title", func(o paletteOffer) string { return o.Title }))
	if typed == "" {
		return out
	}
	slices.SortStableFunc(out, func(a, b paletteOffer) int {
		return query.Nearness(typed, a.Name, a.Title) - query.Nearness(typed, b.Name, b.Title)
	})
	return out
}

// wrong is what is wrong with the argument: with the one that was tried last, or with the
// one that is being typed where no proposal could make it right.
func (m *Palette) wrong() error {
	c, arg, ok := m.command()
	if m.err != nil || !ok || arg == "" || len(paletteValues(c, arg)) > 0 {
		return m.err
	}
	_, err := c.Run(arg)
	return err
}

// nothing is said where there is nothing to choose from.
func (m *Palette) nothing() string {
	c, arg, ok := m.command()
	switch {
	case !ok:
		return "Nothing matches."
	case m.wrong() != nil:
		return ""
	case arg == "":
		return "Write " + c.Arg + ": " + c.Title
	}
	return "↵ takes it: " + c.Title
}
