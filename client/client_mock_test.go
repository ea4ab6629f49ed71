package client_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/models"
)

// platform is the mock backend behind a socket, with a stopped clock.
type platform struct {
	*mock.Server
	base string
}

func (p *platform) now() time.Time { return time.Date(2025, 3, 2, 12, 0, 0, 0, time.UTC) }

func startMock(t *testing.T) *platform {
	t.Helper()
	p := &platform{}
	server, err := mock.New(mock.Options{Seed: 7, Clock: p.now})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := mock.Listen(t.Context(), server, mock.ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	p.Server, p.base = server, listener.BaseURL()
	return p
}

func (p *platform) signIn(t *testing.T, key string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: p.base, Key: models.NewSecret(key), Clock: p.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func wantKind(t *testing.T, err error, want models.Kind) {
	t.Helper()
	if got := models.KindOf(err); err == nil || got != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestMockAPIKeys(t *testing.T) {
	t.Parallel()
	p := startMock(t)
	ctx := t.Context()
	c := p.signIn(t, p.APIKey())

	created, err := c.CreateAPIKey(ctx, "from the test")
	if err != nil || created.Damage != "" || created.Key.IsZero() {
		t.Fatalf("got %+v, %v", created, err)
	}
	isCreated := func(k models.APIKey) bool { return k.ID == created.ID && k.Name == "from the test" }
	keys, err := c.APIKeys(ctx)
	if err != nil || !slices.ContainsFunc(keys, isCreated) {
		t.Fatalf("the new key is not listed: %v", err)
	}
	for _, k := range keys {
		if k.Damage != "" {
			t.Errorf("%+v is damaged", k)
		}
	}

	other := p.signIn(t, created.Key.Reveal())
	if _, err := other.APIKeys(ctx); err != nil {
		t.Fatalf("the new key: %v", err)
	}
	revoked, err := c.RevokeAPIKey(ctx, created.ID)
	if err != nil || !revoked.Revoked || !isCreated(revoked) {
		t.Fatalf("got %+v, %v", revoked, err)
	}
	_, err = other.APIKeys(ctx)
	wantKind(t, err, models.KindUnauthorized)
	_, err = p.signIn(t, "napi_nobody").APIKeys(ctx)
	wantKind(t, err, models.KindUnauthorized)
	_, err = c.RevokeAPIKey(ctx, 1<<62)
	wantKind(t, err, models.KindNotFound)
}

func TestMockProjectsPageByPage(t *testing.T) {
	t.Parallel()
	p := startMock(t)
	c := p.signIn(t, p.APIKey())
	seen := map[string]bool{}
	page := models.Page[models.Project]{}
	for ask := (models.PageRequest{Limit: 5}); ; ask.Cursor = page.Next {
		var err error
		if page, err = c.Projects(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		for _, project := range page.Items {
			if seen[project.ID] || project.Damage != "" {
				t.Errorf("%s: again or damaged (%s)", project.ID, project.Damage)
			}
			seen[project.ID] = true
		}
		if page.Last() {
			break
		}
	}
	if len(seen) != sim.DefaultProjects {
		t.Errorf("got %d projects", len(seen))
	}
}

func TestMockOperationsPageByPage(t *testing.T) {
	t.Parallel()
	p := startMock(t)
	c := p.signIn(t, p.APIKey())
	project := p.BusiestProject()
	seen := map[string]bool{}
	var last time.Time
	page := models.Page[models.Operation]{}
	for ask := (models.PageRequest{Limit: 300}); ; ask.Cursor = page.Next {
		var err error
		if page, err = c.Operations(t.Context(), project, ask); err != nil {
			t.Fatal(err)
		}
		for _, op := range page.Items {
			if seen[op.ID] || op.Damage != "" || op.ProjectID != project {
				t.Errorf("%+v: again, damaged or another project's", op)
			}
			if !last.IsZero() && op.CreatedAt.After(last) {
				t.Errorf("%s is newer than the one above it", op.ID)
			}
			seen[op.ID], last = true, op.CreatedAt
		}
		if page.Last() {
			break
		}
	}
	if len(seen) < sim.DefaultOperations {
		t.Errorf("got %d operations", len(seen))
	}
	_, err := c.Operations(t.Context(), "no-such-project", models.PageRequest{})
	wantKind(t, err, models.KindNotFound)
}

func TestMockFaults(t *testing.T) {
	t.Parallel()
	p := startMock(t)
	projects := func(ctx context.Context) error {
		// A shared client would wait for the Retry-After of one fault.
		_, err := p.signIn(t, p.APIKey()).Projects(ctx, models.PageRequest{})
		return err
	}
	for name, f := range map[string]struct {
		fault string
		fails bool
		want  models.Kind
	}{
		"one reset is repeated":       {fault: "reset count=1"},
		"two busy answers as well":    {fault: "503 count=2"},
		"one broken body too":         {fault: "truncate count=1"},
		"reset for good":              {"reset", true, models.KindUnreachable},
		"rate limited":                {"429 retry-after=1m", true, models.KindRateLimited},
		"a page in place of an API":   {"body=<html> type=text/html", true, models.KindMalformed},
		"a page that claims to be it": {"body=<html>", true, models.KindMalformed},
		"refused":                     {"401", true, models.KindUnauthorized},
	} {
		remove, err := p.Inject(f.fault)
		if err != nil {
			t.Fatal(err)
		}
		switch err := projects(t.Context()); {
		case f.fails:
			wantKind(t, err, f.want)
		case err != nil:
			t.Errorf("%s: %v", name, err)
		}
		remove()
	}
}
