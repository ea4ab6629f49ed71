//go:build unix

package e2e

import (
	"testing"
	"time"

	"pgtower/client/mock"
)

// rotateOwn opens the dialog that rotates the session's key.
func (p *program) rotateOwn() {
	p.t.Helper()
	p.Press(":")
	p.enter("rotate this session")
	p.Wait("Rotate this session's key")
}

// Two clients use the old key and its successor. Only once the first one has stopped for the quiet time, the old key is
// said to be able to go, and no longer when it is used again.
func TestAnOldKeyCanGoOnceItIsQuiet(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	old, err := b.CreateKey("", "", "ci")
	if err != nil {
		t.Fatal(err)
	}
	p := b.program()
	p.openAPIKeys()
	p.Press("G")
	p.Press("R")
	p.Wait("Rotate ci", "Quiet time: 24h")
	p.Press("enter")
	p.waitSaid("The new key works.")
	successor := b.createdSecret()
	p.Press("r")
	p.Wait(successor)
	p.Press("enter")
	p.Wait("1 being replaced", "replaces ci")
	later := func(d time.Duration, used ...string) {
		b.ahead.Add(int64(d))
		for _, secret := range used {
			if !b.api.accepts(secret) {
				t.Error("a key does not work")
			}
		}
		p.Press("r")
		p.Wait("read just now")
	}
	for range 3 {
		later(20*time.Hour, old.Secret, successor)
	}
	later(20*time.Hour, successor)
	p.Wait("quiet for 20 h")
	if p.showed("key can go") > 0 {
		t.Error("the old key was said to be able to go while it was used")
	}
	later(5*time.Hour, successor)
	p.Wait("1 key can go", "can go: quiet for 25 h")
	later(time.Minute, old.Secret)
	p.WaitGone("1 key can go")
	p.Wait("still used") // the notice may give way to the failures of these days
	p.quit()
}
