package desktop

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
)

const tmuxWait = time.Second // for the calls of tmux that clear a secret, or ask for its terminal

// Tmux runs tmux, whose paste buffers keep a text that goes to the terminal's clipboard. The zero Tmux is none.
type Tmux struct {
	run func(ctx context.Context, args ...string) (string, error)
}

// TmuxOf returns the tmux that the program runs in.
func TmuxOf(getenv func(string) string) Tmux {
	if getenv("TMUX") == "" {
		return Tmux{}
	}
	return Tmux{runTmux}
}

func runTmux(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "tmux", args...).Output() //nolint:gosec // names of buffers, and no shell
	return string(out), err
}

// clear deletes the buffers that contain a text, and reports whether there were any.
func (t Tmux) clear(ctx context.Context, text models.Secret) (deleted bool, err error) {
	if t.run == nil {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxWait)
	defer cancel()
	list, err := t.run(ctx, "list-buffers", "-F", "#{buffer_size} #{buffer_name}")
	if err != nil {
		return false, err
	}
	size := strconv.Itoa(len(text.Reveal()))
	for line := range strings.Lines(list) {
		length, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if length != size {
			continue
		}
		content, err := t.run(ctx, "show-buffer", "-b", name)
		if err != nil || models.NewSecret(content) != text {
			continue // it may be gone
		}
		if _, err := t.run(ctx, "delete-buffer", "-b", name); err != nil {
			return deleted, err
		}
		deleted = true
	}
	return deleted, nil
}

// Inside reports whether the program runs in tmux.
func (t Tmux) Inside() bool { return t.run != nil }

// Outside is what tmux passes on to its terminal.
type Outside struct {
	Passes   bool     // allow-passthrough is on
	Hidden   bool     // also from a window that tmux does not show
	Notifier Notifier // of the terminal around tmux, or "" if that has none, or is not known
}

// Outside asks tmux for the terminal around it.
func (t Tmux) Outside(ctx context.Context) (Outside, error) {
	ctx, cancel := context.WithTimeout(ctx, tmuxWait)
	defer cancel()
	passes, err := t.run(ctx, "show-options", "-Awv", "allow-passthrough")
	if err != nil {
		return Outside{}, err
	}
	terminal, err := t.run(ctx, "display-message", "-p", "#{client_termname}\t#{client_termtype}")
	if err != nil {
		return Outside{}, err
	}
	name, kind, _ := strings.Cut(strings.TrimSpace(terminal), "\t")
	setting := strings.TrimSpace(passes)
	all := setting == "all" // tmux 3.4
	return Outside{Passes: all || setting == "on", Hidden: all, Notifier: notifierNamed(name, kind)}, nil
}

// Sequence returns the escape sequence of a notification wrapped for tmux, or "" if it would not arrive.
func (o Outside) Sequence(text string) string {
	inside := o.Notifier.Sequence(text)
	if !o.Passes || inside == "" {
		return ""
	}
	return "\x1bPtmux;" + strings.ReplaceAll(inside, "\x1b", "\x1b\x1b") + "\x1b\\"
}
