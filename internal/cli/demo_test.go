package cli

import (
	"strings"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/models"
)

func TestDemoCommands(t *testing.T) {
	t.Parallel()
	d := &demo{options: client.Options{Clock: time.Now, Budget: 10}, seed: 7}
	commands := map[string]func(string) (string, error){}
	for _, k := range d.commands() {
		commands[k.Name] = k.Run
		if _, err := k.Run("1"); err == nil {
			t.Errorf("%s ran before there is a mock", k.Name)
		}
	}
	if _, err := d.Open(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	s := d.server.Load()
	for _, c := range []struct {
		name, arg string
		did       func() bool
	}{
		{"fault", "503 of list_operations p=0.5", func() bool { return len(s.Faults.All()) == 1 }},
		{"heal", "", func() bool { return len(s.Faults.All()) == 0 }},
		{"speed", "0", func() bool { _, speed := s.Reading(); return speed == 0 }},
	} {
		if _, err := commands[c.name](c.arg); err != nil || !c.did() {
			t.Errorf("%s %s: %v", c.name, c.arg, err)
		}
	}
	for name, arg := range map[string]string{"fault": "503 of nothing", "speed": "fast"} {
		if said, err := commands[name](arg); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %s, %v", name, arg, said, err)
		}
	}
}

// TestDemoCanBeComeBackTo signs the demo out by a fault, and opens it again.
func TestDemoCanBeComeBackTo(t *testing.T) {
	t.Parallel()
	d := &demo{options: client.Options{Clock: time.Now, Budget: 10}, seed: 7}
	first, err := d.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if first.Host != "demo" || !strings.HasPrefix(first.BaseURL, "http://127.0.0.1:") {
		t.Errorf("it is said to be %s at %s", first.Host, first.BaseURL)
	}
	if _, err := d.server.Load().Inject("401"); err != nil {
		t.Fatal(err)
	}
	if _, err := first.API.Projects(t.Context(), models.PageRequest{}); models.KindOf(err) != models.KindUnauthorized {
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
	first, err := d.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if s := d.server.Load(); !s.RevokeSecret(s.APIKey()) {
		t.Fatal("the key was not revoked")
	}
	if again, err := d.Open(t.Context(), first.BaseURL); err != nil || again.KeyID == 0 {
		t.Errorf("%+v, %v", again, err)
	}
}
