package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/creack/pty"
)

// patience is how long anything that is waited for may take.
const patience = 60 * time.Second

// chunk is what one read brought, and when. A read ends with what was written in one go,
// or with the 4 kB that a pseudo-terminal holds.
type chunk struct {
	at    time.Time
	bytes []byte
}

// terminal is a program in a pseudo-terminal that nothing is drawn for: its bytes are kept
// with their times, because an emulator would take CPU from the program that is measured.
type terminal struct {
	cmd     *exec.Cmd
	master  *os.File
	now     func() time.Time
	size    size
	started time.Time // just before the program was

	mu      sync.Mutex
	chunks  []chunk
	total   int
	arrived chan struct{} // holds one token while something arrived that nobody looked at
	gone    chan struct{}
	replies replies
}

// program is what to run.
type program struct {
	path string
	args []string
	env  []string
}

type size struct{ cols, rows int }

func (s size) String() string { return fmt.Sprintf("%d×%d", s.cols, s.rows) }

// start runs a program in a terminal. The caller closes it.
func start(ctx context.Context, p program, home string, s size, now func() time.Time) (*terminal, error) {
	cmd := exec.CommandContext(ctx, p.path, p.args...) //nolint:gosec // what was just built
	cmd.Dir = home
	cmd.Env = slices.Concat([]string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC", "HOME=" + home, "PATH=" + os.Getenv("PATH"),
	}, p.env)
	t := &terminal{
		cmd: cmd, now: now, size: s, arrived: make(chan struct{}, 1), gone: make(chan struct{}), replies: newReplies(),
	}
	t.started = now()
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(s.cols), Rows: uint16(s.rows)}) //nolint:gosec // sizes of this package
	if err != nil {
		return nil, fmt.Errorf("start %s in a terminal: %w", p.path, err)
	}
	t.master = master
	go t.read()
	return t, nil
}

// read notes what arrives until the program is gone.
func (t *terminal) read() {
	defer close(t.gone)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(buf)
		at := t.now()
		if n > 0 {
			if answer := t.replies.to(buf[:n]); len(answer) > 0 {
				_, _ = t.master.Write(answer)
			}
			t.mu.Lock()
			t.chunks = append(t.chunks, chunk{at, bytes.Clone(buf[:n])})
			t.total += n
			t.mu.Unlock()
			select {
			case t.arrived <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// since returns what arrived after the first n chunks.
func (t *terminal) since(n int) []chunk {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.chunks[n:]
}

// count is how many chunks and bytes have arrived.
func (t *terminal) count() (chunks, bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.chunks), t.total
}

var errGone = errors.New("the program has ended")

// next waits for something to arrive, for so long at most, and says whether it did.
func (t *terminal) next(wait time.Duration) (bool, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-t.arrived:
		return true, nil
	case <-timer.C:
		return false, nil
	case <-t.gone:
		return false, errGone
	}
}

// quiet waits until nothing has arrived for so long.
func (t *terminal) quiet(pause time.Duration) error {
	for {
		more, err := t.next(pause)
		if err != nil || !more {
			return err
		}
	}
}

// send types a text.
func (t *terminal) send(text string) error {
	if _, err := t.master.WriteString(text); err != nil {
		return fmt.Errorf("type %q: %w", text, err)
	}
	return nil
}

// close ends the program, and the terminal after it: the other order can leave a reader
// waiting for ever.
func (t *terminal) close() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.master.Close()
	<-t.gone
}
