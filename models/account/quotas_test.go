package account

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// limited is a service with two projects, of which one has a quota.
type limited struct {
	quota int64     // of p1; 0: it has none
	used  int64     // by p1
	end   time.Time // of its period
	err   error     // of the record of a project
	asked []string  // the records that were asked for
}

func (s *limited) answer(r request) (a Answer) {
	switch {
	case r.Kind == Auth:
		a.Auth = models.Auth{AccountID: "org-a", Method: orgMethod}
	case r.Kind == Organizations:
		a.Organizations = []models.Organization{{ID: "org-a", Name: "A"}}
	case r.Kind != Projects:
	case r.List.Project != "":
		s.asked = append(s.asked, r.List.Project)
		record := s.project(r.List.Project)
		record.Used.ComputeTimeSeconds, record.PeriodEnd = models.Opt[int64]{Value: s.used, Known: true}, s.end
		a.Page.Items, a.Err = []models.Project{record}, s.err
	default:
		a.Page.Items = []models.Project{s.project("p1"), s.project("p2")}
	}
	return a
}

func (s *limited) project(id string) models.Project {
	p := models.Project{ID: id, Name: id}
	if id == "p1" {
		p.Quota.ComputeTimeSeconds = models.Opt[int64]{Value: s.quota, Known: true}
	}
	return p
}

// over returns the projects that are known to be over their quotas.
func over(a *Account) (list []string) {
	for _, p := range a.Projects() {
		if p.OverQuota(time.Time{}) {
			list = append(list, p.ID)
		}
	}
	return list
}

// The use of a quota is read once an hour, only of projects that have a quota, and only if it is wanted.
func TestQuotas(t *testing.T) {
	t.Parallel()
	s, now := &limited{quota: 100, used: 101, end: start().Add(150 * time.Minute)}, start()
	a := New(Options{})
	drive(a, now, s.answer)
	if len(s.asked) > 0 || len(over(a)) > 0 {
		t.Errorf("asked for %q, and %q are over their quotas", s.asked, over(a))
	}
	a = New(Options{})
	a.ReadQuotas()
	for i, step := range []struct {
		after time.Duration
		do    func()
		asked int // so far
		over  bool
	}{
		{0, func() {}, 1, true},
		{59 * time.Minute, func() {}, 1, true},
		{time.Minute, func() { s.used = 100 }, 2, false},
		{time.Hour, func() { s.used = 101 }, 3, true},
		{31 * time.Minute, func() {}, 3, false}, // the period is over
		{29 * time.Minute, func() { s.err, s.end = refusal(403, "no"), now.Add(100*time.Hour) }, 4, false},
		{30 * time.Minute, func() { s.err = nil }, 4, false}, // a refusal is taken as an answer, too
		{30 * time.Minute, func() {}, 5, true},
		{time.Hour, func() { s.err = errBusy }, 6, true}, // the last answer is an hour old
		{time.Minute, func() { s.err = nil }, 7, true},
		{50 * time.Minute, func() { s.quota = 0 }, 7, false},
		{3 * time.Hour, func() {}, 7, false},
		{10 * time.Minute, func() { s.quota = 100 }, 8, true},
	} {
		now = now.Add(step.after)
		step.do()
		drive(a, now, s.answer)
		if got := slices.Equal(over(a), []string{"p1"}); got != step.over || len(s.asked) != step.asked || slices.Contains(s.asked, "p2") {
			t.Errorf("step %d: asked for %q, and %q are over their quotas", i, s.asked, over(a))
		}
	}
	a.Detach()
	if len(over(a)) > 0 {
		t.Error("what is read no more is claimed")
	}
}
