package settings

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// layouts generates layouts, of pages that the program may not know.
func layouts() *rapid.Generator[Layout] {
	return rapid.Custom(func(t *rapid.T) Layout {
		l := Layout{}
		if rapid.Bool().Draw(t, "has a pane") {
			l.Pane = new(rapid.Bool().Draw(t, "pane"))
		}
		for _, page := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"operations", "projects", "x"}), rapid.ID[string]).Draw(t, "pages") {
			l.SetColumns(page, rapid.SliceOfN(rapid.SampledFrom([]string{"age", "took"}), 1, 2).Draw(t, "columns"))
		}
		return l
	})
}

// The changes between two layouts, applied to the earlier one, give the later one, also through JSON.
func TestLayoutChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := layouts().Draw(t, "before"), layouts().Draw(t, "after")
		before.Apply(after.Changed(before))
		if changed := after.Changed(before); !changed.IsZero() {
			t.Errorf("%+v changed", changed)
		}
		var read Layout
		doc, err := json.Marshal(&after)
		if err == nil {
			err = json.Unmarshal(doc, &read)
		}
		if err != nil || !reflect.DeepEqual(read, after) {
			t.Errorf("%s: %+v, %v", doc, read, err)
		}
	})
}

// The state of an earlier version has a width of the pane, which only the file sets now.
func TestLayoutOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	var read Layout
	err := json.Unmarshal([]byte(`{"pane_width": 44, "pane": true, "projects": ["name"]}`), &read)
	if err != nil || read.PaneWidth != 0 || read.Pane == nil || len(read.Columns) != 1 {
		t.Errorf("%+v, %v", read, err)
	}
}

// The columns of a copy are its own.
func TestLayoutIsCopied(t *testing.T) {
	t.Parallel()
	var one Layout
	one.SetColumns("operations", []string{"age"})
	other := one
	other.SetColumns("operations", nil)
	if one.IsZero() || !other.IsZero() || other.Columns["operations"] == nil {
		t.Errorf("%+v, %+v", one, other)
	}
}
