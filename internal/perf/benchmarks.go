package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// packages are those whose benchmarks are shown, in the order of the table.
func packages() []string {
	return []string{"./ui", "./ui/table", "./ui/query", "./models", "./models/feed", "./client", "./client/mock"}
}

// runBenchmarks runs all benchmarks several times, and returns the output of go test. It
// takes some ten minutes.
func runBenchmarks(ctx context.Context, root string, log io.Writer) ([]byte, error) {
	args := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", "200ms", "-count", "3", "-timeout", "2h"}, packages()...)
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are those above
	cmd.Dir = root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, log), os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run the benchmarks: %w", err)
	}
	return out.Bytes(), nil
}

// benchmark is one benchmark, with the samples of its runs by their units.
type benchmark struct {
	name   string
	values map[string]samples
}

// value is the median of the runs, NaN for a unit that was not measured.
func (b benchmark) value(unit string) float64 { return b.values[unit].median() }

// parseBenchmarks reads the output of go test -bench. Each name begins with the package.
func parseBenchmarks(out io.Reader) ([]benchmark, error) {
	var all []benchmark
	at := map[string]int{}
	pkg := ""
	line := regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)
	for s := bufio.NewScanner(out); ; {
		if !s.Scan() {
			return all, s.Err()
		}
		if path, ok := strings.CutPrefix(s.Text(), "pkg: "); ok {
			pkg = strings.TrimPrefix(path, "pgtower/")
		}
		found := line.FindStringSubmatch(s.Text())
		if found == nil {
			continue
		}
		name := pkg + " " + found[1]
		if _, known := at[name]; !known {
			at[name] = len(all)
			all = append(all, benchmark{name, map[string]samples{}})
		}
		words := strings.Fields(found[2])
		for i := 0; i+1 < len(words); i += 2 {
			v, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", s.Text(), err)
			}
			values := all[at[name]].values
			values[words[i+1]] = append(values[words[i+1]], v)
		}
	}
}
