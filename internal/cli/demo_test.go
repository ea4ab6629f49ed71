package cli

import (
	"strings"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/models"
)

// TestDemoCanBeComeBackTo signs the demo out by a fault, and opens it again.
func TestDemoCanBeComeBackTo(t *testing.T) {
	t.Parallel()
	d := &demo{options: client.Options{Clock: time.Now, Budget: 10}, seed: 7}
	d.connections = newConnections()
	first, err := d.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if first.Host != "demo" || !strings.HasPrefix(first.BaseURL, "http://127.0.0.1:") {
		t.Errorf("it is said to be %s at %s", first.Host, first.BaseURL)
	}
	if _, err := d.server.Load().mock.Inject("401"); err != nil {
		t.Fatal(err)
	}
	if _, err := first.API.Projects(t.Context(), models.ListID{}, models.PageRequest{}); models.KindOf(err) != models.KindUnauthorized {
		t.Fatalf("%v", err)
	}
	if again, err := d.Open(t.Context(), ""); err != nil || again.BaseURL != first.BaseURL {
		t.Errorf("%v, at %s", err, again.BaseURL)
	}
}

// A demo whose key was revoked is opened again with a new mock, also at the address of the old one.
func TestDemoBeginsAgainWithoutItsKey(t *testing.T) {
	t.Parallel()
	d := &demo{options: client.Options{Clock: time.Now, Budget: 10}, seed: 7}
	d.connections = newConnections()
	first, err := d.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if s := d.server.Load().mock; !s.RevokeSecret(s.APIKey()) {
		t.Fatal("the key was not revoked")
	}
	if again, err := d.Open(t.Context(), first.BaseURL); err != nil || again.KeyID == 0 {
		t.Errorf("%+v, %v", again, err)
	}
}
