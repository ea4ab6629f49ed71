package timeline

import (
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // a constant, had Go such times

func byProject(project string, _ *models.Operation) string { return project }

// operation is one that began so long after noon and lasted so long, or goes on if that is negative.
func operation(id, project string, after, took time.Duration, status models.Status) *models.Operation {
	op := &models.Operation{ID: id, ProjectID: project, Action: "create_branch", Status: status, CreatedAt: noon.Add(after)}
	op.UpdatedAt = op.CreatedAt.Add(max(0, took))
	return op
}

// world is some operations, in any order and of any length.
func world(t *rapid.T) []*models.Operation {
	status := rapid.SampledFrom([]models.Status{
		models.StatusFinished, models.StatusFinished, models.StatusFailed, models.StatusRunning, models.StatusCancelled,
	})
	length := rapid.SampledFrom([]time.Duration{0, time.Second, 20 * time.Second, 3 * time.Minute, 2 * time.Hour})
	var all []*models.Operation
	for i := range rapid.IntRange(0, 700).Draw(t, "operations") {
		project := fmt.Sprint("p", rapid.IntRange(0, 9).Draw(t, "project"))
		at := time.Duration(rapid.IntRange(-3600, 3600).Draw(t, "at")) * time.Second
		all = append(all, operation(fmt.Sprint(i), project, at, length.Draw(t, "took"), status.Draw(t, "status")))
	}
	return all
}

func viewOf(t *rapid.T) View {
	span := rapid.SampledFrom(spans[:10]).Draw(t, "span")
	v := View{Cells: rapid.IntRange(1, 180).Draw(t, "cells"), Lines: rapid.IntRange(1, 30).Draw(t, "lines")}
	v.Cell = span / time.Duration(v.Cells)
	v.To = noon.Add(time.Duration(rapid.IntRange(-1800, 3600).Draw(t, "to")) * time.Second)
	v.Now = v.To
	if rapid.Bool().Draw(t, "past") {
		v.Now = noon.Add(time.Hour)
	}
	return v
}

func indexOf(all []*models.Operation) *Index {
	x := NewIndex(byProject)
	for _, op := range all {
		x.Count(op.ProjectID, op, +1)
	}
	return x
}

// seenIn are the operations that lie in the time of a view.
func seenIn(all []*models.Operation, l *Layout) (seen []*models.Operation) {
	for _, op := range all {
		if t, ok := Place(op.ProjectID, op); ok && l.Sees(&t) {
			seen = append(seen, op)
		}
	}
	return seen
}

func TestEveryOperationIsInABarOrCountedInAStrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := world(t)
		l := indexOf(all).Lay(viewOf(t))
		want, failed := seenIn(all, l), 0
		drawn, count := map[feed.Key]bool{}, 0
		for _, op := range want {
			failed += number(op.Status.Failed())
		}
		for _, lane := range l.Lanes {
			inLane := len(lane.Bars)
			for _, b := range lane.Bars {
				if drawn[b.Key()] {
					t.Fatalf("%v is drawn twice", b.Key())
				}
				drawn[b.Key()] = true
			}
			for _, h := range lane.Strip {
				if h.Failed > h.Count || h.Count < 0 {
					t.Fatalf("%+v", h)
				}
				inLane += h.Count
			}
			if count += inLane; inLane != lane.Count {
				t.Fatalf("%d drawn of %d in %s", inLane, lane.Count, lane.ID)
			}
		}
		if count != len(want) || l.Count != len(want) || l.Failed != failed {
			t.Fatalf("%d drawn, %d counted (%d failed), want %d (%d)", count, l.Count, l.Failed, len(want), failed)
		}
	})
}

func TestNoTwoBarsShareACell(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := indexOf(world(t)).Lay(viewOf(t))
		line := 0
		for _, lane := range l.Lanes {
			taken := map[[2]int]bool{}
			for _, b := range lane.Bars {
				if b.Row >= lane.Rows || b.From >= b.To || b.From < 0 || b.To > l.Cells*eighths {
					t.Fatalf("%+v of %d rows", b, lane.Rows)
				}
				for cell := b.first(); cell <= b.last(); cell++ {
					if taken[[2]int{b.Row, cell}] {
						t.Fatalf("two bars in row %d, cell %d", b.Row, cell)
					}
					taken[[2]int{b.Row, cell}] = true
				}
			}
			if lane.Line < line || lane.Line > line+1 {
				t.Fatalf("lane at %d, the one before ends at %d", lane.Line, line)
			}
			line = lane.Line + lane.Rows
		}
		if line > l.Lines {
			t.Fatalf("%d lines of %d", line, l.Lines)
		}
	})
}

