package script

import (
	"context"
	"net/http"
	"testing"
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

// What a key can never read is told once, however often the lists are read.
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
