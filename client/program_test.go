package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/feed"
	"pgtower/models/poll"
)

// near is a transport to a mock in the same process, so that programs poll it in simulated time.
type near struct {
	*mock.Server

	down atomic.Bool // no connection is made

	mu      sync.Mutex
	limited []time.Time // when a request exceeded the rate limit
}

func newNear(t *testing.T, o mock.Options) *near {
	t.Helper()
	o.Seed, o.Clock = 7, time.Now
	server, err := mock.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &near{Server: server}
}

func (n *near) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(20 * time.Millisecond)
	if n.down.Load() {
		return nil, errors.New("connection refused")
	}
	answer := httptest.NewRecorder()
	n.ServeHTTP(answer, r)
	if answer.Code == http.StatusTooManyRequests {
		n.mu.Lock()
		n.limited = append(n.limited, time.Now())
		n.mu.Unlock()
	}
	return answer.Result(), nil
}

// program polls as pgtower does: the poller decides about the requests.
type program struct {
	api     *client.Client
	account *account.Account
	poller  *feed.Poller
	loop    *poll.Loop
	scope   string // the name of the project in scope, or empty
}

func newProgram(t *testing.T, at *near, o feed.Options) *program {
	t.Helper()
	api, err := client.New(client.Options{
		BaseURL: "https://service.example/api/v2", Key: models.NewSecret(at.APIKey()), Clock: time.Now, Transport: at,
	})
	if err != nil {
		t.Fatal(err)
	}
	loop := poll.NewLoop(poll.New(o.Budget), time.Now)
	p := &program{
		api: api, account: account.New(account.Options{Feed: o}), poller: feed.NewPoller(loop.Poller, api, o), loop: loop,
	}
	p.poller.SetRange(feed.Range{Since: time.Now().Add(-24 * time.Hour), Most: feed.MostLoaded})
	return p
}

// run polls for a time, and calls watch at least once a second.
func (p *program) run(ctx context.Context, length time.Duration, watch func(time.Time)) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer func() { cancel(); time.Sleep(time.Second) }() // until the requests in flight have ended
	p.account.Attach(p.loop.Poller, p.api)
	heard := func(a poll.Answer, _ time.Time) error {
		if account.Reads(a.Subject) {
			p.list()
		}
		return nil
	}
	_ = p.loop.Run(ctx, heard, func(now time.Time) bool { // its error is that the time is over
		watch(now)
		return false
	})
}

func (p *program) list() {
	var polled []feed.Project
	for _, project := range p.account.Projects() {
		polled = append(polled, feed.Project{ID: project.ID, ChangedAt: project.ChangedAt()})
		if project.Name == p.scope {
			p.poller.SetScope(project.ID)
			p.scope = ""
		}
	}
	p.poller.SetProjects(polled, p.account.Settled())
}

// After an outage, more projects are due than the budget allows. The project in scope is still read in its interval.
func TestProgramProjectInScopeComesFirstAfterAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, began := newNear(t, mock.Options{}), time.Now()
		p := newProgram(t, service, feed.Options{Interval: time.Second, Budget: 5, PageSize: 100})
		p.scope = "payments"
		var silent bool
		p.run(t.Context(), 2*time.Minute, func(now time.Time) {
			since, state := now.Sub(began), p.poller.Span(now).State
			service.down.Store(since > 30*time.Second && since < 40*time.Second)
			silent = silent || state == feed.Silent
			if quiet := since > 5*time.Second && since < 30*time.Second || since > 50*time.Second; quiet && state != feed.Live {
				t.Fatalf("after %v: %+v", since, p.poller.Span(now))
			}
		})
		if !silent {
			t.Error("there was no outage: this test shows nothing")
		}
	})
}

// Two programs with the default budget and 40 projects each stay within the limit of the live service, and each is as
// current as its budget allows.
func TestProgramsStayWithinTheLimitOfAnAccount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, began := newNear(t, mock.Options{Projects: 40, Live: true}), time.Now()
		if err := service.LimitRequests("700/m"); err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		for range 2 {
			p := newProgram(t, service, feed.Options{Interval: 5 * time.Second, Budget: 5, PageSize: 100})
			both.Go(func() {
				p.run(t.Context(), 3*time.Minute, func(now time.Time) {
					f := p.poller.Span(now)
					if now.Sub(began) > 150*time.Second && (f.State != feed.Live || f.Projects != 40 || f.Budget != f.Configured) {
						t.Errorf("after %s: %+v", now.Sub(began), f)
					}
				})
			})
		}
		both.Wait()
		if i := slices.IndexFunc(service.limited, func(at time.Time) bool { return at.Sub(began) > time.Minute }); i >= 0 {
			t.Errorf("limited after %v", service.limited[i].Sub(began))
		}
	})
}
