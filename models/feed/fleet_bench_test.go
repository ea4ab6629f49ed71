package feed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// fleet is a poller of many projects, all read once.
func fleet(b *testing.B, projects int) (*driven, time.Time) {
	b.Helper()
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	list := make([]Project, projects)
	for i := range list {
		list[i].ID = fmt.Sprintf("p%04d", i)
	}
	p.SetProjects(list, true)
	now := epoch()
	for p.Span(now).Read < projects {
		requests, wait := p.Next(now)
		for _, r := range requests {
			p.Receive(Answer{request: r, Page: models.Page[models.Operation]{AsOf: now}}, now)
		}
		now = now.Add(wait)
	}
	return p, now
}

// The poller's cost on the UI goroutine.
func BenchmarkSchedule(b *testing.B) {
	const projects = 5000
	p, now := fleet(b, projects)
	b.Run("Next", func(b *testing.B) {
		for b.Loop() {
			requests, wait := p.Next(now)
			for _, r := range requests {
				p.Receive(Answer{request: r, Page: models.Page[models.Operation]{AsOf: now}}, now)
			}
			now = now.Add(min(wait, 100*time.Millisecond))
		}
	})
	b.Run("Span", func(b *testing.B) {
		for b.Loop() {
			p.Span(now)
		}
	})
	var list []Project
	for _, pr := range p.order {
		list = append(list, pr.Project)
	}
	b.Run("SetProjects", func(b *testing.B) {
		for b.Loop() {
			p.SetProjects(list, true)
		}
	})
}

// BenchmarkFleet is how current 5,000 projects are, without and with hints of the list of projects, in simulated time.
func BenchmarkFleet(b *testing.B) {
	const projects, from, to = 5000, 1200, 2400
	for name, relist := range map[string]float64{"without hints": 0, "with hints": 15} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := fleetOf(b.Fatalf, projects, from, to, 2)
				for r.Timeline().Read() < projects {
					r.until(r.now.Add(time.Second))
				}
				b.ReportMetric(r.now.Sub(epoch()).Seconds(), "s/read")
				if relist > 0 {
					r.relist()
				}
				seen := r.delays(from, to, relist)
				b.ReportMetric(seen[len(seen)/2], "s/median")
				b.ReportMetric(seen[len(seen)-1], "s/latest")
			}
		})
	}
}

// relist reads the platform's current project list.
func (r *run) relist() {
	list := make([]Project, 0, len(r.platform.lives))
	for id, lives := range r.platform.lives {
		one := Project{ID: id}
		for _, l := range lives {
			if !l.born.After(r.now) {
				one.ChangedAt = l.born
				break
			}
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Project) int { return strings.Compare(a.ID, b.ID) })
	r.SetProjects(list, true)
}

// fleetOf returns a run of many projects, one of which begins an operation at each interval from a time on.
func fleetOf(fatalf func(string, ...any), projects int, from, to, every float64) *run {
	p := &platform{lives: map[string][]life{}}
	for i := range projects {
		p.born(fmt.Sprintf("p%05d", i), 1, epoch().Add(-time.Duration(projects-i)*time.Hour), time.Hour, time.Second)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for s := from; s < to; s += every {
		p.born(fmt.Sprintf("p%05d", random.IntN(projects)), 1, at(s), time.Second, time.Second)
	}
	r := newRun(fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	r.check = false
	return r
}

// delays drives a run second by second, reading the project list at intervals, and returns after how many seconds each
// operation was seen that began between two times.
func (r *run) delays(from, to, relist float64) []float64 {
	var delays []float64
	waiting := map[string]life{} // by project
	next := from
	for s := from; s < to || len(waiting) > 0 && s < to+1200; s += 0.5 {
		r.until(at(s))
		if relist > 0 && s >= next {
			next = s + relist
			r.relist()
		}
		for id, lives := range r.platform.lives {
			if l := lives[0]; l.born.After(at(from)) && l.born.Before(at(to)) && !l.born.After(r.now) {
				if _, known := r.Feed(id).Find(l.id); !known {
					waiting[id] = l
				} else if w, was := waiting[id]; was {
					delays = append(delays, r.now.Sub(w.born).Seconds())
					delete(waiting, id)
				}
			}
		}
	}
	slices.Sort(delays)
	return delays
}

// readFrom reports whether all projects from one on are read: the last ones changed last.
func (r *run) readFrom(first int) bool {
	for _, pr := range r.order[first:] {
		if !pr.feed.Loaded() {
			return false
		}
	}
	return true
}
