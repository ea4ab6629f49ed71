//go:build linux

package perf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"pgtower/internal/termtest"
)

const (
	// row is on every screen with operations and on no other: the counts above them are there before.
	row = "✓ finished"
	// keysEach is how many keys a program gets before the next program's turn. The selection moves down for half of
	// them and up again, which scrolls a little.
	keysEach = 160
	// loaded is the number of operations where many are needed.
	loaded = 100_000
)

// Each benchmark alternates between the empty program and pgtower, so that other load on the machine affects both. No
// emulator reads their output while they are measured: it would use CPU that they need.

// BenchmarkStart starts each program five times in an iteration.
func BenchmarkStart(b *testing.B) {
	eachSize(b, func(b *lab) {
		var first, data, held [2]samples
		for b.Loop() {
			for range 5 {
				for i, p := range b.programs() {
					t := b.launch(p)
					watch := t.Unwatch()
					for i := 0; firstText(t, p.shows).IsZero() && i < 10_000; i++ {
						time.Sleep(2 * time.Millisecond)
					}
					watch()
					t.Wait(p.shows)
					time.Sleep(700 * time.Millisecond)
					first[i] = append(first[i], milliseconds(firstVisible(t).Sub(t.Started)))
					data[i] = append(data[i], milliseconds(firstText(t, p.shows).Sub(t.Started)))
					now, _ := memory(b.B, t.PID)
					held[i] = append(held[i], now)
					t.Close()
				}
			}
		}
		report(b.B, "screen-ms", first[0].median(), first[1].median())
		b.ReportMetric(data[1].median(), "data-ms")
		report(b.B, "MB", held[0].median(), held[1].median())
	})
}

// BenchmarkKeys presses 160 keys in each program per iteration: in the empty one, in the demo, and in pgtower with many
// operations. Polling is paused, because output of its own would count as an answer.
func BenchmarkKeys(b *testing.B) {
	eachSize(b, func(b *lab) {
		empty := b.start(b.empty)
		demo := b.start(b.demo)
		demo.Press("p")
		many := b.loadMany()
		var all [3]answers
		for round := uint64(0); b.Loop(); round++ {
			for i, t := range []*termtest.Terminal{empty, demo, many} {
				all[i].press(b.B, t, round)
			}
		}
		for i, name := range []string{"", "", "many-"} {
			if i > 0 {
				report(b.B, name+"key-ms", all[0].latency.median(), all[i].latency.median())
				report(b.B, name+"p99-key-ms", all[0].latency.quantile(0.99), all[i].latency.quantile(0.99))
				report(b.B, name+"cpu-key-ms", all[0].cpu.median(), all[i].cpu.median())
				b.ReportMetric(all[i].bytes.mean(), name+"B/key")
			}
		}
	})
}

// answers are the measurements of key presses: in milliseconds, bytes, and milliseconds of CPU.
type answers struct{ latency, bytes, cpu samples }

// press presses keys in a program and measures its answers.
func (a *answers) press(b *testing.B, t *termtest.Terminal, round uint64) {
	b.Helper()
	t.Settle(50 * time.Millisecond)
	defer t.Unwatch()()
	pauses := rand.New(rand.NewPCG(round, 1))
	before := cpuTime(b, t.PID)
	for k := range keysEach {
		key := "j"
		if k >= keysEach/2 {
			key = "k"
		}
		// Random, so that keys are not in step with the frames, and about as fast as a held key repeats.
		time.Sleep(25*time.Millisecond + time.Duration(pauses.Int64N(int64(25*time.Millisecond))))
		latency, size := answer(b, t, key)
		a.latency = append(a.latency, milliseconds(latency))
		a.bytes = append(a.bytes, float64(size))
	}
	a.cpu = append(a.cpu, milliseconds((cpuTime(b, t.PID)-before)/keysEach))
}

// BenchmarkLoad loads 100,000 operations per iteration.
func BenchmarkLoad(b *testing.B) {
	eachSize(b, func(b *lab) {
		var held, peak samples
		for b.Loop() {
			t := b.loadMany()
			time.Sleep(6 * time.Second) // the notice disappears, and the memory for loading is collected
			now, most := memory(b.B, t.PID)
			held, peak = append(held, now), append(peak, most)
			t.Close()
		}
		b.ReportMetric(held.median(), "MB")
		b.ReportMetric(peak.median(), "peak-MB")
	})
}

// BenchmarkIdle leaves all programs alone for five seconds per iteration, at the same time.
func BenchmarkIdle(b *testing.B) {
	eachSize(b, func(b *lab) {
		states := []struct{ name, keys string }{
			{"empty", ""}, {"live", ""}, {"quiet", "/status:finished\r"}, {"paused", "p"}, {"unfocused", ansi.Blur},
		}
		terminals := make([]*termtest.Terminal, len(states))
		for i, state := range states {
			p := b.demo
			if i == 0 {
				p = b.empty
			}
			terminals[i] = b.start(p)
			terminals[i].Send(state.keys)
		}
		time.Sleep(2 * time.Second)
		began, cpu, wrote := time.Now(), make([]time.Duration, len(states)), make([]int, len(states))
		for i, t := range terminals {
			defer t.Unwatch()()
			cpu[i], wrote[i] = cpuTime(b.B, t.PID), len(t.Wrote())
		}
		for b.Loop() {
			time.Sleep(5 * time.Second)
		}
		took := time.Since(began)
		for i, t := range terminals {
			b.ReportMetric(100*(cpuTime(b.B, t.PID)-cpu[i]).Seconds()/took.Seconds(), states[i].name+"-%cpu")
			b.ReportMetric(float64(len(t.Wrote())-wrote[i])/took.Seconds(), states[i].name+"-B/s")
		}
	})
}

