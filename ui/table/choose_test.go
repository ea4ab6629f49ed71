package table_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/ui/style"
	"pgtower/ui/table"
)

// item is a row whose number changes while its id stays.
type item struct{ id, number int }

// items is a source of rows that change.
type items struct{ all []item }

func (s *items) Len() int         { return len(s.all) }
func (s *items) Row(i int) item   { return s.all[i] }
func (s *items) Key(row item) int { return row.id }
func (s *items) Find(id int) (int, bool) {
	i := slices.IndexFunc(s.all, func(row item) bool { return row.id == id })
	return max(0, i), i >= 0
}

func byNumber(a, b item, _ time.Time) int { return cmp.Compare(a.number, b.number) }

// multiples matches the rows whose number is a multiple of n.
func multiples(n int) func(item, time.Time) bool {
	return func(row item, _ time.Time) bool { return row.number%n == 0 }
}

func newItems(follow bool, numbers ...int) (*table.List[item, int], *items) {
	s := &items{}
	for i, n := range numbers {
		s.all = append(s.all, item{i, n})
	}
	return table.NewList(s, []table.Column[item]{{
		Title: "NUMBER", Width: 30, Compare: byNumber,
		Cell: func(row item, _ time.Time) (string, style.Tone) { return fmt.Sprint(row.number), style.Bad },
	}}, follow), s
}

// arranged lets a list arrange its rows.
func arranged(m *table.List[item, int]) {
	for job := m.Arrange(time.Time{}); job != nil; job = m.Arrange(time.Time{}) {
		m.Take(job())
	}
}

func numbers(m *table.List[item, int]) (out []int) {
	for i := range m.Len() {
		out = append(out, m.Row(i).number)
	}
	return out
}

// steady is a list of which a test knows what it should show.
type steady struct {
	m       *table.List[item, int]
	s       *items
	born    int
	every   int // the number that the filter wants multiples of, or 0
	sorted  bool
	reverse bool
	now     time.Time
	job     func() table.Filtered[item]
	drawn   int // the row that was drawn last as the selected one, or -1
	// anew is whether the rows of another filter are awaited, and other whether those of
	// another filter or order are.
	anew, other bool
}

// change changes the rows as a service does.
func (l *steady) change(t *rapid.T) {
	s := l.s
	switch rapid.SampledFrom([]string{"insert", "number", "number", "number", "remove", "empty"}).Draw(t, "change") {
	case "insert":
		l.born++
		s.all = slices.Insert(s.all, rapid.IntRange(0, len(s.all)).Draw(t, "at"), item{l.born, rapid.IntRange(0, 12).Draw(t, "number")})
	case "number":
		s.all = slices.Clone(s.all)
		for i := range s.all {
			if rapid.Bool().Draw(t, "changes") {
				s.all[i].number = rapid.IntRange(0, 12).Draw(t, "number")
			}
		}
	case "remove":
		if n := len(s.all); n > 0 {
			i := rapid.IntRange(0, n-1).Draw(t, "which")
			s.all = slices.Delete(slices.Clone(s.all), i, i+1)
		}
	case "empty":
		if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
			s.all = nil
		}
	}
	l.m.Refresh()
}

// take lets an arrangement end that was begun at some time before.
func (l *steady) take() {
	if l.job != nil {
		if l.other {
			l.drawn = -1
		}
		l.m.Take(l.job())
		l.job = nil
	}
}

// press does what a user does, and says whether that moves the selection.
func (l *steady) press(t *rapid.T) (moves bool) {
	switch rapid.SampledFrom([]string{"move", "move", "filter", "sort", "choose", "draw", "draw"}).Draw(t, "press") {
	case "move":
		key := rapid.SampledFrom([]rune("jkgG")).Draw(t, "key")
		l.m.Update(tea.KeyPressMsg{Code: key, Text: string(key)}, l.now)
		if l.m.Lapsed() {
			t.Fatal("a row that does not match stays although the user moved")
		}
		l.drawn = -1
		return true
	case "filter":
		l.every = rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "multiples of")
		if l.every == 0 {
			l.m.Filter(nil)
		} else {
			l.m.Filter(multiples(l.every))
		}
		l.anew, l.other, l.drawn = true, true, -1
		return true
	case "sort":
		l.other, l.drawn = true, -1
		l.sorted, l.reverse = rapid.Bool().Draw(t, "sorted"), rapid.Bool().Draw(t, "reverse")
		column := table.DefaultOrder
		if l.sorted {
			column = 0
		}
		l.m.Sort(column, l.reverse)
	case "choose":
		was := l.drawn
		ok := l.m.Choose(l.now)
		_, alive := l.s.Find(was)
		if id, _ := l.m.SelectedKey(); was >= 0 && alive && (!ok || id != was) {
			t.Fatalf("row %d was on the screen as the selected one, and %d is chosen", was, id)
		}
		return true
	case "draw":
		l.m.Shown(l.now)
		l.drawn = -1
		if id, ok := l.m.SelectedKey(); ok {
			l.drawn = id
		}
	}
	return false
}

