package cli

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/models"
	"pgtower/ui/apikeys"
)

// service is an API that notes with which keys it was asked what.
type service struct {
	*httptest.Server

	mu    sync.Mutex
	asked []string
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r.Method+" "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"projects":[]}`))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) options() client.Options {
	return client.Options{BaseURL: s.URL + "/api/v2", Clock: time.Now}
}

// heard is what the service was asked since the last time.
func (s *service) heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	heard := strings.Join(s.asked, ", ")
	s.asked = nil
	return heard
}

// somewhere is a store that fails as told.
type somewhere struct{ err error }

func (s somewhere) check(context.Context) error { return s.err }

func (s somewhere) save(context.Context, models.CreatedAPIKey) (apikeys.Saved, error) {
	return apikeys.Saved{Source: "somewhere"}, s.err
}

func TestASessionChangesItsKeyOnlyOnceTheNewOneIsKept(t *testing.T) {
	t.Parallel()
	s := newService(t)
	api, err := newClient(s.options(), models.NewSecret("old"))
	if err != nil {
		t.Fatal(err)
	}
	ask := func() string {
		if _, err := api.Projects(t.Context(), models.PageRequest{}); err != nil {
			t.Error(err)
		}
		return s.heard()
	}
	key := models.CreatedAPIKey{ID: 7, Key: models.NewSecret("new")}
	locked := errors.New("locked")
	h := &sessionKey{options: s.options(), store: somewhere{locked}, api: api}
	if err := h.Verify(t.Context(), key.Key); err != nil || s.heard() != "GET new" {
		t.Errorf("the new key was not tried: %v", err)
	}
	if _, err := h.Save(t.Context(), key); !errors.Is(err, locked) {
		t.Errorf("%v", err)
	}
	if err := h.Check(t.Context()); !errors.Is(err, locked) {
		t.Errorf("%v", err)
	}
	if got := ask(); got != "GET old" {
		t.Errorf("after a failure: %s", got)
	}
	h.store = somewhere{}
	if kept, err := h.Save(t.Context(), key); err != nil || kept.Source != "somewhere" {
		t.Errorf("%v, %v", kept, err)
	}
	if got := ask(); got != "GET new" {
		t.Errorf("after it was kept: %s", got)
	}
}

// The screen learns of the service's clock from the connection in force.
func TestConnectionKnowsTheServicesClock(t *testing.T) {
	t.Parallel()
	s := newService(t)
	var open connector
	t.Cleanup(open.close)
	c, err := open.connect(s.options(), models.NewSecret("key"), somewhere{})
	if err != nil || c.Skew().Known {
		t.Fatalf("%v, or a clock was read before the service was asked", err)
	}
	_, _ = c.API.Projects(t.Context(), models.PageRequest{})
	if skew := c.Skew(); !skew.Known || skew.Value.Abs() > time.Minute {
		t.Errorf("got %+v of a service on this machine", skew)
	}
}

func TestReadOnlyReachesTheService(t *testing.T) {
	t.Parallel()
	s := newService(t)
	set := settings{readOnly: true, baseURL: s.options().BaseURL, budget: 10}
	api, err := newClient(set.clientOptions(time.Now), models.NewSecret("key"))
	if err != nil {
		t.Fatal(err)
	}
	_, revoking := api.RevokeAPIKey(t.Context(), 7)
	_, creating := api.CreateAPIKey(t.Context(), "name")
	if models.KindOf(revoking) != models.KindReadOnly || models.KindOf(creating) != models.KindReadOnly {
		t.Errorf("revoking: %v, creating: %v", revoking, creating)
	}
	if heard := s.heard(); heard != "" {
		t.Errorf("the service was asked: %s", heard)
	}
	if whyReadOnly(set.clientOptions(time.Now)) == "" {
		t.Error("the screen does not say so")
	}
}
