package apikeys_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
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
