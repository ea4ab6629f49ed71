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

// pngZoom makes pixels of the picture's units: sharp at the width that README pages have on dense
// displays.
const pngZoom = "1.5"

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
	var errs []error
	for _, s := range scenes() {
		if !strings.Contains(s.name, opts.only) {
			continue
		}
		if err := makePicture(ctx, out, program, filepath.Join(dir, s.name+".svg"), s, opts); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return errors.Join(append(errs, findStale(dir))...)
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
	if opts.png {
		if err := renderPNG(ctx, path); err != nil {
			return err
		}
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

// findStale reports pictures that no scene makes any more.
func findStale(dir string) error {
	known := map[string]bool{}
	for _, s := range scenes() {
		known[s.name] = true
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		return fmt.Errorf("list the pictures: %w", err)
	}
	var errs []error
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".svg"); !known[name] {
			errs = append(errs, fmt.Errorf("%s: no scene makes this picture; remove it", name))
		}
	}
	return errors.Join(errs...)
}

// renderPNG makes the PNG file beside an SVG file.
func renderPNG(ctx context.Context, path string) error {
	tool, err := exec.LookPath("rsvg-convert")
	if err != nil {
		return fmt.Errorf("PNG files need rsvg-convert (Debian: librsvg2-bin fonts-jetbrains-mono fonts-noto-cjk): %w", err)
	}
	png := strings.TrimSuffix(path, ".svg") + ".png"
	if out, err := exec.CommandContext(ctx, tool, "-z", pngZoom, "-o", png, path).CombinedOutput(); err != nil { //nolint:gosec // a file of this folder
		return fmt.Errorf("rsvg-convert: %w\n%s", err, out)
	}
	return nil
}
