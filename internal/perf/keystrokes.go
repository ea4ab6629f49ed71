package main

import (
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// together is how soon one read follows another that was written with it: a frame is
	// longer than what a pseudo-terminal holds at once.
	together = 2 * time.Millisecond
	// unanswered is how long a key may stay without an effect.
	unanswered = time.Second
	// blockOfKeys is how many keys a program gets before it is the next one's turn. The
	// selection goes down half of them and up again, which leaves the screen for some.
	blockOfKeys = 160
)

// pause is how long to wait before a key: at random, so that keys do not keep step with
// the frames, and about as fast as a held key repeats.
func pause(r *rand.Rand) time.Duration {
	return 25*time.Millisecond + time.Duration(r.Int64N(int64(25*time.Millisecond)))
}

// answering is how one program answered keys.
type answering struct {
	latency samples // milliseconds from the write of a key to the end of the frame after it
	bytes   samples // of that frame
	cpu     samples // milliseconds for each key, one sample for each block of keys
}

// press presses a block of keys.
func (l *lab) press(t *terminal, r *rand.Rand, out *answering) error {
	if err := t.quiet(50 * time.Millisecond); err != nil {
		return err
	}
	before, err := cpuTime(t.cmd.Process.Pid)
	if err != nil {
		return err
	}
	for i := range blockOfKeys {
		key := "j"
		if i >= blockOfKeys/2 {
			key = "k"
		}
		time.Sleep(pause(r))
		latency, size, err := t.answer(key)
		if err != nil {
			return fmt.Errorf("key %d: %w:\n%s", i, err, t.draw())
		}
		out.latency = append(out.latency, milliseconds(latency))
		out.bytes = append(out.bytes, float64(size))
	}
	after, err := cpuTime(t.cmd.Process.Pid)
	if err != nil {
		return err
	}
	out.cpu = append(out.cpu, milliseconds(after-before)/blockOfKeys)
	return nil
}

// answer types a key, and returns when the last byte of the frame after it was there, and
// how many bytes that frame had.
func (t *terminal) answer(key string) (latency time.Duration, bytes int, err error) {
	select {
	case <-t.arrived: // what came in the pause
	default:
	}
	seen, _ := t.count()
	pressed := t.now()
	if err := t.send(key); err != nil {
		return 0, 0, err
	}
	some, err := t.next(unanswered)
	switch {
	case err != nil:
		return 0, 0, err
	case !some:
		return 0, 0, fmt.Errorf("%q changed nothing", key)
	}
	if err := t.quiet(together); err != nil {
		return 0, 0, err
	}
	frame := t.since(seen)
	for _, c := range frame {
		bytes += len(c.bytes)
	}
	return frame[len(frame)-1].at.Sub(pressed), bytes, nil
}
