package apikeys_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// changed replaces a part of every answer that contains it.
func changed(pattern, by string) func(*play.Backend, *ui.Options) {
	re := regexp.MustCompile(pattern)
	return func(b *play.Backend, _ *ui.Options) {
		b.Spoil = func(_ *http.Request, body []byte) []byte { return re.ReplaceAll(body, []byte(by)) }
	}
}

// A key with an unreadable last use may be in use.
func TestDamagedLastUse(t *testing.T) {
	t.Parallel()
	play.Run(t, 150, 36, changed(`"last_used_at":("[^"]*"|null)(,"last_used_from_addr":"")?`, `"last_used_at":1735732800`), func(p *play.Program) {
		keys := p.Keys()
		p.Sees("unknown")
		p.SeesNot("never used")
		p.Press("enter")
		p.Sees("last_used_at", "unknown")
		p.Press("esc")
		asked := keys.Revoke().WantsTheName()
		asked.Reads("last use unknown", "This key may still be in use")
		asked.Leave()
		asked = keys.Mark().Mark().Revoke()
		asked.Reads("Revoke 2 keys?", "Possibly in use, last use unknown: 2 keys.")
		asked.Leave()
		p.Press("u")
		p.Filter("never:used")
		p.Sees("0 of 20")
		p.Filter("idle:>1h")
		p.Sees("0 of 20")
	})
}

// All addresses of a last use are shown.
func TestDetailsShowAllAddresses(t *testing.T) {
	t.Parallel()
	const several = "2001:db8:1234:5678:9abc:def0:1234:5678,203.0.113.109"
	play.Run(t, 80, 24, changed(`"last_used_from_addr":"[^"]+"`, `"last_used_from_addr":"`+several+`"`), func(p *play.Program) {
		p.Press("3", "end", "enter")
		p.Sees("last_used_from_addr", several)
	})
}

// Keys that share an id are all shown, with a warning.
func TestDamagedKeysWithOneID(t *testing.T) {
	t.Parallel()
	two := func(_ *http.Request, body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(`"id":165100`), []byte(`"id":165099`))
	}
	play.Run(t, 150, 36, func(b *play.Backend, _ *ui.Options) { b.Spoil = two }, func(p *play.Program) {
		p.Keys().Filter("id:165099")
		p.Sees("2 of 20", "smoke-test", "staging-seed", "duplicate id")
	})
}

// A list that is read while a key is created is read once more, and then has the key.
func TestListsAreReadAgain(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		keys := p.Keys()
		p.After = func(r *http.Request) {
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "api_keys") {
				time.Sleep(5 * time.Second)
			}
		}
		p.Press("r")
		secret := keys.Create("fresh-key")
		secret.Reveal()
		secret.Leave()
		p.Wait(30 * time.Second)
		p.Sees("fresh-key ")
	})
}

// A refusal by one instance of the service, which is not believed, leaves no list unread: the page would say that there are no keys.
func TestListIsReadAgainAfterADoubtedRefusal(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 80, 24, nil, func(p *play.Program) {
		p.Inject("401 of /api_keys count=1")
		p.Press("3")
		p.Wait(time.Second)
		p.Sees("LAST USED", "terraform")
	})
}
