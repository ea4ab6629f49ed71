package apikeys_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// left returns which of the keys the service still has.
func left(p *play.Program, names ...string) string {
	p.T.Helper()
	all := " " + p.KeyNames() + " "
	var out []string
	for _, name := range names {
		if strings.Contains(all, " "+name+" ") {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// markUnused marks the n unused keys, and asks whether to revoke them.
func markUnused(p *play.Program, n int) {
	p.T.Helper()
	p.Press("3", "/")
	p.Type("never:used")
	p.Press("enter", "A", "x")
	p.Sees(fmt.Sprintf("Revoke %d keys?", n), fmt.Sprintf("Type %d to confirm:", n))
}

const unused = "smoke-test load-test demo-for-sales cost-report"

func TestRevokeMany(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		markUnused(p, 4)
		p.Sees("smoke-test      never used  165099")
		p.Type("3")
		p.Press("enter", "tab", "enter") // without the number: on Cancel
		p.SeesNot("Revoke 4 keys?")
		if got := left(p, strings.Fields(unused)...); got != unused {
			t.Fatalf("only %s are left", got)
		}
		p.Press("x")
		p.Type("4")
		p.Press("enter", "enter")
		p.Sees("4 of 4 keys revoked", "4 of 4", "✓ smoke-test", "✓ cost-report")
		p.Press("x") // not handled behind the dialog
		p.Sees("4 of 4 keys revoked")
		p.Press("enter")
		p.SeesNot("4 of 4 keys revoked", "marked", "smoke-test") // the list was read again
		if got := left(p, strings.Fields(unused)...); got != "" {
			t.Errorf("left: %s", got)
		}
	})
}

// TestReportOutlivesTheSession ends the session while keys are being revoked.
func TestReportOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		other := p.CreateKey()
		markUnused(p, 4)
		p.Inject("latency=2s of DELETE")
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(3 * time.Second)
		p.Server.RevokeSecret(p.Server.APIKey())
		p.Wait(10 * time.Second)
		p.Sees("✓ smoke-test", "– cost-report", "Stopped: the API key was refused.", "[ Close ]")
		p.Press("enter")
		p.Sees("Sign in")
		p.Paste(other)
		p.Press("enter")
		p.SeesNot("Sign in")
	})
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	const why = "pgtower was started with --read-only"
	play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) { b.ReadOnly = why }, func(p *play.Program) {
		p.Press("3")
		for name, what := range map[string]string{"n": "create a key", "x": "revoke", "R": "rotate"} {
			p.Press(name)
			p.Sees(what + ": unavailable, " + why)
		}
		p.Press("space", "x")
		p.Sees("revoke: unavailable, " + why)
	})
}

// TestBatchIgnoresOtherRevocations revokes a single key slowly, and many keys meanwhile.
func TestBatchIgnoresOtherRevocations(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "j")
		p.Inject("latency=5s of DELETE count=1")
		p.Press("x", "tab", "enter")
		p.Sees("◌ revoking…")
		var sent []string
		p.Watch = func(r *http.Request) {
			if r.Method == http.MethodDelete {
				sent = append(sent, r.URL.Path)
			}
		}
		p.Inject("429 retry-after=30s of DELETE count=1")
		markUnused(p, 4)
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(10 * time.Second)
		p.Sees("Revoking 4 keys", "0 of 4")
		if len(sent) != 1 {
			t.Errorf("while the service wants to be left alone, it was asked for %v", sent)
		}
		p.Wait(time.Minute)
		p.Sees("4 of 4 keys revoked")
		if got := left(p, append(strings.Fields(unused), "laptop-old")...); got != "" || len(sent) != 5 {
			t.Errorf("left: %s, after %d requests", got, len(sent))
		}
	})
}

func TestBatchOfOneKeyIsAskedAboutAsOne(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "j", "j", "j", "space", "x")
		p.Sees("Revoke ci-deploy?", "Type the key's name to confirm:")
	})
}