// want is what is shown once everything is arranged.
func (l *steady) want() (all []item, matching int) {
	held, some := l.m.SelectedKey()
	for _, row := range l.s.all {
		matches := l.every == 0 || row.number%l.every == 0
		if matches {
			matching++
		}
		if matches || some && l.m.Lapsed() && row.id == held {
			all = append(all, row)
		}
	}
	if l.sorted {
		slices.SortStableFunc(all, func(a, b item) int { return byNumber(a, b, l.now) })
	}
	if l.reverse {
		slices.Reverse(all)
	}
	return all, matching
}

// TestWhatIsChosenStays changes rows in every way that a service can while they are
// filtered and sorted: the selection leaves its row when the user moves, or when the row
// is gone for good, and never else.
func TestWhatIsChosenStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := &steady{born: 1000, drawn: -1}
		l.m, l.s = newItems(rapid.Bool().Draw(t, "follow"), rapid.SliceOfN(rapid.IntRange(0, 12), 0, 12).Draw(t, "numbers")...)
		l.m.SetHeight(5)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			l.now = l.now.Add(time.Second)
			id, some := l.m.SelectedKey()
			chosen, moved := l.m.Chosen() && some, false
			if l.m.Settled() {
				l.anew, l.other = false, false
			}
			switch rapid.SampledFrom([]string{"change", "change", "begin", "end", "press"}).Draw(t, "step") {
			case "change":
				l.change(t)
			case "begin":
				if l.job == nil {
					l.job = l.m.Arrange(l.now)
				}
			case "end":
				l.take()
			case "press":
				moved = l.press(t)
			}
			_, alive := l.s.Find(id)
			if now, _ := l.m.SelectedKey(); chosen && alive && !moved && !l.anew && now != id {
				t.Fatalf("row %d was chosen, now %d is selected", id, now)
			}
			if n := len(slices.Collect(l.m.Matching())); n != l.m.Matches() || l.m.Lapsed() && n != l.m.Len()-1 {
				t.Fatalf("%d rows match, %d are said to, of %d", n, l.m.Matches(), l.m.Len())
			}
		}
		l.take()
		arranged(l.m)
		want, matching := l.want()
		var got []item
		for i := range l.m.Len() {
			got = append(got, l.m.Row(i))
		}
		if !slices.Equal(got, want) || l.m.Matches() != matching {
			t.Fatalf("%d of %v match, want %d of %v", l.m.Matches(), got, matching, want)
		}
	})
}

// A row that is chosen and ceases to match stays at its place in the order, marked and
// without colours, until the user moves; it is not counted.
func TestARowThatLapses(t *testing.T) {
	t.Parallel()
	m, s := newItems(true, 2, 4, 6, 8)
	m.Filter(multiples(2))
	arranged(m)
	m.Update(tea.KeyPressMsg{Code: 'j', Text: "j"}, time.Time{})
	draw := func() []string {
		return m.View(table.ListFrame[item]{Theme: styled(), Width: 40, Height: 5})
	}
	set := func(number int) {
		s.all = slices.Clone(s.all)
		s.all[1].number = number
		m.Refresh()
		arranged(m)
	}
	draw()
	set(5)
	line := draw()[2]
	if plain := ansi.Strip(line); !m.Lapsed() || !strings.Contains(plain, "▌ 5 ") || !strings.HasSuffix(plain, " "+table.Lapsed) {
		t.Errorf("%q", plain)
	}
	if bad := styled().Open(style.Bad); strings.Contains(line, bad) || !strings.Contains(draw()[1], bad) {
		t.Errorf("not dimmed: %q", line)
	}
	if m.Len() != 4 || m.Matches() != 3 || slices.Contains(slices.Collect(m.Matching()), s.all[1]) {
		t.Errorf("%d of %d match", m.Matches(), m.Len())
	}
	m.Sort(0, true)
	arranged(m)
	if got := numbers(m); !slices.Equal(got, []int{8, 6, 5, 2}) || m.Cursor() != 2 {
		t.Errorf("in another order: %v, %d is selected", got, m.Cursor())
	}
	m.SelectLine(2, time.Time{})
	if !m.Lapsed() {
		t.Error("a click on the row itself takes it away")
	}
	set(4)
	if m.Lapsed() || m.Matches() != 4 {
		t.Error("it matches again, and is not counted")
	}
	set(5)
	m.MarkShown()
	if m.CountMarked() != 3 {
		t.Errorf("%d rows are marked", m.CountMarked())
	}
	m.Update(tea.KeyPressMsg{Code: 'k', Text: "k"}, time.Time{})
	if got := numbers(m); !slices.Equal(got, []int{8, 6, 2}) || m.Cursor() != 1 {
		t.Errorf("after a key: %v, %d is selected", got, m.Cursor())
	}
}

