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
func (c *Chart) Say(
	times style.Times, name func(lane string) string, text func(t *Task) string,
) (lines []string) {
	for i := range c.Lanes {
		lane := &c.Lanes[i]
		called, failed, tasks := name(lane.ID), "", ""
		if lane.Failed > 0 {
			failed = ", " + style.Count(lane.Failed) + " failed"
		}
		if lane.Fold {
			called = style.Plural(c.Folded, "other lane")
		} else {
			tasks = c.sayTasks(lane.ID, times, text)
		}
		if failed != "" && tasks != "" {
			failed += ","
		}
		lines = append(lines, style.Plural(lane.Count, "operation")+" of "+called+failed+tasks+".")
	}
	if c.Quiet > 0 {
		lines = append(lines, style.Plural(c.Quiet, "lane")+" without operations in this time.")
	}
	return lines
}

// sayTasks describes when the operations of a lane ran within the view, how many at the same time, and the latest ones.
func (c *Chart) sayTasks(lane string, times style.Times, text func(t *Task) string) (sentence string) {
	tasks := c.tasksOf(lane)
	if len(tasks) == 0 {
		return ""
	}
	first, last := c.From().UnixNano(), min(c.To.UnixNano(), c.Now.UnixNano())
	clock := func(instant int64) string {
		return times.In(time.Unix(0, max(first, min(instant, last)))).Format("15:04")
	}
	atOnce, end := overlap(tasks, c.until)
	if from, until := clock(tasks[0].start), clock(end); from == until {
		sentence = " at " + from
	} else {
		sentence = " between " + from + " and " + until
	}
	if atOnce > 1 {
		sentence += fmt.Sprintf(", %d at the same time", atOnce)
	}
	sentence += ": "
	if len(tasks) > latest {
		tasks = tasks[len(tasks)-latest:]
		sentence += "the last are "
	}
	var each []string
	for _, t := range tasks {
		each = append(each, text(t))
	}
	return sentence + strings.Join(each, ", ")
}

// overlap returns the most operations that ran at the same time, and when the last one ended.
func overlap(tasks []*Task, until func(project string) int64) (peak int, end int64) {
	ends := make([]int64, len(tasks))
	for i, t := range tasks {
		now := until(t.Project)
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