// lab builds the compared programs as for a release, and runs them on a terminal of a size.
type lab struct {
	*testing.B

	empty, demo program
	cols, rows  int
}

// program is a command line, and a text that shows when it has started.
type program struct {
	path  string
	args  []string
	env   []string
	shows string
}

func (l *lab) programs() []program { return []program{l.empty, l.demo} }

func eachSize(b *testing.B, f func(b *lab)) {
	b.Helper()
	b.Setenv("CGO_ENABLED", "0")
	build := func(pkg string) string {
		path, err := termtest.Build(b.Context(), b.TempDir(), pkg, "-trimpath", "-ldflags", "-s -w")
		if err != nil {
			b.Fatal(err)
		}
		return path
	}
	l := &lab{
		empty: program{path: build("pgtower/internal/perf/empty"), shows: "keys"},
		demo:  program{path: build("../.."), args: []string{"--demo"}, shows: row},
	}
	for _, size := range [][2]int{{160, 45}, {200, 60}} {
		l.cols, l.rows = size[0], size[1]
		b.Run(fmt.Sprintf("%dx%d", l.cols, l.rows), func(b *testing.B) {
			l.B = b
			f(l)
			b.ReportMetric(0, "ns/op")
		})
	}
}

// launch starts a program.
func (l *lab) launch(p program) *termtest.Terminal {
	l.Helper()
	return termtest.Start(l, termtest.Options{
		Path: p.path, Args: p.args, Env: p.env, Cols: l.cols, Rows: l.rows, Deadline: time.Minute,
	})
}

// start starts a program and waits for its text.
func (l *lab) start(p program) *termtest.Terminal {
	l.Helper()
	t := l.launch(p)
	t.Wait(p.shows)
	return t
}

// loadMany starts pgtower on its own mock, in a project with a long history, and loads that as a user would.
func (l *lab) loadMany() *termtest.Terminal {
	l.Helper()
	mock := termtest.StartMock(l, l.demo.path, "--operations", fmt.Sprint(loaded))
	t := l.start(program{
		path: l.demo.path, shows: row, env: []string{"PGTOWER_API_KEY=" + mock.APIKey},
		args: []string{"--base-url", mock.BaseURL, "--project", mock.BusiestProject, "--page-size", "1000", "--budget", "100"},
	})
	t.Press("p", ":")
	t.Wait("Commands")
	began := time.Now()
	t.Send("since 3650d\r")
	t.Wait("complete: all")
	l.ReportMetric(time.Since(began).Seconds(), "load-s")
	return t
}

// answer types a key, and returns when the last byte of the next frame arrived, and the frame's size. A frame is longer
// than a pseudo-terminal's buffer: reads within 2 ms belong to the same one.
func answer(b *testing.B, t *termtest.Terminal, key string) (latency time.Duration, size int) {
	b.Helper()
	seen := len(t.Output())
	pressed := time.Now()
	t.Send(key)
	for time.Since(pressed) < time.Second {
		frame := t.Output()[seen:]
		if len(frame) > 0 && time.Since(frame[len(frame)-1].At) > 2*time.Millisecond {
			for _, c := range frame {
				size += len(c.Bytes)
			}
			return frame[len(frame)-1].At.Sub(pressed), size
		}
		time.Sleep(200 * time.Microsecond)
	}
	b.Fatalf("%q changed nothing:\n%s", key, t.Screen())
	return 0, 0
}

// firstVisible returns when the first character was visible: a title and modes are no screen yet.
func firstVisible(t *termtest.Terminal) time.Time {
	return first(t, func(all []byte) bool { return strings.TrimSpace(ansi.Strip(string(all))) != "" })
}

func firstText(t *termtest.Terminal, text string) time.Time {
	return first(t, func(all []byte) bool { return bytes.Contains(all, []byte(text)) })
}

// first returns when the output was first as wanted, or zero.
func first(t *termtest.Terminal, wanted func([]byte) bool) (at time.Time) {
	var all []byte
	for _, c := range t.Output() {
		if all = append(all, c.Bytes...); wanted(all) {
			return c.At
		}
	}
	return time.Time{}
}

// report reports a figure of pgtower, and its ratio to the empty program's.
func report(b *testing.B, unit string, empty, own float64) {
	b.Helper()
	b.ReportMetric(own, unit)
	b.ReportMetric(own/empty, "x-empty-"+unit)
}

// samples are measurements of one quantity, in one unit.
type samples []float64

// milliseconds returns a duration as a sample.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (s samples) quantile(q float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(q*float64(len(sorted)-1))]
}

func (s samples) median() float64 { return s.quantile(0.5) }

func (s samples) mean() (mean float64) {
	for _, v := range s {
		mean += v / float64(len(s))
	}
	return mean
}

// memory returns the current and the peak memory of a process, in megabytes.
func memory(b *testing.B, pid int) (now, peak float64) {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	field := func(name string) (kilobytes float64) {
		_, rest, _ := bytes.Cut(status, []byte(name+":"))
		_, _ = fmt.Sscan(string(rest), &kilobytes)
		return kilobytes * 1024 / 1e6
	}
	return field("VmRSS"), field("VmHWM")
}

// cpuTime returns the CPU time of all threads of a process, user and system. Its resolution is nanoseconds, while that
// of /proc is 10 ms.
func cpuTime(tb testing.TB, pid int) time.Duration {
	tb.Helper()
	// How the kernel names the CPU clock of another process: see clock_getcpuclockid(3).
	const scheduled = 2
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &ts); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(ts.Nano())
}
