package ui

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
)

// full is a service whose one project has a history of a size, given in one page.
type full struct {
	API

	operations []models.Operation
}

func fullOf(n int, now time.Time) *full {
	actions := []models.Action{"start_compute", "suspend_compute", "apply_config", "check_availability", "create_branch"}
	f := &full{operations: make([]models.Operation, n)}
	for i := range f.operations {
		created := now.Add(-time.Duration(i) * 5 * time.Second)
		f.operations[i] = models.Operation{
			ID: fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i), ProjectID: "floral-king-961888",
			BranchID: fmt.Sprintf("br-bitter-sound-%06d", i%40), EndpointID: fmt.Sprintf("ep-dark-snowflake-%06d", i%40),
			Action: actions[i%len(actions)], Status: models.StatusFinished,
			CreatedAt: created, UpdatedAt: created.Add(time.Duration(i%4000) * time.Millisecond),
		}
	}
	return f
}

func (f *full) Operations(context.Context, string, models.PageRequest) (models.OperationPage, error) {
	return models.OperationPage{Operations: f.operations}, nil
}

func (f *full) Projects(context.Context, models.PageRequest) (models.ProjectPage, error) {
	return models.ProjectPage{Projects: []models.Project{{ID: "floral-king-961888", Name: "floral-king"}}}, nil
}

type fullGateway struct{ *full }

func (g fullGateway) Open(context.Context) (Connection, error) { return Connection{API: g.full}, nil }

func (g fullGateway) SignIn(context.Context, string, models.Secret) (Connection, error) {
	return Connection{API: g.full}, nil
}

// loaded is the program with n operations on a screen of a size, as after its first poll.
func loaded(b *testing.B, n, width, height int) (*Model, *full) {
	b.Helper()
	now := time.Now()
	f := fullOf(n, now)
	m := New(b.Context(), Options{
		Profile: Profile{Gateway: fullGateway{f}, Interval: 5 * time.Second, PageSize: 100}, Budget: 10,
		Project: "floral-king-961888", Clock: func() time.Time { return now },
	})
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	m.begin(Connection{API: f})
	run(m, m.pages[page.Operations].Start())
	run(m, m.pages[page.Projects].Start())
	m.View()
	return m, f
}

// run does the work of a command at once, but for the timers that it starts.
func run(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				run(m, c)
			}
			return
		}
		_, next := m.Update(msg)
		run(m, next)
	case <-time.After(time.Second):
	}
}

func sizesOfFeed() []int { return []int{1_000, 10_000, 100_000} }

// A key and the frame after it.
func BenchmarkKey(b *testing.B) {
	for _, s := range []size{{80, 24}, {200, 60}} {
		for _, n := range sizesOfFeed() {
			b.Run(fmt.Sprintf("%s/%d", s, n), func(b *testing.B) {
				m, _ := loaded(b, n, s.w, s.h)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					key := "j"
					if i%400 > 200 {
						key = "k"
					}
					m.Update(keyPress(key))
					m.View()
				}
			})
		}
	}
}

// A key that changes the filter, as far as the next key waits for it: filtering the rows
// is a command's work.
func BenchmarkFilter(b *testing.B) {
	for _, n := range sizesOfFeed() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, _ := loaded(b, n, 200, 60)
			query := []string{"is:failed", "stcomp"}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				cmd := setFilter(m, query[i%2])
				m.View()
				b.StopTimer()
				run(m, cmd)
				b.StartTimer()
			}
		})
	}
}

// setFilter replaces what stands in the filter by pasting.
func setFilter(m *Model, query string) tea.Cmd {
	m.Update(keyPress("/"))
	m.Update(keyPress("ctrl+u"))
	_, cmd := m.Update(tea.PasteMsg{Content: query})
	return cmd
}

// A poll that brings a page with five new operations, and the frame after it.
func BenchmarkPoll(b *testing.B) {
	for _, n := range sizesOfFeed() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, f := loaded(b, n, 200, 60)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				f.operations = fullOf(100, time.Now()).operations
				for j := range 5 {
					f.operations[j].ID = fmt.Sprintf("new-%d-%d", i, j)
				}
				_, cmd := m.Update(keyPress("r"))
				answer := cmd()
				b.StartTimer()
				m.Update(answer)
				m.View()
			}
		})
	}
}

// BenchmarkMemory reports the bytes that each loaded operation costs.
func BenchmarkMemory(b *testing.B) {
	for _, n := range sizesOfFeed() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				m, f := loaded(b, n, 200, 60)
				f.operations = nil
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(m)
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n), "B/operation")
		})
	}
}

// manyKeys is a service with keys of every kind.
type manyKeys struct {
	*full

	keys []models.APIKey
}

func (m *manyKeys) APIKeys(context.Context) ([]models.APIKey, error) { return m.keys, nil }

// withKeys is the program that shows n keys on a screen of 200×60.
func withKeys(b *testing.B, n int) *Model {
	b.Helper()
	m, f := loaded(b, 1_000, 200, 60)
	now := m.options.Clock()
	s := &manyKeys{full: f, keys: make([]models.APIKey, n)}
	for i := range s.keys {
		s.keys[i] = models.APIKey{
			ID: int64(165_000 + i), Name: fmt.Sprintf("worker-%05d", i*7919%n), CreatedAt: now.AddDate(-1, 0, -i%300),
			LastUsedFromAddr: fmt.Sprintf("192.0.2.%d", i%256),
		}
		if i%5 > 0 {
			s.keys[i].LastUsedAt = now.Add(-time.Duration(i*37%5000) * time.Hour)
		}
	}
	m.begin(Connection{API: s, KeyID: 165_003})
	press(m, "3")
	return m
}

// press presses a key, and does the work that it starts.
func press(m *Model, name string) {
	_, cmd := m.Update(keyPress(name))
	run(m, cmd)
	m.View()
}

// What the page of API keys costs with as many keys as the service recommends at most,
// and with ten times as many: reading the list, a key with its frame, the same with all of
// them marked, sorting, and filtering to the end.
func BenchmarkAPIKeys(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("load/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			b.ReportAllocs()
			for b.Loop() {
				press(m, "r")
			}
		})
		b.Run(fmt.Sprintf("key/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			b.ReportAllocs()
			for b.Loop() {
				press(m, "j")
			}
		})
		b.Run(fmt.Sprintf("key marked/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			press(m, "a")
			b.ReportAllocs()
			for b.Loop() {
				press(m, "j")
			}
		})
		b.Run(fmt.Sprintf("sort/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			b.ReportAllocs()
			for b.Loop() {
				press(m, "S")
			}
		})
		b.Run(fmt.Sprintf("filter/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			query := []string{"idle:>90d", "worker-01"}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				run(m, setFilter(m, query[i%2]))
				m.View()
			}
		})
	}
}
