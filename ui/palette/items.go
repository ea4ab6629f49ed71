package palette

import (
	"slices"

	"pgtower/ui/page"
	"pgtower/ui/query"
)

// item is a line of the list: a command, or a value for the one that is being typed.
type item struct {
	title, note string
	off         bool
	text        string // what the line becomes when it is completed
}

func (m *Model) items() []item {
	if c, arg, ok := m.command(); ok {
		return values(c, arg)
	}
	var out []item
	for _, c := range m.matching() {
		i := item{title: c.Title, note: c.Key, text: c.Name + " ", off: c.Off != ""}
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

func values(c page.Command, arg string) []item {
	var out []item
	if c.Values == nil {
		return nil
	}
	for _, v := range c.Values(arg) {
		out = append(out, item{title: v.Text, note: v.Note, text: c.Name + " " + v.Text})
	}
	return out
}

// matching are the commands that the words find, the nearest first.
func (m *Model) matching() []offer {
	typed := m.input.Text()
	out := query.Named(typed, m.commands,
		query.Text("name", func(o offer) string { return o.Name }),
		query.Text("title", func(o offer) string { return o.Title }))
	if typed == "" {
		return out
	}
	slices.SortStableFunc(out, func(a, b offer) int {
		return query.Nearness(typed, a.Name, a.Title) - query.Nearness(typed, b.Name, b.Title)
	})
	return out
}

// wrong is what is wrong with the argument: with the one that was tried last, or with the
// one that is being typed where no proposal could make it right.
func (m *Model) wrong() error {
	c, arg, ok := m.command()
	if m.err != nil || !ok || arg == "" || len(values(c, arg)) > 0 {
		return m.err
	}
	_, err := c.Run(arg)
	return err
}

// nothing is said where there is nothing to choose from.
func (m *Model) nothing() string {
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
