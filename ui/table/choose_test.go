package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// item is a row with a fixed id and a changing number.
type item struct{ id, number int }

// items is a changing source of rows.
type items struct{ all []item }

func (s *items) Len() int         { return len(s.all) }
func (s *items) Row(i int) item   { return s.all[i] }
func (s *items) Key(row item) Key { return Key{ID: fmt.Sprint(row.id)} }
func (s *items) Find(key Key) (int, bool) {
	i := slices.IndexFunc(s.all, func(row item) bool { return s.Key(row) == key })
	return max(0, i), i >= 0
}

func (s *items) Has(key Key) bool {
	_, ok := s.Find(key)
	return ok
}

func (s *items) Freeze() (Rows[item], int) { return &items{slices.Clone(s.all)}, -1 }

func byNumber(a, b item, _ time.Time) int { return cmp.Compare(a.number, b.number) }

// multiples matches the rows whose number is a multiple of n.
func multiples(n int) func(item, time.Time) bool {
	return func(row item, _ time.Time) bool { return row.number%n == 0 }
}

func newItems(t *testing.T, now *time.Time, follow bool, numbers ...int) (*Model[item], *items) {
	t.Helper()
	s := &items{}
	for i, n := range numbers {
		s.all = append(s.all, item{i, n})
	}
	return New(Config[item]{
		Source: s, Follow: follow, Markable: func(item) bool { return true }, Session: page.NewSession(t.Context(), 1, func() time.Time { return *now }),
		Columns: []Column[item]{{
			Title: "NUMBER", Width: 30, Compare: byNumber,
			Cell: func(row item, _ time.Time) (string, style.Tone) { return fmt.Sprint(row.number), style.Bad },
		}},
	}), s
}

// arranged waits until a list has arranged its rows.
func arranged(m *Model[item]) {
	for job := m.list.arranging(); job != nil; job = m.list.arranging() {
		m.list.takeRows(job())
	}
}

func sortBy(m *Model[item], column int, reverse bool) {
	m.list.want.column, m.list.want.reverse = column, reverse
	m.list.rearrange()
}

func numbers(m *Model[item]) (out []int) {
	for i := range m.List().Len() {
		out = append(out, m.List().row(i).number)
	}
	return out
}

// steady is a list with its expected state.
type steady struct {
	m       *Model[item]
	s       *items
	born    int
	every   int // the filter keeps multiples of this number, or all with 0
	sorted  bool
	reverse bool
	now     time.Time
	job     func() arrangement[item]
	drawn   Key // of the row last drawn as selected, or the zero key
	// anew reports whether rows of another filter are pending, and other those of another filter or order.
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
	l.m.list.refresh()
}

// take ends an arrangement that began earlier.
func (l *steady) take() {
	if l.job != nil {
		if l.other {
			l.drawn = Key{}
		}
		l.m.list.takeRows(l.job())
		l.job = nil
	}
}

// press performs a user's action, and reports whether it moves the selection.
func (l *steady) press(t *rapid.T) (moves bool) {
	switch rapid.SampledFrom([]string{"move", "move", "filter", "sort", "choose", "draw", "draw"}).Draw(t, "press") {
	case "move":
		key := rapid.SampledFrom([]string{"j", "k", "g", "G"}).Draw(t, "key")
		press(l.m, key)
		if l.m.list.lapsed {
			t.Fatal("a row that does not match stays although the user moved")
		}
		l.drawn = Key{}
		return true
	case "filter":
		l.every = rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "multiples of")
		if l.every == 0 {
			l.m.list.filterBy(nil)
		} else {
			l.m.list.filterBy(multiples(l.every))
		}
		l.anew, l.other, l.drawn = true, true, Key{}
		return true
	case "sort":
		l.other, l.drawn = true, Key{}
		l.sorted, l.reverse = rapid.Bool().Draw(t, "sorted"), rapid.Bool().Draw(t, "reverse")
		column := DefaultOrder
		if l.sorted {
			column = 0
		}
		sortBy(l.m, column, l.reverse)
	case "choose":
		was := l.drawn
		ok := l.m.list.choose()
		_, alive := l.s.Find(was)
		if id, _ := l.m.List().SelectedKey(); was != (Key{}) && alive && (!ok || id != was) {
			t.Fatalf("row %v was on the screen as the selected one, and %v is chosen", was, id)
		}
		return true
	case "draw":
		l.m.list.seen()
		l.drawn = Key{}
		if id, ok := l.m.List().SelectedKey(); ok {
			l.drawn = id
		}
	}
	return false
}

