package script

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/control"
)

// fleet responds for its projects as a test defines.
type fleet struct {
	noKinds

	ids  []string
	fail func(project string) error
}

func (s *fleet) Projects(context.Context, models.ListID, models.PageRequest) (p models.Page[models.Project], err error) {
	for _, id := range s.ids {
		p.Items = append(p.Items, models.Project{ID: id, Name: "name-" + id})
	}
	return p, nil
}

func (s *fleet) Operations(
	_ context.Context, project string, r models.PageRequest,
) (models.Page[models.Operation], error) {
	time.Sleep(time.Second)
	return models.Page[models.Operation]{Limit: r.Limit, Cursor: r.Cursor}, s.fail(project)
}

// following returns a lister that follows the operations of a service, and what is printed.
func following(t *testing.T, api control.API) (*lister, *driver.Files) {
	t.Helper()
	from, files := sourceOf(t, control.Connection{API: api})
	l := newLister(from, Listing{Follow: true})
	if err := l.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l, files
}

// Trouble is reported in one line when it begins and in one when it ends, however many requests fail.
func TestFollowTellsWhenTroubleBeginsAndEnds(t *testing.T) {
	t.Parallel()
	limited := &models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: 2 * time.Second}
	failed := &models.Error{Kind: models.KindServer, Status: 503}
	refused := &models.Error{Kind: models.KindForbidden, Status: 403}
	var asked atomic.Int64
	for name, c := range map[string]struct {
		projects int
		fail     func(project string) error // for a minute
		want     []string
	}{
		"a rate limit": {12, func(string) error { return limited }, []string{"rate limited", "responds again"}},
		"a rate limit of every other request": {12, func(string) error {
			if asked.Add(1)%2 == 0 {
				return limited
			}
			return nil
		}, []string{"rate limited", "responds again"}},
		"an outage":           {12, func(string) error { return failed }, []string{"cannot read any project", "responds again"}},
		"an outage for many":  {300, func(string) error { return failed }, []string{"cannot read any project", "responds again"}},
		"of the only project": {1, func(string) error { return failed }, []string{"cannot read name-a: ", "can read name-a again"}},
		"of some": {12, func(id string) error {
			if id < "c" {
				return refused
			}
			return nil
		}, []string{"cannot read name-a and 1 more: ", "can read name-a and 1 more again"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api, trouble := &fleet{}, atomic.Bool{}
				api.fail = func(id string) error {
					if trouble.Load() {
						return c.fail(id)
					}
					return nil
				}
				for i := range c.projects {
					api.ids = append(api.ids, string(rune('a'+i)))
				}
				l, files := following(t, api)
				began := time.Now()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				err := l.run(ctx, func(now time.Time) bool {
					l.reportTrouble(now)
					since := now.Sub(began)
					trouble.Store(since > 2*time.Minute && since < 4*time.Minute)
					return since > 7*time.Minute
				})
				cancel()
				time.Sleep(2 * time.Second) // for the requests in flight
				_, said := files.Printed()
				lines := strings.SplitAfter(strings.TrimSpace(said), "\n")
				told := func(line, want string) bool { return strings.Contains(line, want) }
				if err != nil || !slices.EqualFunc(lines, c.want, told) {
					t.Errorf("%v, said:\n%s", err, said)
				}
			})
		})
	}
}

// A follower ends when only the user can end the trouble: nothing is sent any more.
func TestFollowEndsAtABlock(t *testing.T) {
	t.Parallel()
	for block, ends := range map[models.Block]bool{models.UserBlock: true, models.NameBlock: false, models.NoBlock: false} {
		synctest.Test(t, func(t *testing.T) {
			var broken atomic.Bool
			api := &fleet{ids: []string{"a", "b"}, fail: func(string) error {
				if broken.Load() {
					return &models.Error{Kind: models.KindUnreachable, Block: block}
				}
				return nil
			}}
			l, files := following(t, api)
			broken.Store(true)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err := l.followFrom(ctx, newOutput(l.from.options, files.Out, operationLayout("event", l.from.times)), 0)
			if ended := ctx.Err() == nil; ended != ends || ended != (models.BlockOf(err) == models.UserBlock) {
				t.Errorf("block %d: %v, ended: %t", block, err, ended)
			}
			cancel()
			time.Sleep(2 * time.Second) // for the requests in flight
		})
	}
}

// user is a service with two organizations, whose fleet is of the first.
type user struct {
	fleet

	trouble atomic.Bool // with the list of the second
}

func (*user) Auth(context.Context) (models.Auth, error) {
	return models.Auth{AccountID: "me", Method: "api_key_user"}, nil
}

func (*user) User(context.Context) (models.User, error) { return models.User{Login: "me"}, nil }

func (*user) Organizations(context.Context) ([]models.Organization, error) {
	return []models.Organization{{ID: "org-a", Name: "Acme"}, {ID: "org-b", Name: "Globex"}}, nil
}

func (u *user) Projects(
	ctx context.Context, of models.ListID, r models.PageRequest,
) (p models.Page[models.Project], err error) {
	switch {
	case of.Org == "org-a":
		return u.fleet.Projects(ctx, of, r)
	case of.Org == "org-b" && u.trouble.Load():
		return p, &models.Error{Kind: models.KindServer, Status: 503}
	}
	return p, nil
}

// A list that cannot be read is reported once, and once more when it can be read again; it holds up no other one.
func TestFollowTellsTroubleOfOneList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &user{fleet: fleet{ids: []string{"p"}, fail: func(string) error { return nil }}}
		api.trouble.Store(true)
		l, files := following(t, api)
		ctx, cancel := context.WithCancel(t.Context())
		l.reportLists()
		began := time.Now()
		err := l.run(ctx, func(now time.Time) bool {
			l.reportTrouble(now)
			api.trouble.Store(now.Sub(began) < 3*time.Minute)
			return now.Sub(began) > 7*time.Minute
		})
		cancel()
		time.Sleep(2 * time.Second) // for the requests in flight
		const want = "pgtower: cannot read the projects of Globex (503): the service failed\n" +
			"pgtower: can read the projects of Globex again\n"
		if _, said := files.Printed(); err != nil || said != want {
			t.Errorf("%v, said:\n%s", err, said)
		}
	})
}
