package main

import (
	"context"
	"time"
)

// resting is what a program does while nobody does anything.
type resting struct {
	cpu   float64 // percent of a core
	bytes float64 // a second
}

// onlyFinished filters the rows, so that none of those shown runs.
const onlyFinished = "/status:finished\r"

// focusOut is what a terminal sends that has lost the focus.
const focusOut = "\x1b[O"

// idlers are the states that are compared, in the order of [lab.rest].
type idlers struct{ empty, live, quiet, paused, unfocused resting }

// rest measures the programs at rest, all in the same time: each of them takes so little
// that they do not disturb one another, and whatever else the machine does disturbs them
// alike.
func (l *lab) rest(ctx context.Context, s size, during time.Duration) (idlers, error) {
	var out idlers
	states := []struct {
		program
		data, keys string
		out        *resting
		terminal   *terminal
		cpu        time.Duration
		bytes      int
	}{
		{program: l.empty, data: "keys", out: &out.empty},
		{program: l.demo, data: rowText, out: &out.live},
		{program: l.demo, data: rowText, keys: onlyFinished, out: &out.quiet},
		{program: l.demo, data: rowText, keys: "p", out: &out.paused},
		{program: l.demo, data: rowText, keys: focusOut, out: &out.unfocused},
	}
	for i := range states {
		state := &states[i]
		t, err := start(ctx, state.program, l.home, s, l.now)
		if err != nil {
			return out, err
		}
		defer t.close()
		state.terminal = t
		if _, err := t.waitFor(0, state.data); err != nil {
			return out, err
		}
		time.Sleep(settled)
		if err := t.send(state.keys); err != nil {
			return out, err
		}
	}
	time.Sleep(2 * time.Second)
	began := l.now()
	for i := range states {
		state := &states[i]
		_, state.bytes = state.terminal.count()
		var err error
		if state.cpu, err = cpuTime(state.terminal.cmd.Process.Pid); err != nil {
			return out, err
		}
	}
	time.Sleep(during)
	took := l.now().Sub(began)
	for i := range states {
		state := &states[i]
		cpu, err := cpuTime(state.terminal.cmd.Process.Pid)
		if err != nil {
			return out, err
		}
		_, total := state.terminal.count()
		*state.out = resting{100 * (cpu - state.cpu).Seconds() / took.Seconds(), float64(total-state.bytes) / took.Seconds()}
	}
	return out, nil
}
