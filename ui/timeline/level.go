package timeline

import (
	"cmp"
	"time"
)

// Level has the most operations that ran at once in a cell, and the number that failed in it.
type Level struct{ Peak, Failed int }

// edge is the start or the end of an operation.
type edge struct {
	at     int64
	by     int8 // +1 or -1
	failed bool // the operation failed
}

// runningChange is the change of the number of running operations over some edges.
type runningChange struct{ net, peak, failed int }

func (s *runningChange) add(e *edge) {
	s.net += int(e.by)
	s.peak = max(s.peak, s.net)
	if e.failed {
		s.failed++
	}
}

func newEdges() series[edge, runningChange] {
	return series[edge, runningChange]{at: func(e *edge) int64 { return e.at }, compare: compareEdges, sum: sumEdges}
}

// compareEdges orders edges by time; at the same time, ends come before starts.
func compareEdges(a, b edge) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by), cmp.Compare(number(a.failed), number(b.failed)))
}

func sumEdges(edges []edge) (sum runningChange) {
	for i := range edges {
		sum.add(&edges[i])
	}
	return sum
}

// level computes how many operations ran at once.
func (x *Index) level(l *Layout, b bounds) {
	from, to := b.from, b.to
	var before runningChange
	x.edges.each(-noEnd, from, func(_, _ int64, s *runningChange) bool {
		before.net += s.net
		return true
	}, before.add)
	running, cell, upTo := before.net, 0, from+int64(l.Cell)
	if l.Cells > 0 {
		l.Level[0].Peak = running
	}
	reach := func(at int64) {
		for cell < l.Cells-1 && at >= upTo {
			cell++
			upTo += int64(l.Cell)
			l.Level[cell].Peak = running
		}
	}
	take := func(s *runningChange) {
		l.Level[cell].Peak = max(l.Level[cell].Peak, running+s.peak)
		l.Level[cell].Failed += s.failed
		running += s.net
	}
	x.edges.each(from, to, func(first, last int64, s *runningChange) bool {
		reach(first)
		if first == upTo-int64(l.Cell) || cell < l.Cells-1 && last >= upTo {
			return false
		}
		take(s)
		return true
	}, func(e *edge) {
		reach(e.at)
		var one runningChange
		one.add(e)
		take(&one)
		if e.by < 0 && e.at == upTo-int64(l.Cell) {
			l.Level[cell].Peak = running // an operation that ends at the start of the cell does not run in it
		}
	})
	reach(max(from, min(l.Now.UnixNano(), to-1)))
	for i := range l.Level {
		if !l.Since.IsZero() && l.From().Add(time.Duration(i+1)*l.Cell).Before(l.Since) {
			l.Level[i] = Level{}
		}
		l.Peak = max(l.Peak, l.Level[i].Peak)
	}
}