// A lane is a strip only where the lines that are left cannot hold its bars.
func TestBarsWhileThereIsRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := indexOf(world(t)).Lay(viewOf(t))
		free, lanes := l.Lines, map[string]*sight{}
		for i := range l.order {
			lanes[l.order[i].id] = &l.order[i]
		}
		for _, lane := range l.Lanes {
			free -= lane.Rows
		}
		if l.Quiet > 0 && l.Lines > spare && l.Folded == 0 {
			free--
		}
		for _, lane := range l.Lanes {
			if lane.Strip != nil && !lane.Fold && l.rows(lanes[lane.ID], lane.Rows+free) > 0 {
				t.Fatalf("%s is a strip, and %d of %d lines are free", lane.ID, free, l.Lines)
			}
		}
	})
}

// The busiest lane gets the lines that others do not need, and does not take theirs.
func TestLanesShareTheLines(t *testing.T) {
	t.Parallel()
	x := NewIndex(byProject)
	add := func(project string, n int, took time.Duration, status models.Status) {
		for i := range n {
			id, after := fmt.Sprint(project, i), -8*time.Minute+time.Duration(i)*10*time.Second
			x.Count(project, operation(id, project, after, took, status), +1)
		}
	}
	add("busy", 12, 5*time.Minute, models.StatusFailed)
	for i := range 5 {
		add(fmt.Sprint("calm", i), 2, time.Minute, models.StatusFinished)
	}
	rows := func(lines int) (rows []int) {
		for _, lane := range x.Lay(View{Cells: 100, Lines: lines, Cell: 6 * time.Second, To: noon, Now: noon}).Lanes {
			if lane.Strip != nil {
				lane.Rows = 0
			}
			rows = append(rows, lane.Rows)
		}
		return rows
	}
	for lines, want := range map[int][]int{
		2: {0, 0}, 6: {0, 0, 0, 0, 0, 0}, 8: {0, 2, 2, 0, 0, 0}, 12: {0, 2, 2, 2, 2, 2}, 21: {0, 2, 2, 2, 2, 2}, 22: {12, 2, 2, 2, 2, 2},
		5: {0, 0, 0, 0, 0}, // the last one is of all others
	} {
		if got := rows(lines); !slices.Equal(got, want) {
			t.Errorf("%d lines: %v, want %v", lines, got, want)
		}
	}
}

// The layout depends on what there is, and not on how it came: in which order, how often it changed, or what left.
func TestTheOrderOfArrivalDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, v := world(t), viewOf(t)
		x, shuffled := indexOf(all), slices.Clone(all)
		rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed"))).Shuffle(len(all), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
		})
		y := NewIndex(byProject)
		for i, op := range shuffled {
			before := *op
			before.Status, before.UpdatedAt = models.StatusRunning, op.CreatedAt
			other := operation(fmt.Sprint("gone", i), "other", 0, time.Minute, models.StatusFailed)
			y.Count("other", other, +1)
			y.Count(op.ProjectID, &before, +1)
			y.Lay(v)
			y.Count(op.ProjectID, &before, -1)
			y.Count(op.ProjectID, op, +1)
			y.Count("other", other, -1)
		}
		a, b := x.Lay(v), y.Lay(v)
		if !reflect.DeepEqual(a.Lanes, b.Lanes) || !reflect.DeepEqual(a.Level, b.Level) || a.Count != b.Count {
			t.Fatalf("%+v\n%+v", a.Lanes, b.Lanes)
		}
		for _, q := range []float64{0.5, 0.95} {
			m, _ := a.Took.Quantile(q)
			if n, _ := b.Took.Quantile(q); m != n {
				t.Fatalf("%v and %v", m, n)
			}
		}
	})
}

func TestLevelIsHowManyRanAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, v := world(t), viewOf(t)
		v.Now = v.To
		l := indexOf(all).Lay(v)
		cell := rapid.IntRange(0, v.Cells-1).Draw(t, "cell")
		from := v.From().Add(time.Duration(cell) * v.Cell)
		to, peak := from.Add(v.Cell), 0
		runs := func(op *models.Operation, at time.Time) bool {
			end := op.UpdatedAt
			if !end.After(op.CreatedAt) {
				end = op.CreatedAt.Add(1)
			}
			return !op.CreatedAt.After(at) && (!op.Done() || end.After(at))
		}
		moments := []time.Time{from}
		for _, op := range all {
			if at := op.CreatedAt; !at.Before(from) && (at.Before(to) || cell == v.Cells-1) {
				moments = append(moments, at)
			}
		}
		for _, at := range moments {
			n := 0
			for _, op := range all {
				n += number(runs(op, at))
			}
			peak = max(peak, n)
		}
		if got := l.Level[cell].Peak; got != peak {
			t.Fatalf("cell %d: %d at once, want %d", cell, got, peak)
		}
	})
}

