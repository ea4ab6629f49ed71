package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/ui/style"
)

// latest is the number of operations of a lane that are listed.
const latest = 5

// Say describes each lane in a sentence: the number of operations, when they ran, how many at the same time, and the
// latest ones.
func (l *Layout) Say(times style.Times, name func(lane string) string, text func(t *Task) string) (lines []string) {
	for i := range l.Lanes {
		lane := &l.Lanes[i]
		called, failed, tasks := name(lane.ID), "", ""
		if lane.Failed > 0 {
			failed = ", " + style.Count(lane.Failed) + " failed"
		}
		if lane.Fold {
			called = style.Plural(l.Folded, "other lane")
		} else if tasks = l.sayTasks(lane.ID, times, text); failed != "" {
			failed += ","
		}
		lines = append(lines, style.Plural(lane.Count, "operation")+" of "+called+failed+tasks+".")
	}
	if l.Quiet > 0 {
		lines = append(lines, style.Plural(l.Quiet, "lane")+" without operations in this time.")
	}
	return lines
}

// sayTasks describes when the operations of a lane ran within the view, how many at the same time, and the latest ones.
func (l *Layout) sayTasks(lane string, times style.Times, text func(t *Task) string) (said string) {
	now, tasks := l.until(lane), l.tasksOf(lane)
	first, last := l.From().UnixNano(), min(l.To.UnixNano(), l.Now.UnixNano())
	clock := func(at int64) string { return times.In(time.Unix(0, max(first, min(at, last)))).Format("15:04") }
	atOnce, end := overlap(tasks, now)
	if from, to := clock(tasks[0].start), clock(end); from == to {
		said = " at " + from
	} else {
		said = " between " + from + " and " + to
	}
	if atOnce > 1 {
		said += fmt.Sprintf(", %d at the same time", atOnce)
	}
	if said += ": "; len(tasks) > latest {
		tasks = tasks[len(tasks)-latest:]
		said += "the last are "
	}
	var each []string
	for _, t := range tasks {
		each = append(each, text(t))
	}
	return said + strings.Join(each, ", ")
}

// overlap returns the most operations that ran at the same time, and when the last one ended.
func overlap(tasks []*Task, now int64) (peak int, end int64) {
	ends := make([]int64, len(tasks))
	for i, t := range tasks {
		ends[i] = t.span(now)
		end = max(end, t.until(now))
	}
	slices.Sort(ends)
	ended := 0
	for i, t := range tasks {
		ended += passed(ends[ended:], t.start)
		peak = max(peak, i+1-ended)
	}
	return peak, end
}
