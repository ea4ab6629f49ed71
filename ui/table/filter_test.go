package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models/query"
)

func teaching(c *Config[string]) {
	kind := func(row string) string {
		if strings.ContainsAny(row, "02468") {
			return "even"
		}
		return "odd"
	}
	c.Examples = []string{"row-1", "kind:odd"}
	c.Fields = append(c.Fields, query.Text("kind", kind),
		query.Duration("idle", func(string, time.Time) (time.Duration, bool) { return 0, false }))
}

// lastLines returns the last two lines: the filter and the message below it.
func lastLines(m *Model[string], width int) string {
	lines := strings.Split(view(m, width, 12), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines[len(lines)-2:], "\n")
}

// The filter shows its syntax, and completes what is typed.
func TestFilterTeachesItself(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), teaching)
	for _, step := range []struct{ keys, want string }{
		{"/", " / words that rows must have  9 of 9\n   row-1  kind:odd"},
		{"k", " / kind:                      0 of 9\n   kind:"},
		{"tab", " / kind:even                  9 of 9\n   even  odd"},
		{"tab", " / kind:even                  5 of 9\n   even  odd"},
		{"tab", " / kind:odd                   4 of 9\n   even  odd"},
		{"tab", " / kind:even                  5 of 9\n   even  odd"},
		{"x", " / kind:evenx                 0 of 9\n"},
		{"tab", " / kind:evenx                 0 of 9\n"},
		{"enter", ""},
	} {
		for key := range strings.FieldsSeq(step.keys) {
			press(m, key)
		}
		if got := lastLines(m, 37); step.want != "" && got != step.want {
			t.Errorf("%s:\n%s\nwant\n%s", step.keys, got, step.want)
		}
	}
	view(m, 37, 12)
	if got := ruled(m); got != " ─ / kind:evenx · – / 0 of 9" {
		t.Errorf("kept: %q", got)
	}
}

// While a filter is wrong, the count of the last valid one is not shown beside it.
func TestFilterThatIsWrongHasNoCount(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), teaching)
	for _, step := range []struct{ keys, count string }{
		{"/ i", " 0 of 9"}, {"d l e : > x", ""}, {"backspace 5 s", " 0 of 9"},
	} {
		for key := range strings.FieldsSeq(step.keys) {
			press(m, key)
		}
		_, line, _ := strings.Cut(view(m, 80, 12), "\n / ")
		line, _, _ = strings.Cut(line, "\n")
		if got := strings.Contains(line, " of 9"); got != (step.count != "") || !strings.Contains(line, step.count) {
			t.Errorf("%s: %q", step.keys, line)
		}
	}
}

// If no row has the field of a filter, the page says so instead of that nothing matches.
func TestFilterOnAFieldThatNoRowHas(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), teaching)
	work(m, m.SetQuery("idle:>1h"))
	if got := view(m, 60, 12); !strings.Contains(got, "No row has a value for idle.") {
		t.Error(got)
	}
	work(m, m.SetQuery("kind:big"))
	if got := view(m, 60, 12); !strings.Contains(got, "Nothing matches the filter.") {
		t.Error(got)
	}
}

// Esc leads back to the row where the user began to type, for new and for edited filters.
func TestFilterEscapeReturnsToWhereItBegan(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), teaching)
	view(m, 60, 12)
	press(m, "down", "down", "down", "down", "/", "7", "esc")
	if got := selected(m); got != "row-4" {
		t.Errorf("from a new filter to %s", got)
	}
	work(m, m.SetQuery("kind:even"))
	press(m, "down", "/", "space", "8", "esc")
	if got := selected(m); got != "row-6" {
		t.Errorf("from a refined filter to %s", got)
	}
}

// Examples, completions and the one that was taken are announced.
func TestFilterSpeaksCompletions(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), teaching)
	f := frame(80, 24)
	f.Accessible = true
	for _, step := range []struct{ key, want string }{
		{"/", "Tab: complete. Examples: row-1; kind:odd."},
		{"k", "Tab completes: kind:."},
		{"tab", "Tab completes: even, odd."},
		{"tab", "Completed: even, 1 of 2."},
	} {
		press(m, step.key)
		if got := announced(m, f, Description[string]{}); !strings.Contains(got, step.want) {
			t.Errorf("%s: %s", step.key, got)
		}
	}
}

// A user who keeps moving, such as with a held key, still gets the requested rows.
func TestFilterIsNotHeldUpByMoving(t *testing.T) {
	t.Parallel()
	var now time.Time
	m, s := newItems(t, &now, false, 1, 2, 3, 4, 5, 6)
	m.list.filterBy(multiples(2))
	job := m.list.arranging()
	press(m, "j")
	m.list.takeRows(job())
	if got := numbers(m); !slices.Equal(got, []int{2, 4, 6}) || m.list.cursor != 0 || !m.List().UpToDate() {
		t.Fatalf("%v, at %d", got, m.list.cursor)
	}
	s.all = slices.Clone(s.all)
	s.all[1].number = 7
	m.list.refresh()
	job = m.list.arranging()
	press(m, "j")
	m.list.takeRows(job())
	if got := numbers(m); !slices.Equal(got, []int{4, 6}) || m.list.cursor != 0 || m.list.lapsed {
		t.Errorf("%v, at %d; lapsed: %v", got, m.list.cursor, m.list.lapsed)
	}
}

// A filter's error is shown below its position.
func TestFilterThatIsWrong(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), nil)
	work(m, m.SetQuery("x other:y"))
	lines := strings.Split(view(m, 100, 12), "\n")
	if got := lines[len(lines)-1]; !strings.HasPrefix(got, "     ^^^^^ Unknown field;") {
		t.Errorf("%q", got)
	}
	narrow := view(m, 30, 12)
	if !strings.Contains(narrow, "     ^^^^^   ") || !strings.Contains(narrow, "\n   Unknown field") {
		t.Error(narrow)
	}
	if m.List().Filtered() || m.List().Matches() != 9 {
		t.Error("what is no filter is in force")
	}
}