// want returns the expected rows once everything is arranged.
func (l *steady) want() (all []item, matching int) {
	held, some := l.m.List().SelectedKey()
	for _, row := range l.s.all {
		matches := l.every == 0 || row.number%l.every == 0
		if matches {
			matching++
		}
		if matches || some && l.m.list.lapsed && l.s.Key(row) == held {
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

// Rows change in every way while they are filtered and sorted: the selection leaves its row only if the user moves it or the row is
// gone for good.
func TestSelectionStaysWithWhatIsChosen(outer *testing.T) {
	outer.Parallel()
	rapid.Check(outer, func(t *rapid.T) {
		l := &steady{born: 1000}
		l.m, l.s = newItems(outer, &l.now, rapid.Bool().Draw(t, "follow"), rapid.SliceOfN(rapid.IntRange(0, 12), 0, 12).Draw(t, "numbers")...)
		l.m.list.setHeight(5)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			l.now = l.now.Add(time.Second)
			id, some := l.m.List().SelectedKey()
			chosen, moved := l.m.List().Held() && some, false
			if l.m.List().UpToDate() {
				l.anew, l.other = false, false
			}
			switch rapid.SampledFrom([]string{"change", "change", "begin", "end", "press"}).Draw(t, "step") {
			case "change":
				l.change(t)
			case "begin":
				if l.job == nil {
					l.job = l.m.list.arranging()
				}
			case "end":
				l.take()
			case "press":
				moved = l.press(t)
			}
			_, alive := l.s.Find(id)
			if now, _ := l.m.List().SelectedKey(); chosen && alive && !moved && !l.anew && now != id {
				t.Fatalf("row %v was chosen, now %v is selected", id, now)
			}
			if n := len(slices.Collect(l.m.List().Matching())); n != l.m.List().Matches() || l.m.list.lapsed && n != l.m.List().Len()-1 {
				t.Fatalf("%d rows match, %d are said to, of %d", n, l.m.List().Matches(), l.m.List().Len())
			}
		}
		l.take()
		arranged(l.m)
		want, matching := l.want()
		var got []item
		for i := range l.m.List().Len() {
			got = append(got, l.m.List().row(i))
		}
		if !slices.Equal(got, want) || l.m.List().Matches() != matching {
			t.Fatalf("%d of %v match, want %d of %v", l.m.List().Matches(), got, matching, want)
		}
	})
}

// A selected row that stops matching keeps its place, marked and without colours, until the user moves; it is not
// counted.
func TestLapsedRow(t *testing.T) {
	t.Parallel()
	var now time.Time
	m, s := newItems(t, &now, true, 2, 4, 6, 8)
	m.list.filterBy(multiples(2))
	arranged(m)
	press(m, "j")
	draw := func() []string {
		return paint(m, Description[item]{}, 40, 5)
	}
	set := func(number int) {
		s.all = slices.Clone(s.all)
		s.all[1].number = number
		m.list.refresh()
		arranged(m)
	}
	draw()
	set(5)
	line := draw()[2]
	if plain := ansi.Strip(line); !m.list.lapsed || !strings.Contains(plain, "▌ 5 ") || !strings.HasSuffix(plain, " "+lapsedNote) {
		t.Errorf("%q", plain)
	}
	if bad := styled().Open(style.Bad); strings.Contains(line, bad) || !strings.Contains(draw()[1], bad) {
		t.Errorf("not dimmed: %q", line)
	}
	if m.List().Len() != 4 || m.List().Matches() != 3 || slices.Contains(slices.Collect(m.List().Matching()), s.all[1]) {
		t.Errorf("%d of %d match", m.List().Matches(), m.List().Len())
	}
	if said := m.Describe(frame(40, 9), Description[item]{}).Parts; !slices.ContainsFunc(said, func(p announce.Part) bool {
		return p.Text == lapsedNote+": 5"
	}) || !strings.HasSuffix(said[len(said)-1].Text, ", "+lapsedNote) {
		t.Errorf("says %+v", said)
	}
	m.config.Detail = func(item, time.Time) Record { return Record{} }
	press(m, "enter")
	if got := view(m, 40, 9); !strings.Contains(got, "filter") || !strings.Contains(got, lapsedNote) {
		t.Errorf("the details are\n%s", got)
	}
	press(m, "esc")
	sortBy(m, 0, true)
	arranged(m)
	if got := numbers(m); !slices.Equal(got, []int{8, 6, 5, 2}) || m.List().Cursor() != 2 {
		t.Errorf("in another order: %v, %d is selected", got, m.List().Cursor())
	}
	m.Update(page.Click{X: 1, Y: 4})
	if !m.list.lapsed {
		t.Error("a click on the row itself takes it away")
	}
	set(4)
	if m.list.lapsed || m.List().Matches() != 4 {
		t.Error("it matches again, and is not counted")
	}
	set(5)
	m.list.markMatching()
	if m.List().CountMarked() != 3 {
		t.Errorf("%d rows are marked", m.List().CountMarked())
	}
	press(m, "k")
	if got := numbers(m); !slices.Equal(got, []int{8, 6, 2}) || m.List().Cursor() != 1 {
		t.Errorf("after a key: %v, %d is selected", got, m.List().Cursor())
	}
}

// The last row of a filter leaves like any other.
func TestLapsedRowThatIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	var now time.Time
	m, s := newItems(t, &now, true, 2)
	m.list.filterBy(multiples(2))
	arranged(m)
	m.list.choose()
	s.all = []item{{0, 3}}
	m.list.refresh()
	arranged(m)
	if m.List().Len() != 1 || m.List().Matches() != 0 {
		t.Fatalf("%d rows, of which %d match", m.List().Len(), m.List().Matches())
	}
	press(m, "j")
	if m.List().Len() != 0 || m.List().Held() {
		t.Errorf("%d rows are left, one of them chosen: %v", m.List().Len(), m.List().Held())
	}
}

// A key at the top acts on the row that the user saw there, until the user can have seen the next one.
func TestSelectionIsTheRowThatWasSeen(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	after := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name   string
		frames []int // when rows were drawn at the top, in ms
		key    int   // when the key was pressed, in ms
		want   int   // the frame of the expected row; rows are numbered as frames
	}{
		{"the first", []int{0}, 5, 0},
		{"an older one", []int{0, 1000}, 1020, 0},
		{"the newest", []int{0, 1000}, 1300, 1},
		{"several at once", []int{0, 1000, 1100, 1190}, 1200, 0},
		{"several, one of them seen", []int{0, 1000, 1200}, 1210, 1},
		{"nothing was read yet", []int{0, 10}, 20, 1},
	} {
		for _, drawn := range []bool{true, false} {
			var now time.Time
			m, s := newItems(t, &now, true)
			for i, at := range c.frames {
				s.all = slices.Insert(s.all, 0, item{i, i})
				m.list.refresh()
				now = after(at)
				m.list.seen()
			}
			if !drawn {
				// Another row comes before the next frame.
				s.all = slices.Insert(s.all, 0, item{100, 100})
				m.list.refresh()
			}
			now = after(c.key)
			ok := m.list.choose()
			if id, _ := m.List().SelectedKey(); !ok || id.ID != fmt.Sprint(c.want) {
				t.Errorf("%s, drawn: %v: row %v is meant, want %d", c.name, drawn, id, c.want)
			}
		}
	}
}

