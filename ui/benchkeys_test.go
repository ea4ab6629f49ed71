package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/ui/style"
)

// manyKeys is a service with API keys of every kind.
type manyKeys struct {
	*full

	keys []models.APIKey
}

func (m *manyKeys) APIKeys(context.Context) ([]models.APIKey, error) { return m.keys, nil }

// withKeys returns the program with n keys on a screen of 200×60.
func withKeys(b *testing.B, n int) *Model {
	b.Helper()
	return withKeysOn(b, n, 1_000, size{200, 60})
}

// withKeysOn returns the program with n keys and this many operations loaded.
func withKeysOn(b *testing.B, n, operations int, on size) *Model {
	b.Helper()
	m, f := loaded(b, operations, on)
	now := m.options.Clock()
	s := &manyKeys{full: f, keys: make([]models.APIKey, n)}
	for i := range s.keys {
		s.keys[i] = models.APIKey{
			ID: int64(165_000 + i), Name: fmt.Sprintf("worker-%05d", i*7919%n), CreatedAt: now.AddDate(-1, 0, -i%300),
			LastUsedFromAddr: fmt.Sprintf("192.0.2.%d", i%256),
		}
		s.keys[i].LastUsedAt.Known = true
		if i%5 > 0 {
			s.keys[i].LastUsedAt.Value = now.Add(-time.Duration(i*37%5000) * time.Hour)
		}
	}
	m.begin(Connection{API: s, KeyID: 165_003}, false)
	press(m, "3")
	if shown := fmt.Sprintf("/ %s ", style.Count(n)); !strings.Contains(m.View().Content, shown) {
		b.Fatalf("no %q on the screen:\n%s", shown, ansi.Strip(m.View().Content))
	}
	return m
}

// press presses a key and does the work that it starts.
func press(m *Model, name string) {
	_, cmd := m.Update(driver.Key(name))
	run(m, cmd, time.Second)
	m.View()
}

// The API keys page with the recommended maximum of keys, and with ten times as many: reading the list, a key with its
// frame, the same with all keys marked, reversing the order, and a character in the filter.
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
				m.Update(driver.Key("j"))
				m.View()
			}
		})
		b.Run(fmt.Sprintf("key marked/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			press(m, "a")
			b.ReportAllocs()
			for b.Loop() {
				m.Update(driver.Key("j"))
				m.View()
			}
		})
		b.Run(fmt.Sprintf("sort/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			mustChange(b, m, "another order", func() { press(m, "S") })
			mustChange(b, m, "the first order again", func() { press(m, "S") })
			b.ReportAllocs()
			for b.Loop() {
				press(m, "S")
			}
		})
		b.Run(fmt.Sprintf("filter/%d", n), func(b *testing.B) {
			m := withKeys(b, n)
			b.ReportAllocs()
			benchmarkFilter(b, m, "worker-0", "1")
		})
	}
}

// BenchmarkPages switches from Operations to Projects, API keys and back, with 10,000 keys and 100,000 operations,
// without reading the list.
func BenchmarkPages(b *testing.B) {
	for _, s := range sizesOfScreen() {
		b.Run(s.String(), func(b *testing.B) {
			m := withKeysOn(b, 10_000, 100_000, s)
			turns := []string{"1", "2", "3"}
			for _, key := range turns {
				mustChange(b, m, "turning the page", func() { press(m, key) })
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.Update(driver.Key(turns[i%len(turns)]))
				m.View()
			}
		})
	}
}
