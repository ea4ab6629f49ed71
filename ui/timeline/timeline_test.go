package timeline

import (
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/feed"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // a constant, had Go such times

func byProject(project string, _ *models.Operation) string { return project }

// operation returns an operation that began after past noon and took that long; negative: it is unfinished.
func operation(id, project string, after, took time.Duration, status models.Status) *models.Operation {
	op := &models.Operation{ID: id, ProjectID: project, Action: "create_branch", Status: status, CreatedAt: noon.Add(after)}
	op.UpdatedAt = op.CreatedAt.Add(max(0, took))
	return op
}

// operations draws operations in any order and of any duration.
func operations(t *rapid.T) []*models.Operation {
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

func viewOf(t *rapid.T) Spec {
	span := rapid.SampledFrom(spans[:10]).Draw(t, "span")
	v := Spec{Cells: rapid.IntRange(1, 180).Draw(t, "cells"), Lines: rapid.IntRange(1, 30).Draw(t, "lines")}
	v.Cell = span / time.Duration(v.Cells)
	v.To = noon.Add(time.Duration(rapid.IntRange(-1800, 3600).Draw(t, "to")) * time.Second)
	v.Now = v.To
	if rapid.Bool().Draw(t, "past") {
		v.Now = noon.Add(time.Hour)
	}
	return v
}

func indexOf(all []*models.Operation) *Index {
	return NewIndex(byProject, func(yield func(string, *models.Operation) bool) {
		for _, op := range all {
			if !yield(op.ProjectID, op) {
				return
			}
		}
	})
}

// inViewOf returns the operations in view.
func inViewOf(all []*models.Operation, l *Chart) (inView []*models.Operation) {
	for _, op := range all {
		if t, ok := NewTask(op.ProjectID, op); ok && l.Overlaps(&t) {
			inView = append(inView, op)
		}
	}
	return inView
}

// Each operation in view is a bar, or is counted in a strip or beside its lane.
func TestLanesHaveEveryOperationInABarOrCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := operations(t)
		l := indexOf(all).Chart(viewOf(t))
		want, failed := inViewOf(all, l), 0
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
					t.Fatalf("wrong counts: %+v", h)
				}
				inLane += h.Count
			}
			if count += inLane; inLane != lane.Count {
				t.Fatalf("lane %s: %d operations drawn, want %d", lane.ID, inLane, lane.Count)
			}
		}
		if count != len(want) || l.Count != len(want) || l.Failed != failed {
			t.Fatalf("%d operations drawn, %d counted, %d failed; want %d and %d failed", count, l.Count, l.Failed, len(want), failed)
		}
	})
}

// Two bars of a row never share a cell, and none leaves its lane.
func TestBarsShareNoCell(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := indexOf(operations(t)).Chart(viewOf(t))
		line := 0
		for _, lane := range l.Lanes {
			taken := map[[2]int]bool{}
			for _, b := range lane.Bars {
				if b.Row >= lane.Rows || b.From >= b.To || b.From < 0 || b.To > l.Cells*eighths {
					t.Fatalf("bar %+v is outside of the %d rows", b, lane.Rows)
				}
				for cell := b.first(); cell <= b.last(); cell++ {
					if taken[[2]int{b.Row, cell}] {
						t.Fatalf("two bars in row %d, cell %d", b.Row, cell)
					}
					taken[[2]int{b.Row, cell}] = true
				}
			}
			if lane.Line < line || lane.Line > line+1 {
				t.Fatalf("the lane begins at line %d, the previous one ends at %d", lane.Line, line)
			}
			line = lane.Line + lane.Rows
		}
		if line > l.Lines {
			t.Fatalf("%d lines used, there are %d", line, l.Lines)
		}
	})
}

// A lane is a strip only if its bars do not fit into the remaining lines.
func TestBarsWhileThereIsRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := indexOf(operations(t)).Chart(viewOf(t))
		free, lanes := l.Lines, map[string]*lane{}
		for _, s := range l.order {
			lanes[s.id] = s
		}
		for _, lane := range l.Lanes {
			free -= lane.Rows
		}
		if l.Quiet > 0 && l.Lines > fewLines && l.Folded == 0 {
			free--
		}
		for _, lane := range l.Lanes {
			if lane.Strip != nil && !lane.Fold && l.rows(lanes[lane.ID], lane.Rows+free) > 0 {
				t.Fatalf("lane %s is a strip although %d of %d lines are free", lane.ID, free, l.Lines)
			}
		}
	})
}

