package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pgtower/internal/termtest"
)

// options are the command's flags.
type options struct {
	check, png bool
	only       string
}

// run builds the program and makes, or checks, every picture that is asked for.
func run(ctx context.Context, out io.Writer, opts options) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "screenshots-")
	if err != nil {
		return fmt.Errorf("make a directory for the binary: %w", err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	program, err := termtest.Build(ctx, temp, root)
	if err != nil {
		return err
	}

	dir := filepath.Join(root, "screenshots")
	shown, err := shownAsPNG(root)
	if err != nil {
		return err
	}
	var errs []error
	for _, s := range scenes() {
		if !strings.Contains(s.name, opts.only) {
			continue
		}
		path := filepath.Join(dir, s.name+".svg")
		if err := makePicture(ctx, out, program, path, s, opts); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		if opts.png && shown[s.name] {
			errs = append(errs, renderPNG(ctx, path))
		}
	}
	errs = append(errs, record(ctx, out, root, opts), findStale(dir, shown))
	return errors.Join(errs...)
}

// moduleRoot is the directory that holds go.mod, wherever in the module the command was started.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func makePicture(ctx context.Context, out io.Writer, program, path string, s scene, opts options) error {
	svg, err := shoot(ctx, program, s)
	if err != nil {
		return err
	}
	if opts.check {
		return compare(path, svg)
	}
	if err := os.WriteFile(path, svg, 0o644); err != nil { //nolint:gosec // a picture is for everybody
		return fmt.Errorf("write the picture: %w", err)
	}
	_, err = fmt.Fprintln(out, s.name)
	return err
}

// compare reports where the picture differs from its file, by the first different line.
func compare(path string, svg []byte) error {
	old, err := os.ReadFile(path) //nolint:gosec // a file of this folder
	if err != nil {
		return fmt.Errorf("no picture to compare with: %w", err)
	}
	if bytes.Equal(old, svg) {
		return nil
	}
	want, got := bytes.Split(old, []byte{'\n'}), bytes.Split(svg, []byte{'\n'})
	line := 0
	for line < len(want) && line < len(got) && bytes.Equal(want[line], got[line]) {
		line++
	}
	at := func(lines [][]byte) []byte {
		if line < len(lines) {
			return lines[line]
		}
		return []byte("(the end)")
	}
	return fmt.Errorf("the program draws something else than the picture shows; run go run ./screenshots -png\n"+
		"  line %d of the file: %s\n  line %[1]d as drawn:    %[3]s", line+1, at(want), at(got))
}