// Every operation of a lane with bars can be walked to, from the last one back to the first and forward again.
func TestWalkGoesThroughTheLane(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := world(t)
		x := indexOf(all)
		if len(x.lanes) == 0 {
			return
		}
		id := rapid.SampledFrom(slices.Sorted(maps.Keys(x.lanes))).Draw(t, "lane")
		var lane []Task
		for _, b := range x.lanes[id].blocks {
			lane = append(lane, b.items...)
		}
		l := &Layout{View: View{Cells: 100, Lines: 20, Cell: 10 * time.Minute, To: noon.Add(4 * time.Hour), Now: noon}, Lane: id}
		for i := range lane {
			later, ok := x.Walk(l, &lane[i], true)
			if ok != (i < len(lane)-1) || ok && later != lane[i+1].Key() {
				t.Fatalf("after %d of %d: %v %v", i, len(lane), later, ok)
			}
			earlier, ok := x.Walk(l, &lane[i], false)
			if ok != (i > 0) || ok && earlier != lane[i-1].Key() {
				t.Fatalf("before %d of %d: %v %v", i, len(lane), earlier, ok)
			}
		}
	})
}

func TestWalkFromOutsideStaysInTheView(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, v := world(t), viewOf(t)
		out := operation("out", "p1", -24*time.Hour, time.Second, models.StatusFinished)
		all = append(all, out)
		from, _ := Place(out.ProjectID, out)
		v.Selected = &from
		x := indexOf(all)
		l := x.Lay(v)
		later := rapid.Bool().Draw(t, "later")
		walked, ok := x.Walk(l, &from, later)
		crossed, across := l.Cross(&from, later)
		for _, op := range all {
			got, _ := Place(op.ProjectID, op)
			if is := got.Key(); (ok && is == walked || across && is == crossed) && !l.Sees(&got) {
				t.Fatalf("walked to %v, which is not in the view", is)
			}
		}
		if seen := l.Count > 0; ok != seen {
			t.Fatalf("walked: %v, %d are in the view", ok, l.Count)
		}
	})
}

// incident is a branch that waits for a check and fails, and is tried again, beside a lane with too much for bars.
func incident() *Index {
	x := NewIndex(byProject)
	add := func(project string, after, took time.Duration, status models.Status, failures int64) {
		op := operation(fmt.Sprint(project, after), project, after, took, status)
		op.FailuresCount = failures
		x.Count(project, op, +1)
	}
	add("storefront", -9*time.Minute, 4*time.Minute, models.StatusFinished, 0)
	add("storefront", -8*time.Minute, 3*time.Minute+10*time.Second, models.StatusFailed, 2)
	add("storefront", -4*time.Minute-20*time.Second, 90*time.Second, models.StatusCancelled, 0)
	add("storefront", -100*time.Second, 0, models.StatusRunning, 1)
	add("billing", -6*time.Minute, 5*time.Second, models.StatusFinished, 0)
	add("billing", -3*time.Minute, 75*time.Second, models.StatusFinished, 0)
	add("billing", -30*time.Second, 0, models.StatusScheduling, 0)
	for i := range 90 {
		status := models.StatusFinished
		if i%40 == 20 {
			status = models.StatusFailed
		}
		add("search", -time.Duration(i*i)*100*time.Millisecond-time.Second, time.Second, status, 0)
	}
	add("archive", -3*time.Hour, time.Second, models.StatusFinished, 0)
	return x
}

func drawn(cells, lines, label int, theme *style.Theme) []string {
	cell := 10 * time.Minute / time.Duration(cells)
	to := noon.Truncate(cell).Add(cell)
	view := View{Cells: cells, Head: 2, Lines: lines, Cell: cell, To: to, Now: noon, Known: noon.Add(-8*time.Minute - 30*time.Second)}
	return drawnOf(incident(), view, label, theme)
}