// The busiest lane gets the lines that the others do not need.
func TestLanesShareTheLines(t *testing.T) {
	t.Parallel()
	var all []*models.Operation
	add := func(project string, n int, took time.Duration, status models.Status) {
		for i := range n {
			id, after := fmt.Sprint(project, i), -8*time.Minute+time.Duration(i)*10*time.Second
			all = append(all, operation(id, project, after, took, status))
		}
	}
	add("busy", 12, 5*time.Minute, models.StatusFailed)
	for i := range 5 {
		add(fmt.Sprint("calm", i), 2, time.Minute, models.StatusFinished)
	}
	rows := func(lines int) (rows []int) {
		for _, lane := range indexOf(all).Chart(Spec{Cells: 100, Lines: lines, Cell: 6 * time.Second, To: noon, Now: noon}).Lanes {
			if lane.Strip != nil {
				lane.Rows = 0
			}
			rows = append(rows, lane.Rows)
		}
		return rows
	}
	for lines, want := range map[int][]int{
		2: {0, 0}, 6: {0, 0, 0, 0, 0, 0}, 8: {0, 2, 2, 0, 0, 0}, 12: {0, 2, 2, 2, 2, 2}, 21: {0, 2, 2, 2, 2, 2}, 22: {12, 2, 2, 2, 2, 2},
		5: {0, 0, 0, 0, 0}, // the last one folds all others
	} {
		if got := rows(lines); !slices.Equal(got, want) {
			t.Errorf("%d lines: %v, want %v", lines, got, want)
		}
	}
}

// An unfinished bar grows without moving others.
func TestBarsThatGrowMoveNoOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, v := indexOf(operations(t)), viewOf(t)
		v.Now = noon
		rows := func() (rows map[feed.Key]int) {
			rows = map[feed.Key]int{}
			for _, lane := range x.Chart(v).Lanes {
				for _, b := range lane.Bars {
					rows[b.Key()] = b.Row + lane.Line
				}
			}
			return rows
		}
		v.To = noon.Add(10 * time.Minute)
		before := rows()
		v.Now = noon.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "later")) * time.Second)
		if after := rows(); !maps.Equal(before, after) {
			t.Fatalf("rows before: %v\nrows after: %v", before, after)
		}
	})
}

// The order of the operations changes nothing of the chart.
func TestChartDoesNotDependOnTheOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, v := operations(t), viewOf(t)
		a := indexOf(all).Chart(v)
		rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed"))).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		b := indexOf(all).Chart(v)
		if !reflect.DeepEqual(a.Lanes, b.Lanes) || !reflect.DeepEqual(a.Level, b.Level) || a.Count != b.Count {
			t.Fatalf("lanes: %+v\nand in another order: %+v", a.Lanes, b.Lanes)
		}
	})
}

// The order of the lanes is the same at every size, whatever was selected and is in view beyond the time that is counted.
func TestOrderDoesNotDependOnTheSize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const span = 15 * time.Minute
		index := indexOf(operations(t))
		size := func() Spec {
			cells := rapid.IntRange(20, 180).Draw(t, "cells")
			spec := Spec{Cells: cells, Lines: rapid.IntRange(1, 12).Draw(t, "lines"), Now: noon, Counted: noon.Add(-span)}
			spec.Cell = span * time.Duration(rapid.IntRange(11, 40).Draw(t, "tenths")) / 10 / time.Duration(cells)
			spec.To = noon.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "to")) * time.Second)
			spec.Slow = func(t *Task) bool { return t.Op.Took(noon).Value > time.Minute }
			return spec
		}
		order := func(c *Chart) (ids []string) {
			for _, form := range c.Forms() {
				ids = append(ids, form.ID)
			}
			return ids
		}
		expected := order(index.Chart(size()))
		spec, kept := size(), []Form(nil)
		for range 4 {
			if len(index.tasks) > 0 {
				spec.Selected = &index.tasks[rapid.IntRange(0, len(index.tasks)-1).Draw(t, "selected")]
			}
			spec.Kept = kept
			chart := index.Chart(spec)
			kept = chart.Forms()
			if got := order(chart); !slices.Equal(got, expected) {
				t.Fatalf("%v at %d cells and %d lines, %v at others", got, spec.Cells, spec.Lines, expected)
			}
		}
	})
}

// A slow operation comes first only if it counts, and its lane has few operations that count: more or fewer others are in view.
func TestOrderOfSlowLanes(t *testing.T) {
	t.Parallel()
	const span = 15 * time.Minute
	all := []*models.Operation{
		operation("quick", "latest", -time.Minute, time.Second, models.StatusFinished),
		operation("slow", "counts", -2*time.Minute, time.Minute, models.StatusFinished),
		operation("recent", "before", -3*time.Minute, time.Second, models.StatusFinished),
		operation("long ago", "before", -20*time.Minute, time.Minute, models.StatusFinished),
	}
	for i := range slowSearch + 1 {
		all = append(all, operation(fmt.Sprint("many", i), "counts", -25*time.Minute, time.Second, models.StatusFinished))
	}
	for _, spans := range []time.Duration{1, 2} {
		chart := indexOf(all).Chart(Spec{
			Cells: 100, Lines: 10, Cell: spans * span / 100, To: noon, Now: noon, Counted: noon.Add(-span),
			Slow: func(t *Task) bool { return t.Op.Took(noon).Value == time.Minute },
		})
		var order []string
		for _, form := range chart.Forms() {
			order = append(order, form.ID)
		}
		if want := []string{"counts", "latest", "before"}; !slices.Equal(order, want) {
			t.Errorf("in %d spans: %v, not %v", spans, order, want)
		}
	}
}

