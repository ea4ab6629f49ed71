package feed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

func atLeastOne(t *rapid.T, s *service) {
	if len(s.ops) == 0 {
		t.Skip()
	}
}

func ids(f *Feed) string {
	var out []string
	for i := range f.Len() {
		out = append(out, strings.TrimLeft(strings.TrimPrefix(f.At(i).ID, "op-"), "0"))
	}
	return strings.Join(out, " ")
}

// A page that shares no row with what is loaded leaves a gap, and older pages close it.
func TestFeedGapIsSeenAndClosed(t *testing.T) {
	t.Parallel()
	s, f := newService(new(clock)), New("p")
	s.birth(3, false)
	f.Merge(s.page(3, ""))
	s.birth(7, false)
	c := f.Merge(s.page(3, ""))
	if c.Gap == nil || c.Gap.Below != "op-000007" {
		t.Fatalf("gap %+v", c.Gap)
	}
	older, _ := f.Older()
	for range 2 {
		c = f.Merge(s.page(3, c.Gap.Cursor))
		if c.Gap == nil {
			break
		}
	}
	if c.Gap != nil || len(f.Gaps()) != 0 || f.Len() != 10 {
		t.Errorf("gap %+v, rows %s", c.Gap, ids(f))
	}
	if now, _ := f.Older(); now != older {
		t.Errorf("polling moved the cursor of older history from %q to %q", older, now)
	}
}

// Within a second, the order is the service's, wherever it lists new operations.
func TestFeedOrdersASecondAsTheServiceDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, f := newService(&clock{step: 10 * time.Millisecond}), New("p")
		s.hard = true
		for range rapid.IntRange(1, 6).Draw(t, "polls") {
			s.birth(rapid.IntRange(1, 50).Draw(t, "n"), false)
			cursor := ""
			for more := true; more; {
				c := f.Merge(s.page(rapid.IntRange(1, 60).Draw(t, "limit"), cursor))
				if more = c.Gap != nil; more {
					cursor = c.Gap.Cursor
				}
			}
		}
		for cursor, ok := f.Older(); ok; cursor, ok = f.Older() {
			f.Merge(s.page(20, cursor))
		}
		if len(s.ops) != f.Len() {
			t.Fatalf("%d of %d operations", f.Len(), len(s.ops))
		}
		for i, op := range s.ops {
			if f.At(i).ID != op.ID {
				t.Fatalf("row %d is %s, not %s", i, f.At(i).ID, op.ID)
			}
		}
	})
}

// Whatever the service sends after its last page, the end of the history stays the end.
func TestFeedEndOfHistoryStaysTheEnd(t *testing.T) {
	t.Parallel()
	for end := range 3 {
		t.Run(strconv.Itoa(end), func(t *testing.T) {
			t.Parallel()
			s, f := newService(new(clock)), New("p")
			s.inclined = end
			s.birth(3, false)
			f.Merge(s.page(3, ""))
			for cursor, ok := f.Older(); ok; cursor, ok = f.Older() {
				f.Merge(s.page(3, cursor))
			}
			f.Merge(s.page(3, ""))
			s.birth(1, false)
			f.Merge(s.page(3, ""))
			if !f.Ended() {
				t.Error("a poll forgot that history had ended")
			}
		})
	}
}

// An answer that a newer one has overtaken changes nothing.
func TestFeedKeepsTheNewerAnswer(t *testing.T) {
	t.Parallel()
	s, f := newService(new(clock)), New("p")
	s.birth(1, false)
	slow := s.page(3, "")
	s.finish(0, models.StatusFinished)
	if c := f.Merge(s.page(3, "")); len(c.Added) != 1 {
		t.Fatalf("added %d", len(c.Added))
	}
	if c := f.Merge(slow); len(c.Changed) != 0 || f.At(0).Status != models.StatusFinished {
		t.Errorf("an answer that was overtaken changed %s to %s", f.At(0).ID, f.At(0).Status)
	}
	untimed := f.At(0)
	op := *untimed
	op.UpdatedAt, op.Status = time.Time{}, models.StatusFailed
	if c := f.Update(op, s.tick()); len(c.Changed) != 1 || c.Changed[0].Before.Status != models.StatusFinished {
		t.Errorf("without a timestamp the later answer counts: %+v", c)
	}
	if untimed.Status != models.StatusFinished {
		t.Error("an operation that was handed out was written to")
	}
}

// An operation without a possible time keeps its place between its neighbours.
func TestFeedPlacesOperationsWithoutATime(t *testing.T) {
	t.Parallel()
	s, f := newService(new(clock)), New("p")
	s.birth(4, false)
	p := s.page(4, "")
	p.Items[0].CreatedAt = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	p.Items[2].CreatedAt = time.Time{}
	f.Merge(p)
	if got := ids(f); got != "3 2 1 " && got != "2 3 1 " {
		t.Errorf("rows %q", got)
	}
	before := ids(f)
	p.AsOf = s.tick()
	if f.Merge(p); ids(f) != before {
		t.Errorf("polling again moved rows: %q, then %q", before, ids(f))
	}
	s.birth(9, false)
	head := s.page(4, "")
	head.Items[0] = p.Items[0]
	if c := f.Merge(head); c.Gap == nil {
		t.Error("an operation of the year 9999 hides a gap")
	}
}