// The last row that a filter shows leaves as others do.
func TestTheOnlyRowLapses(t *testing.T) {
	t.Parallel()
	m, s := newItems(true, 2)
	m.Filter(multiples(2))
	arranged(m)
	m.Choose(time.Time{})
	s.all = []item{{0, 3}}
	m.Refresh()
	arranged(m)
	if m.Len() != 1 || m.Matches() != 0 {
		t.Fatalf("%d rows, of which %d match", m.Len(), m.Matches())
	}
	m.Update(tea.KeyPressMsg{Code: 'j', Text: "j"}, time.Time{})
	if m.Len() != 0 || m.Chosen() {
		t.Errorf("%d rows are left, one of them chosen: %v", m.Len(), m.Chosen())
	}
}

// What a user does at the top is meant for the row that they saw there, until they can
// have seen the next one.
func TestTheRowThatWasSeenIsMeant(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	after := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name   string
		frames []int // when a row came to the top and was drawn, in ms
		key    int   // when one was pressed
		want   int   // the frame whose row is meant; the rows are numbered as the frames
	}{
		{"the first", []int{0}, 5, 0},
		{"an older one", []int{0, 1000}, 1020, 0},
		{"the newest", []int{0, 1000}, 1300, 1},
		{"several at once", []int{0, 1000, 1100, 1190}, 1200, 0},
		{"several, one of them seen", []int{0, 1000, 1200}, 1210, 1},
		{"nothing was read yet", []int{0, 10}, 20, 1},
	} {
		for _, drawn := range []bool{true, false} {
			m, s := newItems(true)
			for i, at := range c.frames {
				s.all = slices.Insert(s.all, 0, item{i, i})
				m.Refresh()
				m.Shown(after(at))
			}
			if !drawn {
				// One more comes that no frame has shown.
				s.all = slices.Insert(s.all, 0, item{100, 100})
				m.Refresh()
			}
			ok := m.Choose(after(c.key))
			if id, _ := m.SelectedKey(); !ok || id != c.want {
				t.Errorf("%s, drawn: %v: row %d is meant, want %d", c.name, drawn, id, c.want)
			}
		}
	}
}

// A row that left the filter before the key came is acted on all the same, and no other
// is where it is gone.
func TestTheRowThatWasSeenHasLeft(t *testing.T) {
	t.Parallel()
	for _, filtered := range []bool{true, false} {
		m, s := newItems(true, 2, 4)
		if filtered {
			m.Filter(multiples(2))
			arranged(m)
		}
		m.Shown(time.Time{})
		if s.all = []item{{0, 3}, {1, 4}}; !filtered {
			s.all = s.all[1:]
		}
		m.Refresh()
		arranged(m)
		m.Shown(time.Time{}.Add(time.Second))
		ok := m.Choose(time.Time{}.Add(time.Second))
		if id, _ := m.SelectedKey(); ok != filtered || filtered && (id != 0 || !m.Lapsed()) {
			t.Errorf("filtered %v: %v, row %d", filtered, ok, id)
		}
		arranged(m)
		if filtered && !slices.Equal(numbers(m), []int{3, 4}) {
			t.Errorf("%v", numbers(m))
		}
	}
}
