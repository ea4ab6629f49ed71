package state

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/account"
)

func knownAt(read time.Time, projects int) *account.Snapshot {
	known := &account.Snapshot{
		Read: read.UTC(), Kind: models.PersonalKey, Owner: "ada", Organizations: []models.Organization{{ID: "org-a", Name: "Acme"}},
	}
	for n := range projects {
		known.Projects = append(known.Projects, models.Project{ID: fmt.Sprint("p-", n), Name: "n", OrgID: "org-a", RegionID: "r"})
	}
	return known
}

// What is known of a key is found by the same key at the same host, for a day.
func TestAccountsAreOfOneKey(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	key, other := models.NewSecret("napi_one"), models.NewSecret("napi_other")
	want := knownAt(now, 2)
	f.change(t, func(s *State) { s.Know("a", key, want, now) })
	f.change(t, func(s *State) { s.Know("b", key, knownAt(now, 1), now) })
	f.change(t, func(s *State) { s.Know("b", key, nil, now) })
	s, err := f.Read()
	if err != nil || len(s.Ignored) > 0 {
		t.Fatalf("%v, %q", err, s.Ignored)
	}
	none := account.Snapshot{}
	for name, c := range map[string]struct {
		host string
		key  models.Secret
		at   time.Time
		want account.Snapshot
	}{
		"the same":       {"a", key, now.Add(24*time.Hour - 1), *want},
		"after a day":    {"a", key, now.Add(24 * time.Hour), none},
		"in the future":  {"a", key, now.Add(-1), none},
		"another key":    {"a", other, now, none},
		"no key":         {"a", models.Secret{}, now, none},
		"another host":   {"c", key, now, none},
		"it was dropped": {"b", key, now, none},
	} {
		if got := s.KnownOf(c.host, c.key, c.at); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	f.change(t, func(s *State) { s.Know("c", other, knownAt(now.Add(25*time.Hour), 1), now.Add(25*time.Hour)) })
	if s, err := f.Read(); err != nil || len(s.Accounts) != 1 || s.Accounts[0].Host != "c" {
		t.Errorf("what is too old stays: %+v, %v", s.Accounts, err)
	}
}

// The oldest accounts make room, and a name that the state cannot hold is left out.
func TestAccountsMakeRoom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for each, want := range map[int]int{0: maxAccounts, 499: 2, maxNamed: 0} {
		var s State
		for n := range 2 * maxAccounts {
			s.Know(fmt.Sprint("host-", n), models.NewSecret("napi_one"), knownAt(now, each), now)
		}
		doc, err := s.encode()
		if err != nil || len(s.Accounts) != want || len(doc) > maxFile/2 {
			t.Errorf("%d projects: %d accounts, %d bytes, %v", each, len(s.Accounts), len(doc), err)
		}
	}
	var s State
	known := knownAt(now, 1)
	known.Projects = append(known.Projects, models.Project{ID: "k", Name: "napi_" + strings.Repeat("a1", 30)},
		models.Project{ID: "l", Name: strings.Repeat("a", maxField+1)})
	s.Know("a", models.NewSecret("napi_one"), known, now)
	if _, err := s.encode(); err != nil || len(s.Accounts[0].Projects) != 1 {
		t.Errorf("%+v, %v", s.Accounts, err)
	}
}

// What the program would not have written is ignored and named.
func TestAccountsAreChecked(t *testing.T) {
	t.Parallel()
	const good = `"host":"a","print":"0","read":"2026-11-27T12:00:00Z","kind":"personal key"`
	for doc, wrong := range map[string]string{
		good: "",
		`"print":"0","read":"2026-11-27T12:00:00Z","kind":"personal key"`:                                      "host",
		`"host":"a","read":"2026-11-27T12:00:00Z","kind":"personal key"`:                                       "print",
		`"host":"a","print":"0","read":"2026-11-27T12:00:00Z","kind":"master key"`:                             "kind",
		`"host":"a","print":"0","kind":"personal key"`:                                                         "read",
		good + `,"projects":[{"id":"","name":"n"}]`:                                                            "projects",
		good + `,"organizations":[{"id":"a","name":"\u001b[31m"}]`:                                             "organizations",
		good + `,"projects":[` + strings.Repeat(`{"id":"p","name":"n"},`, maxNamed) + `{"id":"p","name":"n"}]`: "projects",
	} {
		s, err := decode([]byte(`{"version":2,"salt":"s","accounts":[{` + doc + `}]}`))
		ignored := strings.Join(s.Ignored, "")
		if err != nil || (len(s.Accounts) == 1) != (wrong == "") || !strings.Contains(ignored, wrong) {
			t.Errorf("%.100s: %v, %q", doc, err, ignored)
		}
	}
}
