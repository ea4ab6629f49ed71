package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"pgtower/internal/termtest"
)

// options are the command's flags.
type options struct {
	update, quick bool
	fps, load     int
	bench         string
	now           func() time.Time
}

// run measures, and prints or writes the tables.
func run(ctx context.Context, out io.Writer, o options) (err error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "pgtower-perf-")
	if err != nil {
		return fmt.Errorf("make a folder for the programs: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	l, err := newLab(ctx, root, home, o)
	if err != nil {
		return err
	}
	m, err := serve(ctx, l.demo.path, o.load+o.load/5)
	if err != nil {
		return err
	}
	defer m.stop()
	texts := map[string]string{partPrograms: machine() + "\n\n"}
	for i, s := range []size{{160, 45}, {200, 60}} {
		one, err := l.measure(ctx, m, s)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s, the empty program at %d frames a second:\n\n%s\n", s, o.fps, table(one.figures(o.load)))
		_, _ = fmt.Fprintln(out, text)
		texts[partPrograms] += text
		if i == 0 {
			texts[partSummary] = summary(&one, o.load, o.fps)
		}
	}
	if !o.update {
		return nil
	}
	if texts[partBenchmarks], err = benchmarks(ctx, root, o.bench); err != nil {
		return err
	}
	return write(root, texts)
}

// machine says what the figures were measured on.
func machine() string {
	return fmt.Sprintf("On %s/%s with %d cores, %s.", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// benchmarks are the tables of the benchmarks, from a file or from running them.
func benchmarks(ctx context.Context, root, file string) (string, error) {
	out, err := os.ReadFile(file) //nolint:gosec // the file that the person named
	if file == "" {
		out, err = runBenchmarks(ctx, root, os.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("read the benchmarks: %w", err)
	}
	all, err := parseBenchmarks(bytes.NewReader(out))
	return growthTable(all) + "\n" + benchmarkTable(all), err
}

// newLab builds the programs as for a release.
func newLab(ctx context.Context, root, home string, o options) (*lab, error) {
	l := &lab{home: home, now: o.now, log: os.Stderr, load: o.load, rounds: 20, blocks: 4, idle: 20 * time.Second}
	if o.quick {
		l.rounds, l.blocks, l.idle = 3, 1, 5*time.Second
	}
	l.say("building")
	if err := os.Setenv("CGO_ENABLED", "0"); err != nil { // as for a release
		return nil, fmt.Errorf("set the environment: %w", err)
	}
	for _, b := range []struct {
		pkg string
		program
		to *program
	}{
		{root, program{args: []string{"--demo"}}, &l.demo},
		{"pgtower/internal/perf/empty", program{args: []string{"-fps", strconv.Itoa(o.fps)}}, &l.empty},
	} {
		dir, err := os.MkdirTemp(home, "")
		if err != nil {
			return nil, fmt.Errorf("make a folder for a program: %w", err)
		}
		if b.path, err = termtest.Build(ctx, dir, b.pkg, "-trimpath", "-ldflags", "-s -w"); err != nil {
			return nil, err
		}
		*b.to = b.program
	}
	return l, nil
}

// moduleRoot is the folder that holds go.mod, wherever in the module the command was started.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
