package termtest

import (
	"fmt"
	"os"
	"time"
)

const (
	defaultCols     = 80
	defaultRows     = 24
	defaultDeadline = 10 * time.Second
)

// Options says which program runs in which terminal.
type Options struct {
	// Path is the program, and Args are its arguments without its own name.
	Path string
	Args []string

	// Env is added to a small fixed environment: TERM, COLORTERM, LANG, TZ (UTC), HOME, and PATH,
	// the only variable that is inherited. A variable given here wins.
	Env []string

	// Dir is the working directory; empty means the home directory.
	Dir string

	// Home is the home directory; empty means a new one that is removed with the terminal.
	Home string

	// Cols and Rows are the size of the screen; zero means 80×24.
	Cols, Rows int

	// Light gives the terminal a light background instead of a dark one.
	Light bool

	// Deadline bounds each wait; zero means 10 seconds.
	Deadline time.Duration
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Cols <= 0 {
		o.Cols = defaultCols
	}
	if o.Rows <= 0 {
		o.Rows = defaultRows
	}
	if o.Deadline <= 0 {
		o.Deadline = defaultDeadline
	}
	if o.Dir == "" {
		o.Dir = o.Home
	}
	return o
}

// environment is the whole environment of the program: nothing of the machine that runs the test
// leaks into it but the path to its tools.
func (o Options) environment() []string {
	return append([]string{
		"TERM=xterm-256color",
		"COLORTERM=truecolor",
		"LANG=C.UTF-8",
		"TZ=UTC",
		"HOME=" + o.Home,
		"PATH=" + os.Getenv("PATH"),
	}, o.Env...)
}

// ensureHome makes a home directory if none was given; the returned function removes it again.
func (o Options) ensureHome() (Options, func() error, error) {
	if o.Home != "" {
		return o, func() error { return nil }, nil
	}
	home, err := os.MkdirTemp("", "termtest-home-")
	if err != nil {
		return o, nil, fmt.Errorf("make a home directory: %w", err)
	}
	o.Home = home
	return o, func() error { return os.RemoveAll(home) }, nil
}
