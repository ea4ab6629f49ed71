package ui

import (
	"fmt"
	"regexp"
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/internal/driver"
)

// BenchmarkKey moves the selection and draws the frame: two hundred rows down and up, so that most keys scroll.
func BenchmarkKey(b *testing.B) {
	onEverySize(b, func(b rig) {
		mustChange(b.B, b.m, "j", func() { b.m.Update(driver.Key("j")) })
		for i := 0; b.Loop(); i++ {
			key := "j"
			if i%400 >= 200 {
				key = "k"
			}
			b.m.Update(driver.Key(key))
			b.m.View()
		}
	})
}

// BenchmarkOpen opens and closes the details, which replace the table on a narrow screen, and draws both frames.
func BenchmarkOpen(b *testing.B) {
	onEverySize(b, func(b rig) {
		keys := []string{"enter", "esc"}
		for _, key := range keys {
			mustChange(b.B, b.m, key, func() { b.m.Update(driver.Key(key)) })
		}
		for i := 0; b.Loop(); i++ {
			b.m.Update(driver.Key(keys[i%2]))
			b.m.View()
		}
	})
}

// rig is a benchmark with its program and service.
type rig struct {
	*testing.B

	m       *Model
	service *full
}

// onEverySize runs a benchmark with every number of operations on every screen.
func onEverySize(b *testing.B, f func(rig)) {
	b.Helper()
	for _, s := range sizesOfScreen() {
		for _, n := range sizesOfFeed() {
			b.Run(fmt.Sprintf("%s/%d", s, n), func(b *testing.B) {
				m, service := loaded(b, n, s)
				b.ReportAllocs()
				f(rig{b, m, service})
			})
		}
	}
}

// onEveryFeed runs a benchmark with every number of operations on a large screen.
func onEveryFeed(b *testing.B, f func(rig)) {
	b.Helper()
	for _, n := range sizesOfFeed() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, service := loaded(b, n, size{200, 60})
			b.ReportAllocs()
			f(rig{b, m, service})
		})
	}
}

// stopwatch measures how long the UI's goroutine was busy.
type stopwatch struct{ longest, sum time.Duration }

// blocked measures work on the UI's goroutine.
func (s *stopwatch) blocked(do func()) {
	began := time.Now()
	do()
	s.longest = max(s.longest, time.Since(began))
}

// arranged does the work of a key until its rows are on the screen. All but the work of commands blocks keys.
func (s *stopwatch) arranged(m *Model, start func() tea.Cmd) {
	var cmd tea.Cmd
	s.longest = 0
	s.blocked(func() { cmd = start(); m.View() })
	s.finish(m, cmd)
	s.sum += s.longest
}

// finish runs a command and what follows from it.
func (s *stopwatch) finish(m *Model, cmd tea.Cmd) {
	for _, msg := range answers(cmd, time.Minute) {
		var next tea.Cmd
		s.blocked(func() { _, next = m.Update(msg); m.View() })
		s.finish(m, next)
	}
}

// report reports how long a key may have to wait. The benchmark's own time is that until the result is on the screen.
func (s *stopwatch) report(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(s.sum.Nanoseconds())/float64(b.N), "blocked-ns/op")
}

// BenchmarkFilter types a character into the filter and deletes it.
func BenchmarkFilter(b *testing.B) {
	onEveryFeed(b, func(b rig) { benchmarkFilter(b.B, b.m, "c", "h") })
}

// benchmarkFilter types a character at the end of the filter, which leaves fewer rows, and deletes it.
func benchmarkFilter(b *testing.B, m *Model, filter, character string) {
	b.Helper()
	var s stopwatch
	s.finish(m, setFilter(m, filter))
	keys := []string{character, "backspace"}
	typed := func(i int) func() tea.Cmd {
		return func() tea.Cmd { _, cmd := m.Update(driver.Key(keys[i%2])); return cmd }
	}
	shown := regexp.MustCompile(`[0-9,]+ of `)
	rows := func() string { return shown.FindString(ansi.Strip(m.View().Content)) }
	for i := range keys {
		before := rows()
		if s.arranged(m, typed(i)); rows() == before {
			b.Fatalf("%s left %q", keys[i], before)
		}
	}
	s = stopwatch{}
	for i := 0; b.Loop(); i++ {
		s.arranged(m, typed(i))
	}
	s.report(b)
}

// setFilter replaces the filter.
func setFilter(m *Model, query string) tea.Cmd {
	m.Update(driver.Key("/"))
	_, emptied := m.Update(driver.Key("ctrl+u"))
	_, pasted := m.Update(tea.PasteMsg{Content: query})
	return tea.Batch(emptied, pasted)
}

// BenchmarkMemory reports the bytes of a loaded operation, without its strings.
func BenchmarkMemory(b *testing.B) {
	for _, n := range sizesOfFeed() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			alive := func() uint64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			var each float64
			for b.Loop() {
				before := alive()
				m, f := loaded(b, n, size{200, 60})
				f.operations = nil
				each = float64(alive()-before)/float64(n) - float64(len(benchID(0)))
				runtime.KeepAlive(m)
			}
			b.ReportMetric(each, "B/operation")
		})
	}
}
