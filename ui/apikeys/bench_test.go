package apikeys

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/feed"
	"pgtower/models/keys"
)

// fakeService has keys, and fails on demand.
type fakeService struct {
	keys  []models.APIKey // of all lists
	fails map[models.ListID]error
	asked []string // the requests, in order

	createErr error
	made      int // keys that were asked for
	// create decides whether a creation is carried out and what is answered; without it, every key is created.
	create func(made models.APIKey) (carriedOut bool, err error)
	wider  bool // a new key reaches more than asked
	// revoke answers a revocation; without it, every key is revoked.
	revoke func(k models.APIKey) (models.APIKey, error)

	members      models.Page[models.Member] // of each organization
	membersErr   error
	oneByOne     bool // a page has one of them
	askedMembers []string
}

func (s *fakeService) APIKeys(_ context.Context, of models.ListID) ([]models.APIKey, error) {
	s.asked = append(s.asked, strings.TrimSpace("list "+of.Org))
	if err := s.fails[of]; err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(slices.Clone(s.keys), func(k models.APIKey) bool { return k.List != of })
	for i := range all {
		if all[i].AsOf.Early.IsZero() {
			all[i].AsOf = models.At(time.Now())
		}
	}
	return all, nil
}

func (s *fakeService) CreateAPIKey(_ context.Context, name string, reach models.Reach) (models.CreatedAPIKey, error) {
	s.asked = append(s.asked, "create "+name)
	if s.createErr != nil {
		return models.CreatedAPIKey{}, s.createErr
	}
	s.made++
	id := int64(100 + s.made)
	made := models.APIKey{List: reach.List(), ID: id, Name: name, ProjectID: reach.Project}
	if s.wider {
		made.ProjectID = ""
	}
	if s.create != nil {
		carriedOut, err := s.create(made)
		if carriedOut {
			s.keys = append(s.keys, made)
		}
		if err != nil {
			return models.CreatedAPIKey{}, err
		}
	} else {
		s.keys = append(s.keys, made)
	}
	return models.CreatedAPIKey{List: made.List, ID: id, ProjectID: made.ProjectID, Key: models.NewSecret("napi_made")}, nil
}

func (s *fakeService) Members(_ context.Context, org string, r models.PageRequest) (models.Page[models.Member], error) {
	s.askedMembers = append(s.askedMembers, org)
	page := s.members
	page.Cursor = r.Cursor
	if s.oneByOne && len(page.Items) > 0 {
		n, _ := strconv.Atoi(r.Cursor)
		page.Items = s.members.Items[n : n+1]
		if n+1 < len(s.members.Items) {
			page.Next = strconv.Itoa(n + 1)
		}
	}
	return page, s.membersErr
}

func (s *fakeService) RevokeAPIKey(_ context.Context, k models.APIKey) (models.APIKey, error) {
	s.asked = append(s.asked, "revoke")
	if s.revoke != nil {
		return s.revoke(k)
	}
	s.remove(k)
	k.Revoked = true
	return k, nil
}

func (s *fakeService) remove(gone models.APIKey) {
	s.keys = slices.DeleteFunc(s.keys, func(k models.APIKey) bool { return k.Ref() == gone.Ref() })
}

// fakeStore is a keyring.
type fakeStore struct {
	*fakeService

	checkErr, verifyErr, saveErr, pipeErr error
}

func (s *fakeStore) Verify(context.Context, models.Secret) error {
	s.asked = append(s.asked, "verify")
	return s.verifyErr
}

func (s *fakeStore) Check(context.Context) error { return s.checkErr }

func (s *fakeStore) Pipe(_ context.Context, line string, key models.Secret) error {
	s.asked = append(s.asked, "pipe "+key.Reveal()+" to "+line)
	return s.pipeErr
}

func (s *fakeStore) Save(context.Context, models.CreatedAPIKey) (control.Saved, error) {
	s.asked = append(s.asked, "save")
	return control.Saved{Source: "key from the keyring"}, s.saveErr
}

// bench is a page with a service that answers immediately.
type bench struct {
	*Page
	*driver.Bench

	service *fakeService
	store   *fakeStore
	ahead   time.Duration // of the clock
}

// clock is the time of the page.
func (b *bench) clock() time.Time { return time.Now().Add(b.ahead) }

// reload reads the lists again.
func (b *bench) reload() {
	b.load()
	b.Do(nil)
}

// late reads the lists when no change can be carried out any more that had no answer.
func (b *bench) late() {
	b.ahead += keys.Deadline
	b.reload()
}

// reads reads one list again.
func (b *bench) reads(id models.ListID) {
	b.read(id)
	b.Do(nil)
}

// accountKeys returns keys of the account's list with these names; the ids count from 1.
func accountKeys(names ...string) (all []models.APIKey) {
	for i, name := range names {
		all = append(all, models.APIKey{ID: int64(i + 1), Name: name, CreatedAt: time.Unix(1, 0)})
	}
	return all
}

// newBench returns a page that has read keys with these names; the ids count from 1.
func newBench(t *testing.T, o Options, names ...string) *bench {
	t.Helper()
	return benchOf(t, account.New(account.Options{}), o, accountKeys(names...))
}

// benchOf returns a page that has read keys.
func benchOf(tb testing.TB, key *account.Account, o Options, all []models.APIKey) *bench {
	tb.Helper()
	s := &fakeService{keys: all, fails: map[models.ListID]error{}}
	b := &bench{service: s, store: &fakeStore{fakeService: s}}
	if o.KeyStore == nil {
		o.KeyStore = b.store
	}
	session := driver.NewSession(tb.Context(), b.clock, feed.MaxBudget)
	b.Page = New(session, s, key, o)
	b.Bench = driver.NewBench(tb, b.Page, session)
	b.Do(b.Shown())
	b.service.asked = nil
	return b
}

// targets returns the keys in the order of the page.
func (b *bench) targets() (all []*models.APIKey) {
	for i := range b.keys.Len() {
		all = append(all, b.keys.Row(i))
	}
	return all
}

// markAll marks all keys.
func (b *bench) markAll() {
	for range b.keys.Len() {
		b.Run("mark")
	}
}

// asksAbout returns the question about the revocation of a key.
func (b *bench) asksAbout(k models.APIKey) driver.Opened { return b.Opens(b.askAbout(k)) }

// creates creates a key.
func (b *bench) creates(change keys.Change) *creation {
	c := b.newCreation(change)
	b.Do(c.create())
	return c
}

// named is the creation of a key with a name.
func named(name string) keys.Change { return keys.Change{Key: models.APIKey{Name: name}} }

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// failure returns an error of a kind: that of the API itself where it refuses.
func failure(kind models.Kind) error {
	e := &models.Error{Kind: kind, Doing: "revoke a key"}
	statuses := map[models.Kind]int{
		models.KindForbidden: 403, models.KindInvalid: 422, models.KindLocked: 423, models.KindRateLimited: 429,
	}
	if status := statuses[kind]; status != 0 {
		e.Status, e.Body, e.Message = status, models.APIBody, "no"
	}
	return e
}