func drawnOf(x *Index, view View, label int, theme *style.Theme) []string {
	signs := map[models.Status]struct {
		sign string
		tone style.Tone
	}{
		models.StatusFinished: {"✓", style.Good}, models.StatusFailed: {"✗", style.Bad}, models.StatusRunning: {"◐", style.Active},
		models.StatusCancelled: {"⊘", style.Muted}, models.StatusScheduling: {"◌", style.Waiting},
	}
	return x.Lay(view).Draw(Look{
		Theme: theme, Label: label, Axis: "10 min UTC", Now: noon, Name: func(id string) string { return id },
		Status: func(t *Task) (string, style.Tone) { s := signs[t.Op.Status]; return s.sign, s.tone },
		Text:   func(t *Task) string { return t.Op.Action.Title() + Retried(t.Op) },
	})
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	plain := style.ChooseTheme(style.Monochrome, true, colorprofile.ASCII)
	got := drawn(66, 9, 16, plain)
	for i := range got {
		got[i] = strings.TrimRight(ansi.Strip(got[i]), " ")
	}
	want := `
   peak       6 ▂╱▂▂╱▂▃▃▃▂▃▃▃▄▄▃▄▄▃▄▄▄▄▄▄▄✗▄▄▄▃▄▄✗▂▂▂▂▃▃▃▃▃▃▃▃▄▃▃▃▃▃▃▃▂▃▃▃▃▃▃✗▄▄▄█
   10 min UTC               11:52         11:54        11:56        11:58      now
 ✗ search    78 ▁╱▁▁╱▁▁╱▁▏▁▁┊▁▁ ▁▁ ▁▁▁ ▁▁✗┊▁▁▁ ▁▁▁▁▁▁ ▁▁▁▁▁▁▁▁▁▂▁▁▁▁▂▁▁▂▂▁▂▂▂✗▃▃▅█
                            ┊             ┊            ┊            ┊            │
 ✗ storefront 4 ╱╱╱╱╱╱✓ Create branch                ⊘ Crea… ╌╌     ┊ ◐ Create… ▒▒
                ╱╱╱╱╱╱╱╱╱▏  ✗ Create branch ×2         ┊            ┊            │
                            ┊             ┊            ┊            ┊            │
 ◐ billing    3 ╱╱╱╱╱╱╱╱╱▏  ┊             ✓            ┊     ✓ Create…        ◌╌╌╌
   1 quiet      ╱╱╱╱╱╱╱╱╱▏  ┊             ┊            ┊            ┊            │
`
	if text := strings.TrimSpace(strings.Join(got, "\n")); text != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

func TestEveryThemeDrawsWholeLines(t *testing.T) {
	t.Parallel()
	for _, name := range style.ThemeNames() {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII} {
			for _, cells := range []int{1, 30, 66, 172} {
				for i, line := range drawn(cells, 9, 16, style.ChooseTheme(name, true, profile)) {
					if w := style.Width(line); w != cells+16 {
						t.Errorf("%s in %s: line %d of %d cells has %d: %q", name, profile, i, cells+16, w, ansi.Strip(line))
					}
				}
			}
		}
	}
}

// An operation that is selected and not in view is marked at its lane, on the side of the time where it lies.
func TestASelectionThatIsNotInView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at     time.Duration // from noon
		beside string
	}{{-5 * time.Minute, ""}, {-20 * time.Minute, "◂"}, {time.Minute, "▸"}} {
		x, op := incident(), operation("it", "storefront", c.at, time.Second, models.StatusFinished)
		x.Count("storefront", op, +1)
		selected, _ := Place("storefront", op)
		v := View{Cells: 60, Lines: 9, Cell: 10 * time.Second, To: noon, Now: noon.Add(time.Hour), Selected: &selected}
		if l := x.Lay(v); l.Beside() != c.beside || l.Shows() != (c.beside == "") {
			t.Errorf("%v: %q, %v", c.at, l.Beside(), l.Shows())
		}
		lines := strings.Join(drawnOf(x, v, 16, style.ChooseTheme(style.Monochrome, true, colorprofile.ASCII)), "\n")
		if !strings.Contains(ansi.Strip(lines), c.beside) {
			t.Errorf("%v:\n%s", c.at, ansi.Strip(lines))
		}
	}
}

func TestZoom(t *testing.T) {
	t.Parallel()
	span := time.Minute
	for range 40 {
		next := Zoom(span, false)
		if next != span && Zoom(next, true) != span {
			t.Errorf("%v in from %v", Zoom(next, true), next)
		}
		span = next
	}
	if span != 30*day || Zoom(time.Minute, true) != time.Minute {
		t.Errorf("the ends are %v and %v", span, Zoom(time.Minute, true))
	}
}

func TestSaying(t *testing.T) {
	t.Parallel()
	view := View{Cells: 60, Lines: 9, Cell: 10 * time.Second, To: noon, Now: noon}
	lines := incident().Lay(view).Say(style.Times{}, strings.ToUpper, func(t *Task) string { return string(t.Op.Status) })
	want := []string{
		"78 operations of SEARCH, 2 failed, between 11:50 and 12:00, 4 at the same time: the last are " +
			"finished, finished, finished, finished, finished.",
		"4 operations of STOREFRONT, 1 failed, between 11:51 and 12:00, 2 at the same time: finished, failed, cancelled, running.",
		"3 operations of BILLING between 11:54 and 12:00: finished, finished, scheduling.",
		"1 lane without operations in this time.",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}
