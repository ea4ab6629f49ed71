package status

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgtower/models/poll"
)

// asked drives a reader for so long, and returns when it asked.
func asked(t *testing.T, p *poll.Poller, from time.Time, length time.Duration) (times []time.Time) {
	t.Helper()
	for now := from; now.Before(from.Add(length)); now = now.Add(time.Second) {
		requests, _ := p.Next(now)
		for _, r := range requests {
			times = append(times, now)
			p.Receive(r.Do(t.Context()), now)
		}
	}
	return times
}

// The page is asked while it is wanted, once a minute, also where the wish comes and goes, and never otherwise.
func TestReaderAsksWhileWanted(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)
	var err error
	p := poll.New(5)
	r := NewReader(p, &Source{Name: "status.example", Host: "api.example", Read: func(context.Context) (Page, error) {
		page, _ := Parse([]byte(sent))
		return page, err
	}})
	if times := asked(t, p, now, 10*time.Minute); len(times) != 0 {
		t.Errorf("asked at %v without a wish", times)
	}
	now = now.Add(10 * time.Minute)
	r.Want(true)
	times := asked(t, p, now, 5*time.Minute)
	s, said := r.Says("aws-eu-central-1")
	const want = "status.example: aws-eu-central-1 partly down since 18:58 (Database Connectivity, +1)"
	if got := s.Text(minute, ""); len(times) != 5 || !said || got != want || !s.AsOf.Equal(now.Add(4*time.Minute)) {
		t.Errorf("asked at %v, and said is %q as of %v", times, got, s.AsOf)
	}
	now = now.Add(5 * time.Minute)
	err = errors.New("no answer")
	for i := range 30 { // the wish comes and goes
		r.Want(i%2 == 0)
		times = append(times, asked(t, p, now, 4*time.Second)...)
		now = now.Add(4 * time.Second)
	}
	for i := range times[1:] {
		if apart := times[i+1].Sub(times[i]); apart < time.Minute {
			t.Errorf("asked after %v", apart)
		}
	}
	if len(times) != 7 {
		t.Errorf("asked at %v", times)
	}
	r.Want(true)
	if s, said := r.Says(); s.Text(minute, "") != "status.example: unknown" || !said || s.Known() {
		t.Errorf("after an error, %q", s.Text(minute, ""))
	}
	r.Use(nil)
	if _, said := r.Says(); said || len(asked(t, p, now, 5*time.Minute)) > 0 {
		t.Error("without a page, something is said or asked")
	}
}
