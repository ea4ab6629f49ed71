package main

import (
	"context"
	"fmt"
	"time"
)

// rowText is on every screen with operations and on none without.
const rowText = "finished"

// starting is how one program started, over many starts.
type starting struct {
	first samples // milliseconds from exec to the first screen
	data  samples // and to the first rows, if it has any
	held  samples // megabytes in memory a moment later
	peak  samples // and the most that there ever were
}

// settled is how long after its data a program is asked for its memory.
const settled = 700 * time.Millisecond

// starts starts the programs by turns, so that what else the machine does meets them alike.
func (l *lab) starts(ctx context.Context, s size, times int) (empty, demo starting, err error) {
	for range times {
		if err := l.start(ctx, l.empty, s, "keys", &empty); err != nil {
			return empty, demo, err
		}
		if err := l.start(ctx, l.demo, s, rowText, &demo); err != nil {
			return empty, demo, err
		}
	}
	return empty, demo, nil
}

// start takes the samples of one start.
func (l *lab) start(ctx context.Context, p program, s size, data string, out *starting) error {
	t, err := start(ctx, p, l.home, s, l.now)
	if err != nil {
		return err
	}
	defer t.close()
	rows, err := t.waitFor(0, data)
	if err != nil {
		return err
	}
	time.Sleep(settled)
	first, ok := firstScreen(t.since(0))
	if !ok {
		return fmt.Errorf("nothing is on the screen:\n%s", t.draw())
	}
	now, peak, err := memory(t.cmd.Process.Pid)
	if err != nil {
		return err
	}
	out.first = append(out.first, milliseconds(first.Sub(t.started)))
	out.data = append(out.data, milliseconds(rows.Sub(t.started)))
	out.held = append(out.held, now/1e6)
	out.peak = append(out.peak, peak/1e6)
	return nil
}
