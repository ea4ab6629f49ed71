package settings

import (
	"encoding/json"
	"maps"
	"slices"
)

// Layout is how the user laid out the pages, in the configuration file, in the state and on the screen. What is zero depends
// on the screen.
type Layout struct {
	Pane      *bool `toml:"pane"`       // whether the detail pane is open
	PaneWidth int   `toml:"pane_width"` // beside the rows, in cells; the file alone sets it
	// Columns are the names of the columns of a page, in order, by the name of the page. The map is never changed: copies of a
	// layout share it.
	Columns map[string][]string `toml:"*"`
}

// SetColumns sets the columns of a page. Without names, they are the default, also where the layout was kept with others.
func (l *Layout) SetColumns(page string, names []string) {
	columns := maps.Clone(l.Columns)
	if columns == nil {
		columns = map[string][]string{}
	}
	if names == nil {
		names = []string{}
	}
	columns[page] = names
	l.Columns = columns
}

// IsZero reports whether there is nothing to keep: lists may be there and empty.
func (l *Layout) IsZero() bool {
	for _, names := range l.Columns {
		if len(names) > 0 {
			return false
		}
	}
	return l.Pane == nil
}

// Apply sets what is not zero in another layout.
func (l *Layout) Apply(changed Layout) {
	if changed.Pane != nil {
		l.Pane = changed.Pane
	}
	for page, names := range changed.Columns {
		l.SetColumns(page, names)
	}
}

// Changed returns what differs from an earlier layout. The rest is zero.
func (l *Layout) Changed(since Layout) Layout {
	out := Layout{Pane: l.Pane}
	if l.Pane != nil && since.Pane != nil && *l.Pane == *since.Pane {
		out.Pane = nil
	}
	for page, names := range l.Columns {
		if !slices.Equal(names, since.Columns[page]) {
			out.SetColumns(page, names)
		}
	}
	return out
}

// Without returns what another layout leaves open, and the names of the settings that both have.
func (l *Layout) Without(other Layout) (rest Layout, taken []string) {
	rest = Layout{Pane: l.Pane}
	if l.Pane != nil && other.Pane != nil {
		taken, rest.Pane = append(taken, "pane"), nil
	}
	for _, page := range slices.Sorted(maps.Keys(l.Columns)) {
		if other.Columns[page] != nil {
			taken = append(taken, page)
		} else {
			rest.SetColumns(page, l.Columns[page])
		}
	}
	return rest, taken
}

// MarshalJSON writes the columns of the pages beside the other settings, as they are in the configuration file.
func (l *Layout) MarshalJSON() ([]byte, error) {
	object := map[string]any{}
	for page, names := range l.Columns {
		if len(names) > 0 {
			object[page] = names
		}
	}
	if l.Pane != nil {
		object["pane"] = *l.Pane
	}
	return json.Marshal(object)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *Layout) UnmarshalJSON(doc []byte) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(doc, &object); err != nil {
		return err
	}
	*l = Layout{}
	for name, value := range object {
		var names []string
		var err error
		switch name {
		case "pane":
			err = json.Unmarshal(value, &l.Pane)
		case "pane_width": // of an earlier version, in which keys changed it
		default:
			err = json.Unmarshal(value, &names)
			if len(names) > 0 {
				l.SetColumns(name, names)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
