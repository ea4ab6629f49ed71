package sim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Times have whole seconds. Several operations share one, in an order that follows neither from their ids nor from their
// creation.
func TestOrderWithinASecond(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{Seed: 7, Live: true})
	clock.advance(time.Hour)
	page, _, err := p.Operations(p.BusiestProject(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	ties, byID, byCreation := 0, 0, 0
	for i, op := range page {
		for _, at := range []string{op.CreatedAt, op.UpdatedAt} {
			if _, err := time.Parse("2006-01-02T15:04:05Z", at); err != nil || strings.Contains(at, ".") {
				t.Fatalf("%+v: %v", op, err)
			}
		}
		if i == 0 || op.CreatedAt != page[i-1].CreatedAt {
			continue
		}
		ties++
		if op.ID < page[i-1].ID {
			byID++
		}
		project := p.projects[0]
		above, _ := project.find(page[i-1].ID, clock.now)
		below, _ := project.find(op.ID, clock.now)
		if below.created.Before(above.created) {
			byCreation++
		}
	}
	if ties < 50 || byID < ties/4 || byID > ties*3/4 || byCreation < ties/4 || byCreation > ties*3/4 {
		t.Errorf("of %d ties, %d are in the order of ids, %d in that of creation", ties, byID, byCreation)
	}
}

// With Microseconds, the operations are listed in the order of their creation, and no two share a time.
func TestOrderOfMicroseconds(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{Seed: 7, Microseconds: true})
	page, _, err := p.Operations(p.BusiestProject(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	sorted := slices.IsSortedFunc(page, func(a, b Operation) int { return strings.Compare(b.CreatedAt, a.CreatedAt) })
	distinct := slices.CompactFunc(slices.Clone(page), func(a, b Operation) bool { return a.CreatedAt == b.CreatedAt })
	if !sorted || len(distinct) != len(page) {
		t.Errorf("sorted: %v, %d of %d times", sorted, len(distinct), len(page))
	}
}

// Pages of any length, also those that end within a second, are the whole list, each operation once.
func TestPagesContinueWithinASecond(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		clock := newManual()
		p, err := New(Options{Seed: rapid.Uint64().Draw(t, "seed"), Clock: clock.Now, Operations: 150})
		if err != nil {
			t.Fatal(err)
		}
		busiest := p.BusiestProject()
		clock.advance(time.Duration(rapid.IntRange(0, 7200).Draw(t, "s")) * time.Second)
		for range rapid.IntRange(0, 50).Draw(t, "by hand") {
			if _, err := p.Start(Task{ProjectID: busiest, Action: createBranch}); err != nil {
				t.Fatal(err)
			}
		}
		whole, _, _ := p.Operations(busiest, "", 1000)
		var paged []Operation
		for cursor := ""; ; {
			limit := rapid.IntRange(1, 40).Draw(t, "limit")
			page, next, err := p.Operations(busiest, cursor, limit)
			if err != nil {
				t.Fatal(err)
			}
			paged = append(paged, page...)
			if cursor = next; next == "" || len(paged) >= len(whole) {
				break
			}
		}
		paged = paged[:min(len(whole), len(paged))]
		if !slices.EqualFunc(paged, whole, func(a, b Operation) bool { return a.ID == b.ID }) {
			t.Fatalf("%d operations in pages, %d in the list", len(paged), len(whole))
		}
	})
}

// The record of a project changes with its operations, when they begin and when they change, and never back.
func TestProjectsMoveWithTheirOperations(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{Seed: 7})
	busiest := p.BusiestProject()
	updated := func() string {
		all, err := p.Projects("", "", "", 1)
		if err != nil || all[0].ID != busiest {
			t.Fatal(all, err)
		}
		return all[0].UpdatedAt
	}
	before, moved := updated(), 0
	for range 1200 {
		clock.advance(time.Second)
		now := updated()
		if now < before || now > stamp(clock.now) {
			t.Fatalf("at %s: %s, before %s", clock.now, now, before)
		}
		if now > before {
			moved++
		}
		before = now
	}
	if moved < 150 {
		t.Errorf("it moved %d times", moved)
	}
	op, err := p.Start(Task{ProjectID: busiest, Action: createBranch, Run: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	clock.advance(3 * time.Second)
	now, err := p.Operation(busiest, op.ID)
	if err != nil || now.Status != finished || updated() < now.UpdatedAt {
		t.Errorf("%+v, %v, the project was updated at %s", now, err, updated())
	}
}

// Now and then, many operations begin in one second; and many projects change at once.
func TestWaves(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{Seed: 7, Projects: 48})
	most := func(project *project) (n int) {
		all := map[string]int{}
		for _, op := range life(project, 3*time.Hour) {
			all[stamp(op.created)]++
			n = max(n, all[stamp(op.created)])
		}
		return n
	}
	if n := most(p.projects[0]); n < 15 {
		t.Errorf("at most %d operations in one second", n)
	}
	began := map[string]int{}
	for _, project := range p.projects {
		for _, op := range life(project, 3*time.Hour) {
			if op.action == checkAvailability {
				began[op.created.Format("15:04")]++
			}
		}
	}
	if at := "12:20"; began[at] < 10 {
		t.Errorf("%d checks at %s", began[at], at)
	}
}
