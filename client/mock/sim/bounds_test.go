package sim

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// The number of changes by hand is limited, as they are held in memory and anyone who reaches the mock can make them.
func TestPlatformIsBounded(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{})
	task := Task{ProjectID: p.projects[0].record.ID, Action: strings.Repeat("a", maxAction), Run: time.Hour}
	var op Operation
	change := map[string]func() error{
		"start": func() (err error) {
			op, err = p.Start(task)
			return err
		},
		"fail": func() error {
			_, err := p.Fail(task.ProjectID, op.ID, time.Hour)
			return err
		},
		"lose": func() error { return p.Lose(task.ProjectID, op.ID) },
	}
	for _, name := range []string{"start", "fail", "lose"} {
		p.held = maxHeld
		if err := change[name](); err == nil || !strings.Contains(err.Error(), "20000 operations were started, removed or made to fail") {
			t.Errorf("%s: one more: %v", name, err)
		}
		p.held--
		if err := change[name](); err != nil || p.held != maxHeld {
			t.Errorf("%s: %v, %d are held", name, err, p.held)
		}
	}
	if err := change["lose"](); !errors.Is(err, ErrNoOperation) {
		t.Errorf("it was not removed: %v", err)
	}
}

// At the maximum number of keys, another one can be created only after one is revoked.
func TestKeysAreBounded(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{})
	for len(p.keys) < maxKeys-1 {
		p.keys = append(p.keys, newKey(1, "many", p.Now(), ""))
	}
	last, err := p.CreateKey("", "", "last")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.CreateKey("", "", "one more"); err == nil || !strings.Contains(err.Error(), "revoke some") {
		t.Errorf("one more was created: %v", err)
	}
	if _, err := p.RevokeKey("", last.ID); err != nil {
		t.Error(err)
	}
	if _, err := p.CreateKey("", "", "instead"); err != nil {
		t.Error(err)
	}
}
