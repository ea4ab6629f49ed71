package poll

import (
	"context"
	"testing"
	"time"

	"pgtower/models"
)

// page is a source of another host, that is due again a second after each answer.
type page struct {
	poller *Poller
	asked  []time.Time
	told   []error
}

func (p *page) put(from time.Time) {
	subject := Subject{Kind: "status"}
	p.poller.Put(p, "", Source{Subject: subject, Host: "status.example", Lane: FollowUp, Rank: Rest, From: from})
}

func (p *page) Call(_ Subject, now time.Time) (Call, time.Time) {
	p.asked = append(p.asked, now)
	return func(context.Context) (any, error) { return nil, nil }, time.Time{}
}

func (p *page) Receive(a Answer, now time.Time) {
	p.told = append(p.told, a.Err)
	p.put(now.Add(time.Second))
}

// drive answers the requests of a world and of another host for so long.
func (p *page) drive(w *world, length time.Duration, err error) {
	for end := w.now.Add(length); w.now.Before(end); w.now = w.now.Add(time.Second / 10) {
		requests, _ := w.Next(w.now)
		for _, r := range requests {
			a := Answer{Request: r}
			if r.Kind == "status" {
				a.Err = err
			}
			w.Poller.Receive(a, w.now)
		}
	}
}

// What another host does holds up nothing else, and is no trouble of the account's service.
func TestAnotherHostHoldsUpNothing(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"limit": failure(429, time.Hour), "silence": &models.Error{Kind: models.KindTimeout},
		"refusal": &models.Error{Kind: models.KindUnauthorized, Status: 401}, "trouble": failure(503, 0),
	} {
		w := newWorld(t.Fatalf, 5)
		p := &page{poller: w.Poller}
		p.put(w.now)
		o := &once{poller: w.Poller, answers: map[Subject]Answer{}, get: func(context.Context, Subject) (any, error) { return nil, nil }}
		for i := range 100 {
			o.subjects = append(o.subjects, Subject{Kind: "thing", ID: string(rune('a' + i))})
		}
		o.put()
		p.drive(w, 30*time.Second, err)
		h := w.Health(w.now)
		if len(o.answers) != 100 || h.Silent > 0 || !h.Limited.IsZero() || h.Budget != 5 {
			t.Errorf("%s: %d of 100 answers, %+v", name, len(o.answers), h)
		}
		if len(p.asked) == 0 || name == "limit" && len(p.asked) > 1 || len(p.told) != len(p.asked) {
			t.Errorf("%s: asked %d times, told %d answers", name, len(p.asked), len(p.told))
		}
	}
}

// A limit and the silence of the account's service do not hold up another host, which has a budget of its own.
func TestAnotherHostIsNotHeldUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.Changed(failure(429, time.Hour), w.now)
	p := &page{poller: w.Poller}
	p.put(w.now)
	p.drive(w, 20*time.Second, nil)
	if n := len(p.asked); n < 10 || n > 20+burstSeconds {
		t.Errorf("asked %d times in 20 s", n)
	}
}
