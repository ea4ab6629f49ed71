package script

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
)

// noKinds is a service that knows one kind of key only.
type noKinds struct{ control.API }

func (noKinds) unknown() error { return &models.Error{Kind: models.KindNotFound, Status: 404} }

func (n noKinds) Auth(context.Context) (models.Auth, error) { return models.Auth{}, n.unknown() }

func (n noKinds) Organizations(context.Context) ([]models.Organization, error) {
	return nil, n.unknown()
}

func (n noKinds) Project(context.Context, string) (models.Project, error) {
	return models.Project{}, n.unknown()
}

// sourceOf returns a source of a connection with the default flags, and what is printed.
func sourceOf(t *testing.T, c control.Connection) (*Source, *driver.Files) {
	t.Helper()
	files := driver.NewFiles(t, "")
	o := &Options{Interval: 5 * time.Second, PageSize: 100, Budget: 10}
	return NewSource(Process{Clock: time.Now, Stdout: files.Out, Stderr: files.Err}, o, c, time.Now), files
}

// transport sends requests without a network.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// clientOf returns a client of a mock.
func clientOf(t *testing.T, server *mock.Server, o client.Options) *client.Client {
	t.Helper()
	o.BaseURL, o.Key = "https://mock.example"+mock.BasePath, models.NewSecret(server.APIKey())
	api, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// keyless is a service that shows a key of an organization no list of API keys.
type keyless struct {
	control.API
}

func (keyless) Auth(context.Context) (models.Auth, error) {
	return models.Auth{AccountID: "org-a", Method: "api_key_org"}, nil
}

func (keyless) Organizations(context.Context) ([]models.Organization, error) {
	return []models.Organization{{ID: "org-a", Name: "Acme"}}, nil
}

func (keyless) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{}, nil
}

func (keyless) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	return nil, &models.Error{
		Kind: models.KindNotFound, Status: 404, Message: "not allowed for organization API keys",
	}
}

// A list that a key can never read is reported once, however often the lists are read.
func TestListThatAKeyNeverHasIsToldOnce(t *testing.T) {
	t.Parallel()
	from, files := sourceOf(t, control.Connection{API: keyless{}, Account: account.New(account.Options{})})
	for range 3 {
		if _, missing, err := from.readLists(t.Context()); err != nil || len(missing) > 0 {
			t.Errorf("%v, %v", missing, err)
		}
	}
	const want = "pgtower: cannot read the keys of Acme with an organization key\n"
	if _, said := files.Printed(); said != want {
		t.Errorf("said:\n%s", said)
	}
}

// unorganized is a service that does not tell which organizations a personal key reaches.
type unorganized struct{ keyless }

func (unorganized) Auth(context.Context) (models.Auth, error) {
	return models.Auth{AccountID: "u1", Method: "api_key_user"}, nil
}

func (unorganized) User(context.Context) (models.User, error) { return models.User{Login: "ada"}, nil }

func (unorganized) Organizations(context.Context) ([]models.Organization, error) {
	return nil, &models.Error{Kind: models.KindServer, Status: 503}
}

func (unorganized) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	return []models.APIKey{{ID: 1, Name: "ci"}}, nil
}

// Without the organizations of a key, the keys of their lists are missing.
func TestKeysWithoutTheOrganizationsAreNotAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from, _ := sourceOf(t, control.Connection{API: unorganized{}, Account: account.New(account.Options{})})
		keys, err := from.readKeys(t.Context())
		if len(keys) != 1 || models.KindOf(err) != models.KindServer {
			t.Errorf("%d keys, %v", len(keys), err)
		}
	})
}
