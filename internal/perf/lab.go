package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// lab is the programs that are compared, and how thoroughly.
type lab struct {
	empty, demo program
	home        string // the home folder of both
	now         func() time.Time
	log         io.Writer
	load        int // operations, where many are wanted

	rounds, blocks int
	idle           time.Duration
}

// measured is everything that was measured at one size of the terminal.
type measured struct {
	size size

	emptyStart, demoStart         starting
	emptyKeys, demoKeys, manyKeys answering
	took, held, peak              float64 // of loading many operations: seconds and megabytes
	idle                          idlers
}

// measure measures at one size.
func (l *lab) measure(ctx context.Context, m *mock, s size) (measured, error) {
	out := measured{size: s}
	var err error
	l.say("%s: starting each %d times", s, l.rounds)
	if out.emptyStart, out.demoStart, err = l.starts(ctx, s, l.rounds); err != nil {
		return out, err
	}
	if err := l.keys(ctx, m, &out); err != nil {
		return out, err
	}
	l.say("%s: at rest for %s", s, l.idle)
	out.idle, err = l.rest(ctx, s, l.idle)
	return out, err
}

// keys presses keys in three programs by turns: the empty one, the demo, and pgtower with
// many operations. All are paused, so that what arrives by itself does not count as an answer.
func (l *lab) keys(ctx context.Context, m *mock, out *measured) error {
	l.say("%s: loading %d operations", out.size, l.load)
	many, err := l.loadMany(ctx, m, out.size, l.load)
	if err != nil {
		return err
	}
	defer many.close()
	out.took, out.held, out.peak = many.took, many.held, many.peak

	empty, err := start(ctx, l.empty, l.home, out.size, l.now)
	if err != nil {
		return err
	}
	defer empty.close()
	demo, err := start(ctx, l.demo, l.home, out.size, l.now)
	if err != nil {
		return err
	}
	defer demo.close()
	if _, err := demo.waitFor(0, rowText); err != nil {
		return err
	}
	if err := demo.send("p"); err != nil {
		return err
	}
	time.Sleep(2 * settled)
	l.say("%s: pressing %d keys in each", out.size, l.blocks*blockOfKeys)
	for block := range l.blocks {
		for _, turn := range []struct {
			*terminal
			out *answering
		}{{empty, &out.emptyKeys}, {demo, &out.demoKeys}, {many.terminal, &out.manyKeys}} {
			// The same pauses for each.
			r := rand.New(rand.NewPCG(uint64(block), 1)) //nolint:gosec // pauses are no secret
			if err := l.press(turn.terminal, r, turn.out); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *lab) say(format string, args ...any) { _, _ = fmt.Fprintf(l.log, format+"\n", args...) }
