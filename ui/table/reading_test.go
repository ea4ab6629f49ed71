package table

import (
	"errors"
	"testing"
	"time"

	"pgtower/ui/page"
)

// Rows are found by id or, if ids are shared, by a key of their own.
func TestIndex(t *testing.T) {
	t.Parallel()
	x := NewIndex([]string{"a", "b", "b", "", ""}, func(id *string) string { return *id })
	for i, want := range []string{"a", "b", "b\x000", "\x001", "\x002"} {
		key := Key{ID: want}
		if got := x.Key(x.Row(i)); got != key {
			t.Errorf("row %d has the key %q, want %q", i, got, want)
		}
		if at, ok := x.Find(key); !ok || at != i {
			t.Errorf("the row of %q is %d, %v; want %d", want, at, ok, i)
		}
	}
	if _, ok := x.Find(Key{}); ok || !x.Shared(new("b")) || x.Shared(new("")) || x.Shared(new("a")) || x.Len() != 5 {
		t.Errorf("%+v", x)
	}
}

// A list that cannot be read again keeps its age.
func TestStatusOfAList(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for want, r := range map[string]Reading{
		"":                   {},
		"◌ loading":          {Busy: true},
		"read 3 minutes ago": {Last: now.Add(-3 * time.Minute)},
		"✗ refresh failed":   {Err: errors.New("no")},
		"✗ refresh failed · read 1 minute ago": {Err: errors.New("no"), Last: now.Add(-time.Minute)},
		"◌ rate limited · next 2h":             {Busy: true, Limited: now.Add(2 * time.Hour), Last: now.Add(-time.Minute)},
	} {
		if got := r.Status(now).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	limited := Reading{Busy: true, Limited: now.Add(time.Hour)}
	if reason := limited.RefreshDisabled(); reason != "" {
		t.Errorf("while the service limits the requests, a refresh is unavailable: %s", reason)
	}
	f := page.Frame{Now: now}
	if got := limited.Empty(f, "keys", EmptyState{}).Title; got != "The service limits the requests: next try in 1h." {
		t.Error(got)
	}
	limited.Err = errors.New("403")
	if got := limited.Empty(f, "keys", EmptyState{}).Title; got != "✗ 403" {
		t.Errorf("it was refused, but %q", got)
	}
}
