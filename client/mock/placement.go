package mock

import (
	"cmp"
	"slices"
	"time"
)

// placed gives every step its place in the slot and returns them in order of time, no
// two at the same microsecond.
func (b *builder) placed() []*step {
	chains, singles := b.split()
	for i, steps := range chains {
		b.spread(steps, float64(i)/float64(len(chains)), 1/float64(len(chains)))
	}
	b.fillGaps(singles)
	out := make([]*step, len(b.steps))
	for i := range b.steps {
		out[i] = &b.steps[i]
	}
	slices.SortStableFunc(out, func(x, y *step) int { return cmp.Compare(x.offset, y.offset) })
	at := -time.Microsecond
	for _, s := range out {
		s.offset = max(s.offset.Truncate(time.Microsecond), at+time.Microsecond)
		at = s.offset
	}
	return out
}

// split returns the steps of the movable chains, and the steps that stand alone. What
// is fixed stays where it is.
func (b *builder) split() (chains [][]step, singles []*step) {
	for i, e := range b.episodes {
		to := len(b.steps)
		if i+1 < len(b.episodes) {
			to = b.episodes[i+1].from
		}
		switch steps := b.steps[e.from:to]; {
		case e.fixed:
			b.confine(steps)
		case len(steps) == 1:
			singles = append(singles, &steps[0])
		default:
			chains = append(chains, steps)
		}
	}
	return chains, singles
}

// spread moves a chain to its share of the slot's work.
func (b *builder) spread(steps []step, share, width float64) {
	last, span := b.latest(), time.Duration(0)
	for i := range steps {
		span = max(span, steps[i].offset)
	}
	if span < last {
		begin := b.when(int64((share + width*b.rng.Float64()) * float64(b.done(last-span))))
		for i := range steps {
			steps[i].offset += begin
		}
	}
	b.confine(steps)
}

// confine keeps a chain that retries have drawn out from reaching into the next slot.
func (b *builder) confine(steps []step) {
	for i := range steps {
		steps[i].offset = min(steps[i].offset, b.latest())
	}
}

// latest is the last offset at which a step may be: some way before the slot's end,
// because steps that share it are moved apart.
func (b *builder) latest() time.Duration { return b.length * 99 / 100 }

// fillGaps puts what stands alone where the slot is quietest for its hour, so that a
// project at work never falls silent.
func (b *builder) fillGaps(singles []*step) {
	taken := []int64{0, b.done(b.latest())}
	for i := range b.steps {
		if !slices.Contains(singles, &b.steps[i]) {
			taken = append(taken, b.done(b.steps[i].offset))
		}
	}
	slices.Sort(taken)
	for _, s := range singles {
		widest := 1
		for i := 2; i < len(taken); i++ {
			if taken[i]-taken[i-1] > taken[widest]-taken[widest-1] {
				widest = i
			}
		}
		gap := taken[widest] - taken[widest-1]
		at := taken[widest-1] + int64((0.25+0.5*b.rng.Float64())*float64(gap))
		s.offset = b.when(at)
		taken = slices.Insert(taken, widest, at)
	}
}