// If a row left the filter before the key, the key still acts on it; if the row is gone, on no other row.
func TestSelectionOfARowThatHasLeft(t *testing.T) {
	t.Parallel()
	for _, filtered := range []bool{true, false} {
		var now time.Time
		m, s := newItems(t, &now, true, 2, 4)
		if filtered {
			m.list.filterBy(multiples(2))
			arranged(m)
		}
		m.list.seen()
		if s.all = []item{{0, 3}, {1, 4}}; !filtered {
			s.all = s.all[1:]
		}
		m.list.refresh()
		arranged(m)
		now = now.Add(time.Second)
		m.list.seen()
		ok := m.list.choose()
		if id, _ := m.List().SelectedKey(); ok != filtered || filtered && (id.ID != "0" || !m.list.lapsed) {
			t.Errorf("filtered %v: %v, row %v", filtered, ok, id)
		}
		arranged(m)
		if filtered && !slices.Equal(numbers(m), []int{3, 4}) {
			t.Errorf("%v", numbers(m))
		}
	}
}

// A key is for the row that was last drawn or announced as the selected one.
func TestSelectionIsOfTheLastFrame(t *testing.T) {
	t.Parallel()
	for _, show := range []func(m *Model[string]){
		func(m *Model[string]) { view(m, 60, 10) },
		func(m *Model[string]) { m.Describe(frame(60, 10), Description[string]{}) },
	} {
		s := numbered(3)
		m := newTable(t, s, following)
		show(m)
		s.ids = slices.Insert(s.ids, 0, "new")
		m.Refresh()
		if press(m, "l"); selected(m) != "row-0" || !m.Opened() {
			t.Errorf("%q is selected", selected(m))
		}
	}
}
