// Command perf measures what pgtower costs, beside an empty Bubble Tea program: it builds
// both, runs them by turns in pseudo-terminals, and prints how long each takes to show its
// first screen and to answer a key, and what CPU, memory and bytes it needs for that.
// README.md says what each figure means.
//
//	go run ./internal/perf           measures the programs, and prints the tables
//	go run ./internal/perf -update   runs the benchmarks as well, and writes both into the documents
//	go run ./internal/perf -quick    few samples, to see that it works
//
// It measures on Linux only.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	o := options{now: time.Now}
	flag.BoolVar(&o.update, "update", false, "write the tables into internal/perf/README.md and README.md")
	flag.BoolVar(&o.quick, "quick", false, "take few samples")
	flag.IntVar(&o.fps, "fps", 120, "frames a second of the empty program: those of pgtower")
	flag.IntVar(&o.load, "load", 100_000, "operations to load where many are wanted")
	flag.StringVar(&o.bench, "bench", "", "take the benchmarks from this `file`, the output of go test -bench, instead of running them")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "perf:", err)
		stop()
		os.Exit(1)
	}
}
