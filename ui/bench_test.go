package ui

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
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

// BenchmarkTimeline walks, pans and zooms in the timeline, and draws each frame.
func BenchmarkTimeline(b *testing.B) {
	for name, keys := range map[string][]string{"walk": {"left"}, "pan": {"shift+left"}, "zoom": {"(", ")"}} {
		b.Run(name, func(b *testing.B) {
			onEverySize(b, func(b rig) {
				new(stopwatch).arranged(b.m, func() tea.Cmd {
					_, cmd := b.m.Update(driver.Key("t"))
					return cmd
				})
				for i := 0; b.Loop(); i++ {
					b.m.Update(driver.Key(keys[i%len(keys)]))
					b.m.View()
				}
			})
		})
	}
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

// BenchmarkTick draws the frame after a second: the cost at rest.
func BenchmarkTick(b *testing.B) {
	onEverySize(b, func(b rig) {
		second := func() {
			b.service.now = b.service.now.Add(time.Second)
			b.m.Update(clockTick{})
		}
		mustChange(b.B, b.m, "a minute", func() {
			for range 60 {
				second()
			}
		})
		for b.Loop() {
			second()
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

// BenchmarkStatistics opens and closes the statistics of the filtered rows.
func BenchmarkStatistics(b *testing.B) {
	onEveryFeed(b, func(b rig) {
		var s stopwatch
		s.finish(b.m, setFilter(b.m, "c"))
		b.m.Update(driver.Key("enter"))
		press := func() { s.arranged(b.m, func() tea.Cmd { _, cmd := b.m.Update(driver.Key("v")); return cmd }) }
		mustChange(b.B, b.m, "statistics", press)
		press()
		s = stopwatch{}
		for b.Loop() {
			press()
			press()
		}
		s.report(b.B)
	})
}

// BenchmarkSort sorts by duration in the dialog, and back by time.
func BenchmarkSort(b *testing.B) {
	onEveryFeed(b, func(b rig) {
		var s stopwatch
		orders := []string{"took", "time"}
		chosen := func(i int) func() tea.Cmd {
			return func() tea.Cmd {
				b.m.Update(driver.Key("s"))
				b.m.Update(tea.PasteMsg{Content: orders[i%2]})
				_, cmd := b.m.Update(driver.Key("enter"))
				return cmd
			}
		}
		for i := range 2 {
			mustChange(b.B, b.m, "sorting", func() { s.arranged(b.m, chosen(i)) })
		}
		s = stopwatch{}
		for i := 0; b.Loop(); i++ {
			s.arranged(b.m, chosen(i))
		}
		s.report(b.B)
	})
}

// BenchmarkPoll merges a page with five new operations and draws the frame.
func BenchmarkPoll(b *testing.B) {
	onEveryFeed(b, func(b rig) {
		head := fullOf(100, b.service.now).operations
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			b.service.operations = append([]models.Operation(nil), head...)
			b.service.now = b.service.now.Add(time.Second)
			for j := range 5 {
				b.service.operations[j].ID = fmt.Sprintf("new-%d-%d", i, j)
				b.service.operations[j].CreatedAt, b.service.operations[j].UpdatedAt = b.service.now, b.service.now
			}
			_, cmd := b.m.Update(driver.Key("r"))
			got := answers(cmd, atOnce)
			before := b.m.View().Content
			b.StartTimer()
			b.m.Update(got[0])
			if b.m.View().Content == before {
				b.Fatal("five new operations changed nothing")
			}
		}
	})
}

// BenchmarkOlder takes in a page of a hundred older operations, and draws the frame.
func BenchmarkOlder(b *testing.B) {
	onEveryFeed(b, func(b rig) {
		var cmd tea.Cmd
		for b.Loop() {
			b.StopTimer()
			b.service.now = b.service.now.Add(time.Second / 5) // the budget allows ten requests a second
			got := answers(cmd, atOnce)
			if len(got) == 0 {
				_, cmd = b.m.Update(driver.Key("m"))
				got = answers(cmd, atOnce)
			}
			before := b.m.View().Content
			b.StartTimer()
			_, cmd = b.m.Update(got[0])
			if b.m.View().Content == before {
				b.Fatal("older operations changed nothing")
			}
		}
	})
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

// manyProjects is a service whose projects share one history.
type manyProjects struct {
	*full

	projects []models.Project
}

func (m *manyProjects) Projects(context.Context, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{Items: m.projects}, nil
}

// BenchmarkProjects presses a key on the Projects page and draws the frame, in the service's order and sorted by
// health. It also takes in ten answers to polls, on each page.
func BenchmarkProjects(b *testing.B) {
	const answered = 10
	for _, n := range []int{12, 5_000} {
		m, f := loaded(b, 1_000, size{200, 60})
		s, all := &manyProjects{full: f, projects: make([]models.Project, n)}, page.ProjectHealth{}
		for i := range s.projects {
			id := fmt.Sprintf("floral-king-%06d", i)
			s.projects[i] = models.Project{ID: id, Name: id, RegionID: "aws-us-east-2", CreatedAt: f.now, UpdatedAt: f.now}
			all[id] = feed.ProjectHealth{Read: f.now, Window: time.Hour, Whole: true, Failed: i % 7, Running: i % 3}
		}
		run(m, m.begin(Connection{API: s}, false), atOnce)
		press(m, "2")
		health := func(h page.ProjectHealth) func() tea.Cmd {
			return func() tea.Cmd { return m.pages[page.Projects].Update(h) }
		}
		var watch stopwatch
		watch.arranged(m, health(all))
		keys := func(b *testing.B) {
			b.Helper()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.Update(driver.Key([]string{"j", "k"}[i%2]))
				m.View()
			}
		}
		polls := func(b *testing.B) {
			b.Helper()
			watch = stopwatch{}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				some := page.ProjectHealth{}
				for j := range answered {
					id := s.projects[(answered*i+j)%n].ID
					some[id] = feed.ProjectHealth{Read: f.now, Window: time.Hour, Whole: true, Failed: i % 7}
				}
				watch.arranged(m, health(some))
			}
			watch.report(b)
		}
		b.Run(fmt.Sprint("key/", n), keys)
		b.Run(fmt.Sprint("answers/", n), polls)
		mustChange(b, m, "sorting", func() {
			press(m, "s")
			m.Update(tea.PasteMsg{Content: "health"})
			press(m, "enter")
		})
		b.Run(fmt.Sprint("key sorted/", n), keys)
		b.Run(fmt.Sprint("answers sorted/", n), polls)
	}
}