// The level of a cell is the number of operations that ran at once in it.
func TestLevelIsHowManyRanAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, v := operations(t), viewOf(t)
		v.Now = v.To
		l := indexOf(all).Chart(v)
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

// Walking leads to the next operation of the lane or, in a strip, to the nearest one in another cell, and to none before Since.
func TestWalkGoesThroughTheLane(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v, later := viewOf(t), rapid.Bool().Draw(t, "later")
		v.Lines = rapid.IntRange(1, 3).Draw(t, "few lines")
		if rapid.Bool().Draw(t, "since") {
			v.Since = v.From().Add(time.Duration(rapid.IntRange(-600, 60).Draw(t, "since when")) * time.Second)
		}
		x := indexOf(operations(t))
		l := x.Chart(v)
		if len(l.in.tasks) == 0 {
			return
		}
		begin := rapid.SampledFrom(l.in.tasks).Draw(t, "operation")
		l.Lane = begin.Project
		shown, ok := l.Selection()
		strip, want := ok && shown.Strip != nil, feed.Key{}
		from := l.From().Add(time.Duration(l.cellOf(begin.start)) * l.Cell)
		place := slices.IndexFunc(x.tasks, func(o Task) bool { return o.Key() == begin.Key() })
		for i, other := range x.tasks {
			after, before := i > place, i < place
			if strip {
				after, before = !other.Start().Before(from.Add(l.Cell)), other.Start().Before(from)
			}
			leads := other.Project == begin.Project && !other.Start().Before(v.Since)
			if leads && (later && after && want == feed.Key{} || !later && before) {
				want = other.Key()
			}
		}
		if got, ok := x.Walk(l, &begin, later); got != want || ok != (want != feed.Key{}) {
			t.Fatalf("from %v, in a strip %v, it went to %v, want %v", begin.Key(), strip, got, want)
		}
	})
}

// A step from an operation outside of the view leads to one in view, if there is any.
func TestWalkFromOutsideStaysInTheView(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, v := operations(t), viewOf(t)
		out := operation("out", "p1", -24*time.Hour, time.Second, models.StatusFinished)
		all = append(all, out)
		from, _ := NewTask(out.ProjectID, out)
		v.Selected = &from
		if rapid.Bool().Draw(t, "stalled") {
			v.Counted = v.From().Add(-time.Hour) // also what ended before the view
		}
		x := indexOf(all)
		l := x.Chart(v)
		later := rapid.Bool().Draw(t, "later")
		walked, ok := x.Walk(l, &from, later)
		crossed, across := l.StepLane(&from, later)
		for _, op := range all {
			got, _ := NewTask(op.ProjectID, op)
			if is := got.Key(); (ok && is == walked || across && is == crossed) && !l.Overlaps(&got) {
				t.Fatalf("walked to %v, which is out of view", is)
			}
		}
		if n := len(inViewOf(all, l)); ok != (n > 0) {
			t.Fatalf("walked is %v with %d operations in view", ok, n)
		}
	})
}

// While nothing is read, operations count that ended before the view: their lanes have a line, and none to go to.
func TestStepsPassLanesWithoutOperationsInView(t *testing.T) {
	t.Parallel()
	all := []*models.Operation{
		operation("0", "a", 0, time.Second, models.StatusFinished), operation("2", "c", time.Second, time.Second, models.StatusFinished),
	}
	const many = 500
	for i := range many {
		all = append(all, operation(fmt.Sprint("b", i), "b", -time.Hour, time.Second, models.StatusFailed))
	}
	x := indexOf(all)
	from, _ := NewTask("c", &models.Operation{CreatedAt: noon})
	l := x.Chart(Spec{
		Cells: 60, Lines: 9, Cell: time.Second, To: noon.Add(30 * time.Second), Now: noon, Counted: noon.Add(-2 * time.Hour),
		Selected: &from, Kept: []Form{{ID: "a", Rows: 1, Strip: true}, {ID: "b", Rows: 1}, {ID: "c", Rows: 1}},
	})
	if k, ok := l.StepLane(&from, false); !ok || k.ID != "0" || l.Count != many+2 {
		t.Errorf("of %d, it went to %v", l.Count, k)
	}
	if k, ok := l.StepLane(&from, true); ok {
		t.Errorf("it went to %v", k)
	}
	if empty := l.Lanes[1]; empty.ID != "b" || empty.Rows != 1 || empty.Count != many || len(empty.Bars) > 0 {
		t.Errorf("the lane without operations in view is %+v", empty)
	}
}
