package feed

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
)

// A clock that is set back delays no newest page, whatever is handed over anew after that.
func TestPollerSurvivesAClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	for _, flying := range []bool{false, true} {
		r := newRun(t.Fatalf, newPlatform(2, 5), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
		r.check = false
		r.until(at(20))
		if flying {
			requests, _ := r.poll.Next(r.now.Add(6 * time.Second))
			for _, q := range requests {
				r.start(q)
			}
		}
		r.ahead = -time.Hour
		r.until(at(27))
		r.Choose(map[string]bool{"p00": true})
		r.until(at(40))
		for id := range r.platform.lives {
			if late := r.now.Add(r.ahead).Sub(r.Feed(id).AsOf()); late > 6*time.Second {
				t.Errorf("in flight %t: %s was read %v ago", flying, id, late)
			}
		}
	}
}

// Projects whose older pages cannot be read do not hold up the range of the others, however long the service wants them to
// wait.
func TestPollerLoadsTheRangeBesideProjectsThatFail(t *testing.T) {
	t.Parallel()
	p := newPlatform(30, 60)
	for i := range 10 {
		p.faults = append(p.faults, fault{to: at(1e6), project: fmt.Sprintf("p%02d", i), kind: models.KindServer, below: true, retry: time.Hour})
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 20, PageSize: 20})
	r.check, r.window = false, 2*time.Hour
	r.until(at(90))
	for i := 10; i < 30; i++ {
		if id := fmt.Sprintf("p%02d", i); r.Feed(id).Len() != 60 {
			t.Errorf("%s has %d operations", id, r.Feed(id).Len())
		}
	}
}

// An operation that cannot be read holds up no other one of its project.
func TestPollerReadsOperationsBesideOneThatFails(t *testing.T) {
	t.Parallel()
	for _, status := range []models.Status{models.StatusRunning, models.StatusFailed} {
		s, asked := newScripted(t), map[string]int{}
		s.now = s.now.Add(6 * time.Second)
		s.Receive(Answer{request: s.only(Head), Page: s.page("", "", began("x", status, 90), began("y", status, 80), began("z", status, 70))}, s.now)
		for end := s.now.Add(10 * time.Minute); s.now.Before(end); s.now = s.now.Add(time.Second) {
			requests, _ := s.Next(s.now)
			for _, r := range requests {
				a := Answer{request: r, Page: s.page("", "", began("new", models.StatusFinished, 95))}
				if r.ID != "" {
					asked[r.ID]++
					a.Operation = began(r.ID, status, map[string]float64{"x": 90, "y": 80, "z": 70}[r.ID])
				}
				if r.ID == "x" {
					a.Err = failure(0)
				}
				s.Receive(a, s.now)
			}
		}
		if asked["x"] == 0 || asked["y"] < 4 || asked["z"] < 4 {
			t.Errorf("%s: asked for %v", status, asked)
		}
	}
}

// A gap that the user opens is asked for at once, even if its last try failed and was to wait.
func TestPollerOpensAGapThatFailed(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.LoadGap(ProjectGap{Project: "p", Gap: Gap{Cursor: "c"}})
	s.Receive(Answer{request: s.only(Gapped), Err: failure(time.Hour)}, s.now)
	s.LoadGap(ProjectGap{Project: "p", Gap: Gap{Cursor: "c"}})
	s.only(Gapped)
}

// Pins do not change that the projects that changed last are read first.
func TestPollerReadsTheLastChangedFirstBesidePins(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: 5 * time.Second, Budget: 1, PageSize: 20})
	var list []Project
	for i := range 30 {
		list = append(list, Project{ID: fmt.Sprintf("p%02d", i), ChangedAt: at(float64(i)), Pinned: i == 0})
	}
	p.SetProjects(list, true)
	p.refresh(at(100))
	requests, _ := p.Next(at(100))
	var asked []string
	for _, r := range requests {
		asked = append(asked, r.Project)
	}
	if want := "[p00 p29 p28 p27]"; fmt.Sprint(asked) != want {
		t.Errorf("asked for %v, want %s", asked, want)
	}
}

// A service that spells an id otherwise is not asked without a pause.
func TestPollerKnowsAnOperationHoweverItIsSpelled(t *testing.T) {
	t.Parallel()
	s, asked := newScripted(t), 0
	s.now = s.now.Add(6 * time.Second)
	s.Receive(Answer{request: s.only(Head), Page: s.page("", "", began("new", models.StatusFinished, 95))}, s.now)
	for range 60 {
		s.now = s.now.Add(time.Second)
		requests, _ := s.Next(s.now)
		for _, r := range requests {
			a := Answer{request: r, Page: s.page("", "", began("new", models.StatusFinished, 95)), Operation: began("X", models.StatusRunning, 90)}
			if r.ID != "" {
				asked++
			}
			s.Receive(a, s.now)
		}
	}
	if asked == 0 || asked > 13 {
		t.Errorf("%d requests in a minute", asked)
	}
}
