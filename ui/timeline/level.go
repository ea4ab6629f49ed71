package timeline

// Level has the most operations that ran at once in a cell, and the number that failed in it.
type Level struct{ Peak, Failed int }

// level computes how many operations ran at once. One that ends when another begins does not run at the same time.
func (c *Chart) level(view *inView) {
	for i := range view.tasks {
		t := &view.tasks[i]
		if end := t.span(noEnd); t.failed && end >= view.from && end < view.to {
			c.Level[c.cellOf(end)].Failed++
		}
	}
	knownUntil := max(view.from, min(c.Now.UnixNano(), view.to-1))
	ends, begun, ended, upTo := view.ends, 0, 0, view.from
	for cell := range c.Level {
		from := upTo
		upTo += int64(c.Cell)
		if cell == c.Cells-1 {
			upTo = view.to
		}
		if from > knownUntil && begun == len(view.tasks) && ended == len(ends) {
			break
		}
		peak := &c.Level[cell].Peak
		for ; begun < len(view.tasks) && view.tasks[begun].start < from; begun++ { // before the view
		}
		ended += passed(ends[ended:], from)
		*peak = begun - ended
		for ; begun < len(view.tasks) && view.tasks[begun].start < upTo; begun++ {
			ended += passed(ends[ended:], view.tasks[begun].start)
			*peak = max(*peak, begun+1-ended)
		}
		c.Peak = max(c.Peak, *peak)
	}
}

// passed returns how many of the sorted times are not after instant.
func passed(times []int64, instant int64) (n int) {
	for n < len(times) && times[n] <= instant {
		n++
	}
	return n
}
