package feed

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// pages is a service with one page for each cursor.
type pages map[string]models.Page[models.Operation]

// follow requests the head and then older pages until the feed has enough, at most as often as sane paging needs.
func (s pages) follow(t *testing.T, f *Feed) (odd Anomaly, asked int) {
	t.Helper()
	odd = f.Merge(s.page("")).Anomalies
	for asked = 1; asked < 20; asked++ {
		cursor, more := f.Older()
		if !more {
			return odd, asked
		}
		odd |= f.Merge(s.page(cursor)).Anomalies
	}
	t.Errorf("asked %d times without an end", asked)
	return odd, asked
}

func (s pages) page(cursor string) models.Page[models.Operation] {
	p := s[cursor]
	p.Cursor, p.AsOf, p.ServiceTime = cursor, epoch(), epoch()
	return p
}

// born returns operations created that many minutes ago, named after the minutes.
func born(minutes ...int) []models.Operation {
	var ops []models.Operation
	for _, m := range minutes {
		created := epoch().Add(-time.Duration(m) * time.Minute)
		ops = append(ops, models.Operation{ID: fmt.Sprint(m), CreatedAt: created, UpdatedAt: created, Status: models.StatusFinished})
	}
	return ops
}

func rowIDs(f *Feed) []string {
	out := []string{}
	for i := range f.Len() {
		out = append(out, f.At(i).ID)
	}
	return out
}

// Paging ends whatever cursors and pages a service sends, and tells what was odd.
func TestPagingOfABrokenService(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		service pages
		want    []string
		odd     Anomaly
		asked   int
	}{
		"as it should be": {
			pages{"": {Items: born(1, 2), Next: "A"}, "A": {Items: born(3, 4)}},
			[]string{"1", "2", "3", "4"},
			0, 2,
		},
		"cursors in a circle": {
			pages{
				"":  {Items: born(1, 2), Next: "A"},
				"A": {Items: born(3, 4), Next: "B"},
				"B": {Items: born(3, 4), Next: "A"},
			},
			[]string{"1", "2", "3", "4"},
			anomalyCursor, 3,
		},
		"a circle through the head": {
			pages{"": {Items: born(1, 2), Next: "A"}, "A": {Items: born(1, 2), Next: "B"}, "B": {Items: born(1, 2), Next: "A"}},
			[]string{"1", "2"},
			anomalyCursor, 2,
		},
		"a cursor that leads back and repeats": {
			pages{
				"":  {Items: born(1, 2), Next: "A"},
				"A": {Items: born(3, 4), Next: "B"},
				"B": {Items: born(2, 3), Next: "B"},
			},
			[]string{"1", "2", "3", "4"},
			anomalyCursor, 3,
		},
		"a cursor that leads back to a page without one": {
			pages{
				"":  {Items: born(1, 2), Next: "A"},
				"A": {Items: born(3, 4), Next: "B"},
				"B": {Items: born(2, 3)},
			},
			[]string{"1", "2", "3", "4"},
			anomalyCursor, 3,
		},
		"the same cursor again is an end": {
			pages{"": {Items: born(1, 2), Next: "A"}, "A": {Items: born(3), Next: "A"}},
			[]string{"1", "2", "3"},
			0, 2,
		},
		"an empty page with a cursor is an end": {
			pages{"": {Items: born(1), Next: "A"}, "A": {Next: "B"}, "B": {Items: born(2)}},
			[]string{"1"},
			0, 2,
		},
		"an empty head with a cursor": {pages{"": {Next: "A"}}, []string{}, 0, 1},
		"pages that overlap": {
			pages{"": {Items: born(1, 2, 3), Next: "A"}, "A": {Items: born(2, 3, 4), Next: "B"}, "B": {Items: born(4, 5)}},
			[]string{"1", "2", "3", "4", "5"},
			0, 3,
		},
		"an operation twice": {
			pages{"": {Items: born(1, 2, 2, 1), Next: "A"}, "A": {Items: born(3)}},
			[]string{"1", "2", "3"},
			anomalyDuplicate | anomalyOrder, 2,
		},
		"oldest first": {
			pages{"": {Items: born(2, 1), Next: "A"}, "A": {Items: born(4, 3)}},
			[]string{"1", "2", "3", "4"},
			anomalyOrder, 2,
		},
		"a wrong time that could be": {
			pages{
				"":  {Items: born(1, 500_000, 2), Next: "A"},
				"A": {Items: born(3, 4), Next: "B"},
				"B": {Items: born(5), Next: "C"},
				"C": {Items: born(6)},
			},
			[]string{"1", "2", "3", "4", "5", "6", "500000"},
			anomalyOrder, 4,
		},
		"pagination that cannot be read": {
			pages{"": {Items: born(1), Damage: "pagination is not an object"}},
			[]string{"1"},
			anomalyPagination, 1,
		},
		"pages longer than asked for": {
			pages{"": {Items: born(1, 2, 3), Limit: 2, Next: "A"}, "A": {Items: born(4, 5), Limit: 2}},
			[]string{"1", "2", "3", "4", "5"},
			anomalyLimit, 2,
		},
		"a damaged record": {
			pages{"": {Items: append(born(1), models.Operation{ID: "x", Damage: "no"})}},
			[]string{"1", "x"},
			anomalyRecord, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := New("p")
			odd, asked := c.service.follow(t, f)
			if got := rowIDs(f); !slices.Equal(got, c.want) || odd != c.odd || asked != c.asked {
				t.Errorf("got %v after %d pages, %q; want %v after %d, %q", got, asked, odd.Sentences(), c.want, c.asked, c.odd.Sentences())
			}
			// A circle, or unreadable pagination, is not the end of history.
			broken := odd&(anomalyCursor|anomalyPagination) != 0
			line := NewTimeline(f)
			if n, _ := line.Broken(); f.Ended() == broken || line.Ended() == broken || n == 1 != broken || line.span().Since.IsZero() == broken {
				t.Errorf("ended: %v, broken: %d, %+v", line.Ended(), n, line.span())
			}
			if len(odd.Sentences()) == 0 != (odd == 0) || len(f.Gaps()) > 0 {
				t.Errorf("%q says nothing, or gaps are left: %v", odd.Sentences(), f.Gaps())
			}
		})
	}
}

