package feed

import (
	"testing"
	"time"

	"pgtower/models"
)

// A failure of the service is shown for all projects, instead of the error of a deleted one.
func TestSpanShowsTheErrorOfTheService(t *testing.T) {
	t.Parallel()
	p := newPlatform(4, 10)
	p.faults = []fault{
		{from: at(0), to: at(300), project: "p01", kind: models.KindNotFound},
		{from: at(30), to: at(300), kind: models.KindServer},
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.check = false
	if r.until(at(29)); r.Span(r.now).State != Live || models.KindOf(r.Span(r.now).Err) != models.KindNotFound {
		t.Errorf("%+v", r.Span(r.now))
	}
	for s := 60.0; s < 240; s += 7 {
		r.until(at(s))
		f := r.Span(r.now)
		if f.State != Failing || models.KindOf(f.Err) != models.KindServer || f.Next.Sub(r.now) > 30*time.Second {
			t.Fatalf("after %v s: %+v", s, f)
		}
		if f.Next.Before(r.now) {
			t.Fatalf("after %v s, the next try was %v ago", s, r.now.Sub(f.Next))
		}
	}
}

// If no operation has a readable time and older ones are missing, only what comes later is complete.
func TestSpanWithoutTimesClaimsNothing(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.now = s.now.Add(6 * time.Second)
	untimed := func(id string) models.Operation { return models.Operation{ID: id, Status: models.StatusFinished} }
	p := drive(s.Options())
	p.SetProjects([]Project{{ID: "p"}}, true)
	requests, _ := p.Next(s.now)
	p.Receive(Answer{request: requests[0], Page: s.page("", "more", untimed("a"), untimed("b"))}, s.now)
	if span := p.Span(s.now); span.Since.Before(s.now) || span.Lacking != "p" || span.Complete(s.now) {
		t.Errorf("claims %+v", span)
	}
}
