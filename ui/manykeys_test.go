package ui

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// left returns which of the keys the service still has.
func left(p *program, names ...string) string {
	p.t.Helper()
	all := " " + keyNames(p) + " "
	var out []string
	for _, name := range names {
		if strings.Contains(all, " "+name+" ") {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func TestMarks(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "space")
		p.sees("●  first-try", " ▌ laptop-old", "● 1 marked", "2 / 20")
		p.Press("space", "space", "k", "space")
		p.sees("● 2 marked", " esc unmark ")
		p.Press("esc")
		p.seesNot("marked")
		p.Press("/")
		p.Type("never:used")
		p.Press("enter", "A")
		p.sees("● 4 marked", "1 / 4")
		p.Press("/", "ctrl+u")
		p.Type("smoke")
		p.Press("enter")
		p.sees("● 4 marked, 3 of them hidden by the filter", "●▌ smoke-test")
		p.Press("enter", "space")
		p.sees("● 4 marked") // in the details, space scrolls
		p.Press("esc", "esc")
		p.sees("● 4 marked ") // esc removes the details first, and then the filter
		p.Press("esc", "/")
		p.Type("is:nonsense")
		p.Press("enter")
		p.sees("keep the filter: unavailable, correct or complete it first", `unknown value "nonsense"`)
		p.Press("ctrl+u")
		p.Type(`"smoke`)
		p.Press("enter")
		p.sees("keep the filter: unavailable, correct or complete it first", "Close the quote")
		p.Type(`"`)
		p.Press("enter", "A")
		p.sees("● 1 marked")
	})
}

// markUnused marks the n unused keys, and asks whether to revoke them.
func markUnused(p *program, n int) {
	p.t.Helper()
	p.Press("3", "/")
	p.Type("never:used")
	p.Press("enter", "A", "x")
	p.sees(fmt.Sprintf("Revoke %d keys?", n), fmt.Sprintf("Type %d to confirm:", n))
}

const unused = "smoke-test load-test demo-for-sales cost-report"

func TestRevokeMany(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		markUnused(p, 4)
		p.sees("smoke-test      never used  165099")
		p.Type("3")
		p.Press("enter", "tab", "enter") // without the number: on Cancel
		p.seesNot("Revoke 4 keys?")
		if got := left(p, strings.Fields(unused)...); got != unused {
			t.Fatalf("only %s are left", got)
		}
		p.Press("x")
		p.Type("4")
		p.Press("enter", "enter")
		p.sees("4 of 4 keys revoked", "4 of 4", "✓ smoke-test", "✓ cost-report")
		p.Press("x") // not handled behind the dialog
		p.sees("4 of 4 keys revoked")
		p.Press("enter")
		p.seesNot("4 of 4 keys revoked", "marked", "smoke-test") // the list was read again
		if got := left(p, strings.Fields(unused)...); got != "" {
			t.Errorf("left: %s", got)
		}
	})
}

// TestReportOutlivesTheSession ends the session while keys are being revoked.
func TestReportOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		other := p.createOther()
		markUnused(p, 5)
		p.inject("latency=2s of DELETE")
		p.Type("5")
		p.Press("enter", "enter")
		p.Wait(3 * time.Second)
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(10 * time.Second)
		p.sees("✓ smoke-test", "– cost-report", "Stopped: the API key was refused.", "[ Close ]")
		p.Press("enter")
		p.sees("Sign in")
		p.Send(pasteOf(other))
		p.Press("enter")
		p.seesNot("Sign in")
	})
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	const why = "pgtower was started with --read-only"
	play(t, 120, 36, func(b *backend, _ *Options) { b.readOnly = why }, func(p *program) {
		p.Press("3")
		for name, what := range map[string]string{"n": "create a key", "x": "revoke", "R": "rotate"} {
			p.Press(name)
			p.sees(what + ": unavailable, " + why)
		}
		p.Press("space", "x")
		p.sees("revoke: unavailable, " + why)
	})
}

// TestABatchIgnoresOtherRevocations revokes a single key slowly, and many keys meanwhile.
func TestABatchIgnoresOtherRevocations(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "j")
		p.inject("latency=5s of DELETE count=1")
		p.Press("x", "tab", "enter")
		p.sees("◌ revoking…")
		var sent []string
		p.watch = func(r *http.Request) {
			if r.Method == http.MethodDelete {
				sent = append(sent, r.URL.Path)
			}
		}
		p.inject("429 retry-after=30s of DELETE count=1")
		markUnused(p, 4)
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(10 * time.Second)
		p.sees("Revoking 4 keys", "0 of 4")
		if len(sent) != 1 {
			t.Errorf("while the service wants to be left alone, it was asked for %v", sent)
		}
		p.Wait(time.Minute)
		p.sees("4 of 4 keys revoked")
		if got := left(p, append(strings.Fields(unused), "laptop-old")...); got != "" || len(sent) != 5 {
			t.Errorf("left: %s, after %d requests", got, len(sent))
		}
	})
}

func TestOneMarkedKeyIsAskedAboutAsOne(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "j", "j", "j", "space", "x")
		p.sees("Revoke ci-deploy?", "Type the key's name to confirm:")
	})
}
