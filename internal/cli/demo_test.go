package cli

import (
	"strings"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/models"
)

// A demo that a fault signed out is opened again at its address. One whose key was revoked is opened with a new mock, also by
// the old address.
func TestDemoIsOpenedAgain(t *testing.T) {
	t.Parallel()
	d := &demo{options: client.Options{Clock: time.Now}, seed: 7}
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
	if s := d.server.Load().mock; !s.RevokeSecret(s.APIKey()) {
		t.Fatal("the key was not revoked")
	}
	again, err := d.Open(t.Context(), first.BaseURL)
	if err != nil || again.KeyID == 0 || again.KeyStore.Check(t.Context()) != nil {
		t.Fatalf("%+v, %v", again, err)
	}
	made := models.CreatedAPIKey{ID: 7, Key: models.NewSecret("napi_made")}
	if kept, err := again.KeyStore.Save(t.Context(), made); err != nil || !strings.HasPrefix(kept.Warning, "The demo saves nothing") {
		t.Errorf("%+v, %v", kept, err)
	}
}
