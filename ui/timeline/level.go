package timeline

// Level has the most operations that ran at once in a cell, and the number that failed in it.
type Level struct{ Peak, Failed int }

// level computes how many operations ran at once. One that ends when another begins does not run at the same time.
func (c *Chart) level(in *inView) {
	for i := range in.tasks {
		t := &in.tasks[i]
		if end := t.span(noEnd); t.failed && end >= in.from && end < in.to {
			c.Level[c.cellOf(end)].Failed++
		}
	}
	known := max(in.from, min(c.Now.UnixNano(), in.to-1))
	ends, begun, ended, upTo := in.ends, 0, 0, in.from
	for cell := range c.Level {
		from := upTo
		upTo += int64(c.Cell)
		if cell == c.Cells-1 {
			upTo = in.to
		}
		if from > known && begun == len(in.tasks) && ended == len(ends) {
			break
		}
		peak := &c.Level[cell].Peak
		for ; begun < len(in.tasks) && in.tasks[begun].start < from; begun++ { // before the view
		}
		ended += passed(ends[ended:], from)
		*peak = begun - ended
		for ; begun < len(in.tasks) && in.tasks[begun].start < upTo; begun++ {
			ended += passed(ends[ended:], in.tasks[begun].start)
			*peak = max(*peak, begun+1-ended)
		}
		c.Peak = max(c.Peak, *peak)
	}
}

// passed returns how many of the sorted times are not after at.
func passed(times []int64, at int64) (n int) {
	for n < len(times) && times[n] <= at {
		n++
	}
	return n
}