// Cursors in a circle end within a second as well, although the row below which they began comes again and again.
func TestPagingCircleWithinASecondEnds(t *testing.T) {
	t.Parallel()
	of := func(id, next string) models.Page[models.Operation] {
		return models.Page[models.Operation]{Items: []models.Operation{{ID: id, CreatedAt: epoch()}}, Next: next}
	}
	s, f := pages{"": of("a", "A"), "A": of("b", "B"), "B": of("c", "A")}, New("p")
	f.Merge(s.page(""))
	asked := 0
	for cursor, more := f.Older(); more && asked < 3*mostStrays; cursor, more = f.Older() {
		f.Merge(s.page(cursor))
		asked++
	}
	if f.Len() != 3 || f.broken() == nil {
		t.Errorf("%v after %d pages, broken: %v", rowIDs(f), asked, f.broken())
	}
}

// Where paging broke, the last page that led on is requested again, and history continues after the service recovers.
func TestPagingThatBrokeIsRetried(t *testing.T) {
	t.Parallel()
	well := pages{
		"": {Items: born(1, 2), Next: "A"}, "A": {Items: born(3, 4), Next: "B"}, "B": {Items: born(5)},
	}
	for name, ill := range map[string]pages{
		"a cursor that cannot be read":    {"": well[""], "A": {Items: born(3, 4), Damage: "no"}},
		"at once":                         {"": {Items: born(1, 2), Damage: "no"}},
		"a cursor that leads to the head": {"": well[""], "A": {Items: born(3, 4), Next: "~"}, "~": {Items: born(1, 2), Next: "A"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := New("p")
			ill.follow(t, f)
			for range 2 { // still broken
				f.Merge(ill.page(f.broken().cursor))
				ill.follow(t, f)
				if f.Ended() || f.broken() == nil {
					t.Fatal("the end, although paging is broken")
				}
			}
			f.Merge(well.page(f.broken().cursor))
			well.follow(t, f)
			if got := rowIDs(f); len(got) != 5 || !f.Ended() {
				t.Errorf("%v, ended: %v", got, f.Ended())
			}
		})
	}
}

