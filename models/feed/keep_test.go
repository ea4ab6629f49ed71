package feed

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// An operation that no page has is requested once for each time that it is asked for, also while polling is paused. Its answer
// adds no row.
func TestPollerLooksForAnUnknownOperation(t *testing.T) {
	t.Parallel()
	for _, paused := range []bool{false, true} {
		s := newScripted(t)
		if paused {
			s.Pause()
		}
		rows := s.Feed("p").Len()
		s.Look(Key{"p", "below"})
		s.Look(Key{"p", "below"})
		s.Look(Key{"elsewhere", "below"})
		r := s.reread()
		if r.ID != "below" || r.Project != "p" {
			t.Fatalf("paused %t: %+v", paused, r)
		}
		s.Look(Key{"p", "below"})
		if again, _ := s.Next(s.now); slices.ContainsFunc(again, func(r request) bool { return r.ID != "" }) {
			t.Errorf("paused %t: in flight, and requested again: %+v", paused, again)
		}
		c := s.Receive(Answer{request: r, Operation: began("below", models.StatusRunning, 10)}, s.now)
		if len(c.Added)+len(c.Changed) > 0 || s.Feed("p").Len() != rows {
			t.Errorf("paused %t: its answer changed %+v", paused, c)
		}
		s.Look(Key{"p", "below"})
		if r := s.reread(); r.ID != "below" {
			t.Errorf("paused %t: asked for once more: %+v", paused, r)
		}
	}
}

// reread returns the request for an operation that starts next.
func (s *scripted) reread() request {
	s.t.Helper()
	requests, _ := s.Next(s.now)
	i := slices.IndexFunc(requests, func(r request) bool { return r.ID != "" })
	if i < 0 {
		s.t.Fatalf("no operation among %+v", requests)
	}
	return requests[i]
}

// An operation that cannot be read is asked for again after the delay that the service wants.
func TestPollerLooksAgainAfterTheDelayOfTheService(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.Pause()
	s.Look(Key{"p", "below"})
	s.Receive(Answer{request: s.reread(), Err: failure(time.Minute)}, s.now)
	began := s.now
	for {
		s.Look(Key{"p", "below"})
		requests, _ := s.Next(s.now)
		if len(requests) > 0 {
			break
		}
		s.now = s.now.Add(time.Second)
	}
	if waited := s.now.Sub(began); waited != time.Minute {
		t.Errorf("it was requested again after %s", waited)
	}
}

// What is looked for in a project that the user looks at is requested before all newest pages.
func TestPollerLooksFirstWhereTheUserDoes(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: 5 * time.Second, Budget: 5, PageSize: 100})
	var projects []Project
	for i := range 100 {
		projects = append(projects, Project{ID: fmt.Sprintf("p%02d", i)})
	}
	p.SetProjects(projects, true)
	p.Look(Key{"p99", "x"})
	p.Watch(nil, map[string]bool{"p99": true})
	if requests, _ := p.Next(at(100)); len(requests) < 2 || requests[0].ID != "x" {
		t.Errorf("%+v", requests)
	}
}

// A project that is not kept is not requested any more, also if it has something unfinished.
func TestPollerKeepsProjects(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: 5 * time.Second, Budget: 5, PageSize: 100})
	p.SetProjects([]Project{{ID: "a"}, {ID: "b", Pinned: true}, {ID: "c"}}, true)
	now := at(100)
	var late request
	cycle := func() (asked []string) {
		requests, _ := p.Next(now)
		for _, r := range requests {
			asked = append(asked, r.Project)
			if r.Project == "a" && late.Project == "" {
				late = r
				continue
			}
			page := models.Page[models.Operation]{Limit: 100, AsOf: now, ServiceTime: now}
			page.Items = []models.Operation{began("of-"+r.Project, models.StatusRunning, 90)}
			p.Receive(Answer{request: r, Page: page}, now)
		}
		slices.Sort(asked)
		now = now.Add(5 * time.Second)
		return asked
	}
	if asked := cycle(); !slices.Equal(asked, []string{"a", "b", "c"}) {
		t.Fatalf("of all, it asked for %q", asked)
	}
	p.Look(Key{"a", "x"})
	p.Keep(map[string]bool{"c": true})
	p.Receive(Answer{request: late, Page: models.Page[models.Operation]{AsOf: now}}, now)
	for range 3 {
		if asked := cycle(); !slices.Equal(asked, []string{"c"}) {
			t.Errorf("of those that are kept, it asked for %q", asked)
		}
	}
	span := p.Span(now)
	if span.Projects != 1 || span.Unread > 0 || p.Feed("a") != nil || p.Timeline().Loaded() != 1 {
		t.Errorf("it knows %+v", span)
	}
}