// Unfinished operations that are on no newest page any more are overdue, until they are read or are gone. The newest comes
// first.
func TestFeedOverdue(t *testing.T) {
	t.Parallel()
	s, f := newService(new(clock)), New("p")
	s.birth(5, false)
	f.Merge(s.page(5, ""))
	s.birth(3, false)
	f.Merge(s.page(3, ""))
	five := []string{"op-000004", "op-000003", "op-000002", "op-000001", "op-000000"}
	if got := overdueIDs(f); !slices.Equal(got, five) {
		t.Errorf("overdue %v", got)
	}
	op, _ := s.get("op-000000")
	f.Update(op, s.tick())
	if got := overdueIDs(f); !slices.Equal(got, five[:4]) {
		t.Errorf("one that was just read is asked for again: %v", got)
	}
	f.Vanish("op-000001", s.tick())
	if i, _ := f.Find("op-000001"); !f.At(i).Gone || slices.Contains(overdueIDs(f), "op-000001") {
		t.Error("one that vanished is not shown as gone, or still asked for")
	}
}

// BenchmarkFeedMerge merges a page of a hundred new operations.
func BenchmarkFeedMerge(b *testing.B) {
	for _, c := range upTo([]benchSize{{1, 1_000}, {1, 10_000}, {1, 100_000}, {1, 1_000_000}}) {
		n := c.rows
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s, f := newService(new(clock)), New("p")
			s.birth(100, false)
			old := models.Page[models.Operation]{AsOf: s.now}
			for i := range n {
				at := epoch().Add(-time.Duration(i) * time.Second)
				old.Items = append(old.Items, models.Operation{ID: fmt.Sprintf("old-%08d", i), CreatedAt: at, UpdatedAt: at, Status: models.StatusFinished})
			}
			f.Merge(old)
			if f.Len() != n {
				b.Fatalf("%d of %d operations are loaded", f.Len(), n)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p := models.Page[models.Operation]{AsOf: s.tick(), Next: "more"}
				for j := range 100 {
					at := s.now.Add(-time.Duration(j) * time.Millisecond)
					p.Items = append(p.Items, models.Operation{ID: fmt.Sprintf("new-%d-%d", i, j), CreatedAt: at, UpdatedAt: at, Status: models.StatusFinished})
				}
				f.Merge(p)
			}
		})
	}
}

// An operation without an id cannot be requested.
func TestFeedOverdueWithoutAnID(t *testing.T) {
	t.Parallel()
	f := New("p")
	at := time.Date(2025, 3, 2, 12, 0, 0, 0, time.UTC)
	var nameless models.Operation
	if err := nameless.UnmarshalJSON([]byte(`{"status":"running"}`)); err != nil {
		t.Fatal(err)
	}
	f.Merge(models.Page[models.Operation]{Items: []models.Operation{nameless, {ID: "a", Status: models.StatusRunning, CreatedAt: at}}, AsOf: at})
	f.Merge(models.Page[models.Operation]{Items: []models.Operation{{ID: "b", CreatedAt: at.Add(time.Second)}}, AsOf: at.Add(time.Second)})
	if got := overdueIDs(f); len(got) != 1 || got[0] != "a" {
		t.Errorf("to be read: %q", got)
	}
}

func overdueIDs(f *Feed) (ids []string) {
	for _, e := range f.overdue() {
		ids = append(ids, e.op().ID)
	}
	return ids
}

// first returns the first n ids.
func first(n int, ids []string) []string { return ids[:min(n, len(ids))] }

// Head pages of one second that arrive in another order than they were requested leave no gap that stays: the order of
// their rows is a guess, and a page that stays in the second leads on although its rows are known.
func TestFeedLateHeadPagesOfOneSecond(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0))
		s, f := newService(&clock{step: time.Millisecond}), New("p")
		s.repeats = true
		s.birth(5, false)
		var heads []models.Page[models.Operation]
		for range 3 {
			s.birth(3, false)
			heads = append(heads, s.page(3, ""))
		}
		s.now = s.now.Add(3 * time.Second)
		s.birth(4, false)
		f.Merge(s.page(3, ""))
		for _, i := range random.Perm(len(heads)) {
			f.Merge(heads[i])
		}
		for range 200 {
			if len(f.edges) > 0 {
				f.Merge(s.page(3, f.edges[random.IntN(len(f.edges))].cursor))
			}
		}
		if f.Len() != len(s.ops) || len(f.edges) > 0 {
			t.Errorf("%d: %d of %d operations are known, gaps are %v", seed, f.Len(), len(s.ops), f.Gaps())
		}
	}
}

// Where paging broke in the newest known second, and goes on later, all of that second is read: newer rows that came to be
// known meanwhile tell nothing of it.
func TestFeedSecondInWhichPagingBrokeIsReadWhole(t *testing.T) {
	t.Parallel()
	f := New("p")
	page := func(cursor, next, damage string, ids ...string) {
		p := models.Page[models.Operation]{Cursor: cursor, Next: next, Damage: damage, AsOf: at(9), ServiceTime: at(9)}
		for _, id := range ids {
			second := map[byte]float64{'a': 1, 'b': 3}[id[0]]
			p.Items = append(p.Items, models.Operation{ID: id, CreatedAt: at(second), Status: models.StatusFinished})
		}
		f.Merge(p)
	}
	page("", "", "", "a1", "a3")
	page("", "", cut, "b", "a1")
	page("", "N", "", "b", "a1")
	page("N", "M", "", "a2", "a3")
	if cursor, more := f.Older(); cursor != "M" || !more {
		t.Errorf("the rest of the second is not read: %+v", f.edges)
	}
}