// An operation with an impossible creation time stays at the server's position, and hides nothing.
func TestTimesThatAreAbsurd(t *testing.T) {
	t.Parallel()
	for created, want := range map[string]struct {
		odd    Anomaly
		damage bool
	}{
		"2026-03-01T11:58:00Z":           {},
		"0000-01-01T00:00:00Z":           {odd: anomalyTime},
		"0001-01-01T00:00:00Z":           {},
		"1970-01-01T00:00:00Z":           {odd: anomalyTime},
		"9999-12-31T23:59:59Z":           {odd: anomalyTime},
		"9999-12-31T23:59:59-23:59":      {odd: anomalyTime},
		"292277026596-12-04T15:30:08Z":   {anomalyRecord, true},
		"-0001-01-01T00:00:00Z":          {anomalyRecord, true},
		"2026-03-01T11:58:00+99:99":      {anomalyRecord, true},
		"2026-03-01T11:58:00":            {anomalyRecord, true},
		"2026-03-01T21:58:00+10:00":      {},
		"2026-03-01T11:58:00.123456789Z": {},
	} {
		t.Run(created, func(t *testing.T) {
			t.Parallel()
			var op models.Operation
			if err := json.Unmarshal([]byte(`{"id":"?","created_at":"`+created+`"}`), &op); err != nil {
				t.Fatal(err)
			}
			s := pages{
				"":  {Items: slices.Concat(born(1), []models.Operation{op}, born(3)), Next: "A"},
				"A": {Items: born(4, 5), Next: "B"},
				"B": {Items: born(6)},
			}
			f := New("p")
			odd, _ := s.follow(t, f)
			row, _ := f.Find("?")
			if f.Len() != 6 || row > 1 || odd != want.odd || op.Damage != "" != want.damage {
				t.Errorf("got %v, %q, damage %q", rowIDs(f), odd.Sentences(), op.Damage)
			}
			if doc := op.JSON(); !json.Valid(doc) {
				t.Errorf("%s is no JSON", doc)
			}
			for _, now := range []time.Time{{}, epoch(), time.Unix(1<<40, 0)} {
				if took := op.Took(now); took.Value < 0 {
					t.Errorf("took %v", took)
				}
			}
		})
	}
}

// Plausible times depend on the service's clock, not on the local one.
func TestTimesThatArePlausibleGoByTheServicesClock(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-2400 * time.Hour, 0, 25 * time.Hour, 2400 * time.Hour} {
		p := pages{"": {Items: born(1, 100_000)}}.page("")
		p.AsOf = p.ServiceTime.Add(-ahead)
		f := New("p")
		if odd := f.Merge(p).Anomalies; odd != 0 || !f.PlacedAt(0).Equal(p.Items[0].CreatedAt) {
			t.Errorf("%v ahead: %q, placed at %v", ahead, odd.Sentences(), f.PlacedAt(0))
		}
	}
}

// A status that goes back is accepted and reported if it is newer.
func TestStatusGoesBack(t *testing.T) {
	t.Parallel()
	f := New("p")
	f.Merge(pages{"": {Items: born(1)}}.page(""))
	again := born(1)[0]
	again.Status = models.StatusRunning
	again.UpdatedAt = again.UpdatedAt.Add(-time.Second)
	if c := f.Update(again, epoch().Add(time.Second)); c.Anomalies != 0 || f.At(0).Status != models.StatusFinished {
		t.Errorf("an older account won: %+v", c)
	}
	again.UpdatedAt = again.UpdatedAt.Add(time.Minute)
	c := f.Update(again, epoch().Add(time.Second))
	if c.Anomalies != anomalyStatus || len(c.Changed) != 1 || f.At(0).Status != models.StatusRunning || f.Unfinished() != 1 {
		t.Errorf("got %+v, %s, %d unfinished", c, f.At(0).Status, f.Unfinished())
	}
}

// A cursor that leads back to newer operations claims nothing of what is below its gap.
func TestPagingCircleDoesNotJoin(t *testing.T) {
	t.Parallel()
	f := New("p")
	began := map[string]int{"a": 40, "b": 39, "c": 45, "d": 42, "newest": 45, "e": 42, "late": 40}
	merge := func(cursor, next string, ids ...string) *Gap {
		p := models.Page[models.Operation]{Cursor: cursor, Next: next, AsOf: at(50), ServiceTime: at(50)}
		for _, id := range ids {
			p.Items = append(p.Items, models.Operation{ID: id, CreatedAt: at(float64(began[id])), Status: models.StatusFinished})
		}
		return f.Merge(p).Gap
	}
	merge("", "older", "a", "b")
	merge("", "~", "c", "d")
	merge("~", "below e", "newest", "c", "e")
	if gap := merge("below e", "below late", "d", "a", "late"); gap == nil || gap.Cursor != "below late" {
		t.Errorf("others of the second of late may be missing, and the gap is %v", gap)
	}
}
