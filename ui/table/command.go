package table

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/query"
)

// FilterBy asks for a filter, as if the person had typed it.
type FilterBy struct{ Query string }

// Commands are what the palette can do with the table.
func (m *Model[R, K]) Commands() []page.Command {
	return []page.Command{{
		Name: "filter", Title: "show only the rows that match", Arg: m.example(),
		Values: func(typed string) []page.Value {
			from, proposals := query.Complete(typed, len(typed), m.Fields)
			var out []page.Value
			for _, p := range proposals {
				out = append(out, page.Value{Text: typed[:from] + p})
			}
			return out
		},
		Run: func(arg string) (tea.Msg, error) {
			if _, err := query.Parse(arg, m.Fields); err != nil {
				return nil, err
			}
			return m.to(FilterBy{arg}), nil
		},
	}}
}

// example is a filter that could be typed.
func (m *Model[R, K]) example() string {
	_, names := query.Complete("", 0, m.Fields)
	if len(names) == 0 {
		return "words"
	}
	return names[0] + "…"
}
