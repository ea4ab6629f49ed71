package timeline

import (
	"fmt"
	"strings"
	"time"

	"pgtower/ui/style"
)

// most is how many operations of a lane are said one by one.
const most = 5

// Say says each lane in a sentence.
func (l *Layout) Say(times style.Times, name func(lane string) string, text func(t *Task) string) (lines []string) {
	for i := range l.Lanes {
		lane := &l.Lanes[i]
		called := name(lane.ID)
		if lane.Fold {
			called = style.Plural(l.Folded, "other lane")
		}
		said := style.Plural(lane.Count, "operation") + " of " + called
		if lane.Failed > 0 {
			said += ", " + style.Count(lane.Failed) + " failed"
		}
		lines = append(lines, said+l.sayBars(lane, times, text)+".")
	}
	if l.Quiet > 0 {
		lines = append(lines, style.Plural(l.Quiet, "lane")+" without operations in this time.")
	}
	return lines
}

// sayBars says when the operations of a lane ran, how many of them at the same time, and which they are.
func (l *Layout) sayBars(lane *Lane, times style.Times, text func(t *Task) string) (said string) {
	n, now := len(lane.Bars), l.Now.UnixNano()
	if n == 0 {
		return ""
	}
	clock := func(at int64) string { return times.In(time.Unix(0, at)).Format("15:04") }
	end := int64(0)
	for i := range lane.Bars {
		end = max(end, lane.Bars[i].until(now))
	}
	if from, to := clock(lane.Bars[0].start), clock(end); from == to {
		said = " at " + from
	} else {
		said = " between " + from + " and " + to
	}
	if at := lane.atOnce(now); at > 1 {
		said += fmt.Sprintf(", %d at the same time", at)
	}
	var each []string
	for i := max(0, n-most); i < n; i++ {
		each = append(each, text(&lane.Bars[i].Task))
	}
	if said += ": "; n > most {
		said += "the last are "
	}
	return said + strings.Join(each, ", ")
}

// atOnce is how many operations of a lane with bars ran at the same time.
func (l *Lane) atOnce(now int64) (peak int) {
	for i := range l.Bars {
		n := 0
		for j := range l.Bars[:i+1] {
			n += number(l.Bars[j].until(now) > l.Bars[i].start || j == i)
		}
		peak = max(peak, n)
	}
	return peak
}
