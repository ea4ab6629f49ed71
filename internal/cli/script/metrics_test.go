package script

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/feed"
)

// listsOfKeys is a service whose lists of API keys can refuse or fail.
type listsOfKeys struct {
	*vault

	asked [2]atomic.Int64              // for the list of the account, and of the organization
	err   atomic.Pointer[models.Error] // of the organization's list; nil: none
}

func (s *listsOfKeys) APIKeys(ctx context.Context, id models.ListID) ([]models.APIKey, error) {
	if id.Org == "" {
		s.asked[0].Add(1)
		return s.vault.APIKeys(ctx, id)
	}
	s.asked[1].Add(1)
	if err := s.err.Load(); err != nil {
		return nil, err
	}
	return s.vault.APIKeys(ctx, id)
}

// scraped returns what a scrape of a meter gets.
func scraped(t *testing.T, m *meter) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.set.Handler(log.New(io.Discard, "", 0)).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

// Lists of API keys are read once a minute. One that is refused is not claimed any more; one that fails is as old as it says.
func TestMetricsOfListsOfKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVault()
		v.keys = append(v.keys, models.APIKey{
			ID: 3, Name: "ci-20261101", CreatedAt: time.Now().Add(-time.Hour), LastUsedAt: v.keys[0].LastUsedAt,
		})
		api := &listsOfKeys{vault: v}
		from, _ := sourceOf(t, control.Connection{API: api, Memory: v, Journal: v})
		m := newMeter(from, 15*time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- m.follow(ctx) }()
		const named, ofOrg = `pgtower_rotations{organization="",state="may-be-replaced"} 1`, `pgtower_rotations{organization="org-a",state="can-go"} 0`
		has := func(when string, of bool) {
			t.Helper()
			text := scraped(t, m)
			if !strings.Contains(text, named) || strings.Contains(text, ofOrg) != of {
				t.Errorf("%s:\n%s", when, text)
			}
		}
		time.Sleep(10*time.Minute + 10*time.Second)
		has("after ten minutes", true)
		for i := range api.asked {
			if n := api.asked[i].Load(); n != 11 {
				t.Errorf("list %d was read %d times in ten minutes", i, n)
			}
		}
		api.err.Store(&models.Error{Kind: models.KindServer, Status: 503})
		time.Sleep(5 * time.Minute)
		has("while it fails", true)
		api.err.Store(&models.Error{Kind: models.KindForbidden, Status: 403})
		time.Sleep(2 * time.Minute)
		has("once it is refused", false)
		api.err.Store(nil)
		time.Sleep(2 * time.Minute)
		has("when it can be read again", true)
		if n := api.asked[1].Load(); n > 20 {
			t.Errorf("a list that failed was asked for %d times in 19 minutes", n)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		time.Sleep(time.Minute) // for the requests in flight
	})
}

// What the flags ask for is checked before the service is asked.
func TestMetricsFlags(t *testing.T) {
	t.Parallel()
	from, files := sourceOf(t, control.Connection{API: &fleet{}})
	for _, listen := range []string{"9187", "0.0.0.0:0"} {
		run, err := Metrics(from.options, MetricsOptions{Listen: listen, Window: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		err = run(t.Context(), from)
		if _, usage := errors.AsType[exit.UsageError](err); !usage || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", listen, err)
		}
	}
	if out, said := files.Printed(); out+said != "" {
		t.Errorf("printed %q, said %q", out, said)
	}
}

// While a gap reaches into the window, what failed in it is unknown; a gap that is filled, or lies before, changes nothing.
func TestMetricsKnowNothingAcrossAGap(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	m := meter{gaps: map[openGap]bool{}}
	tell := func(kind feed.EventKind, until time.Time) {
		m.noteGaps([]*feed.Event{{Kind: kind, Project: "p", Since: noon.Add(-time.Hour), Until: until}})
	}
	lacks := func(want bool) {
		t.Helper()
		if got := m.lacks("p", noon.Add(-15*time.Minute)); got != want || m.lacks("q", noon.Add(-15*time.Minute)) {
			t.Errorf("lacks %v", got)
		}
	}
	tell(feed.Missing, noon.Add(-20*time.Minute))
	lacks(false)
	tell(feed.Missing, noon.Add(-time.Minute))
	lacks(true)
	tell(feed.Filled, noon.Add(-time.Minute))
	lacks(false)
}
