package account

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// told is a service that tells the kind of a key.
type told struct {
	Service

	auth models.Auth
	orgs []models.Organization
	err  error // of both
}

func (s told) Auth(context.Context) (models.Auth, error) { return s.auth, s.err }

func (s told) Organizations(context.Context) ([]models.Organization, error) { return s.orgs, s.err }

// A restored account is a key of the same kind with the same names, and claims nothing of its lists.
func TestSnapshotsAreRestored(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	acme := models.Organization{ID: "org-a", Name: "Acme"}
	none := &models.Error{Kind: models.KindNotFound, Status: 404}
	refused := &models.Error{Kind: models.KindNotFound, Status: 404, Message: "not allowed to perform actions outside the project this key is scoped to"}
	for kind, service := range map[models.KeyKind]told{
		models.PersonalKey:     {auth: models.Auth{AccountID: "ada", Method: personalMethod}, orgs: []models.Organization{acme}},
		models.OrganizationKey: {auth: models.Auth{AccountID: "org-a", Method: orgMethod}, orgs: []models.Organization{acme}},
		models.ProjectKey:      {err: refused},
		models.AccountKey:      {err: none},
		models.UnknownKey:      {err: errors.New("no answer")},
	} {
		options := Options{}
		if kind == models.ProjectKey {
			options.Project = "p"
		}
		a := New(options)
		if err := a.Recognize(t.Context(), service, poll.NewLoop(poll.New(5), clock)); err != nil {
			t.Fatal(err)
		}
		a.Note(now, models.Project{ID: "p", Name: "storefront", OrgID: "org-b", OrgName: "Globex", RegionID: "r", Provisioner: "k8s-pod"})
		want := a.Snapshot(now.Add(time.Hour))
		b := New(options)
		b.Restore(&want)
		if got := b.Snapshot(now.Add(2 * time.Hour)); !reflect.DeepEqual(got, want) || got.Kind != kind || !got.Read.Equal(now) {
			t.Errorf("%s: got %+v, want %+v", kind, got, want)
		}
		project, known := b.Project("p")
		if !known || project.Name != "storefront" || project.OrgName != "Globex" || project.Provisioner != "" {
			t.Errorf("%s: %+v", kind, project)
		}
		if b.Complete() || b.Settled() || !b.Read().IsZero() || !reflect.DeepEqual(a.MayList(models.ListID{Org: "x"}), b.MayList(models.ListID{Org: "x"})) {
			t.Errorf("%s: it claims to have read lists", kind)
		}
	}
}

// A snapshot gets no younger by being restored, and what was read meanwhile stays.
func TestSnapshotsAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	a := New(Options{})
	a.Note(now.Add(time.Hour), models.Project{ID: "p", Name: "renamed"})
	a.Restore(&Snapshot{Read: now, Kind: models.PersonalKey, Owner: "ada", Projects: []models.Project{{ID: "p", Name: "old"}}})
	if project, _ := a.Project("p"); project.Name != "renamed" {
		t.Errorf("%+v", project)
	}
	b := New(Options{})
	b.Restore(&Snapshot{Read: now, Kind: models.PersonalKey, Owner: "ada"})
	for name, one := range map[string]*Account{"with a project": a, "without": b} {
		if s := one.Snapshot(now.Add(2 * time.Hour)); !s.Read.Equal(now) {
			t.Errorf("%s: read at %v", name, s.Read)
		}
	}
}

// A snapshot has projects that were asked for by their ids first, and no more than a limit.
func TestSnapshotsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	a := New(Options{})
	for n := range 2 * maxNamed {
		l := a.lists.get(models.ListID{})
		l.projects, l.good = append(l.projects, models.Project{ID: string(rune('a' + n)), Name: "n"}), now
	}
	a.Note(now, models.Project{ID: "z", Name: "zebra"}, models.Project{ID: "nameless"})
	if s := a.Snapshot(now); len(s.Projects) != maxNamed-1 || s.Projects[0].ID != "z" {
		t.Errorf("%d projects, first %+v", len(s.Projects), s.Projects[0])
	}
}

// A refused key is an error; a key without an answer is unknown.
func TestRecognizeTellsOfARefusedKey(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	err := a.Recognize(t.Context(), told{err: &models.Error{Kind: models.KindUnauthorized, Status: 401}}, poll.NewLoop(poll.New(5), time.Now))
	if models.KindOf(err) != models.KindUnauthorized || a.Kind() != models.UnknownKey {
		t.Errorf("%v, %s", err, a.Kind())
	}
}
