package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/client"
)

func TestKnobsOfTheDemo(t *testing.T) {
	t.Parallel()
	d := &demo{options: client.Options{Clock: time.Now, Budget: 10}, seed: 7}
	knobs := map[string]func(string) (string, error){}
	for _, k := range d.knobs() {
		knobs[k.Name] = k.Turn
		if _, err := k.Turn(k.Values[0].Text); err == nil {
			t.Errorf("%s was turned before there is a mock", k.Name)
		}
	}
	if _, err := d.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := d.server.Load()
	file := filepath.Join(t.TempDir(), "demo.json")
	for _, c := range []struct {
		name, arg string
		did       func() bool
	}{
		{"fault", "503 of list_operations p=0.5", func() bool { return len(s.Faults()) == 1 }},
		{"dump", file, func() bool { return true }},
		{"heal", "all", func() bool { return len(s.Faults()) == 0 }},
		{"load", file, func() bool { return len(s.Faults()) == 1 }},
		{"speed", "0", func() bool { return s.Speed() == 0 }},
		{"advance", "24h", func() bool { return time.Until(s.Now()) > 23*time.Hour && time.Until(d.now()) > 23*time.Hour }},
		{"begin", "create_branch", func() bool { return true }},
	} {
		if _, err := knobs[c.name](c.arg); err != nil || !c.did() {
			t.Errorf("%s %s: %v", c.name, c.arg, err)
		}
	}
	for name, arg := range map[string]string{"fault": "503 of nothing", "speed": "fast", "advance": "later", "load": file + ".none", "dump": file} {
		if said, err := knobs[name](arg); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %s, %v", name, arg, said, err)
		}
	}
}
