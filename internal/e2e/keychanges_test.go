//go:build unix

package e2e

import (
	"strings"
	"syscall"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// programWith runs pgtower with another key of the backend.
func (b *backend) programWith(key string, args ...string) *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Args: args, Env: append(b.env(), "PGTOWER_API_KEY="+key)})
}

// fails injects faults, does something, and waits for what is said about it.
func (p *program) fails(b *backend, faults, says string, do func()) {
	p.t.Helper()
	for fault := range strings.SplitSeq(faults, ", ") {
		b.inject(fault)
	}
	do()
	p.waitSaid(says)
	b.Faults.Clear()
}

// askReach opens the form for a key that reaches something.
func (p *program) askReach(reach, means string) {
	p.t.Helper()
	p.Press("n")
	p.Wait("What shall the key reach?")
	p.Send(reach)
	p.Wait("1 of ")
	p.Press("enter")
	p.waitSaid("New API key", "The key reaches "+means)
}

// revoke revokes the selected key, whose name need not be typed.
func (p *program) revoke() {
	p.t.Helper()
	p.Press("x")
	p.Wait("[ Cancel ]")
	p.Press("tab", "enter")
	p.WaitGone("[ Cancel ]")
}

// A personal key creates and revokes keys of the account, of an organization and of a project. A refusal is shown in the
// service's words and leads back into the form; nothing but the list tells what came of a change without an answer.
func TestChangesWithAPersonalKey(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 1})
	org := b.OrgKeys()[0]
	p := b.program("--budget", "100") // a 429 halves it, and changes wait for it
	p.openAPIKeys()
	p.Wait("REACHES", org.Name, "everything")
	const (
		admins, member = "only administrators of the organization can do this", "not an organization member"
		factors        = "the organization requires multi-factor authentication"
	)
	ofOrg := map[string]string{
		"no-admin": admins, "left": member, "mfa": factors,
		"404": "not found (status 404)", "429": "too many requests (status 429)",
	}
	ofProject := map[string]string{"other of create_org_key, no-admin": admins, "left": member}
	for _, c := range []struct {
		reach, means, endpoint string
		create, revoke         map[string]string
	}{
		{
			"everything", "all projects of all organizations", "_key",
			map[string]string{"403": "permission denied (status 403)", "429": "too many requests (status 429)"},
			map[string]string{"403": "cannot revoke for-everything (403)"},
		},
		{org.Name, "all projects of " + org.Name, "_org_key", ofOrg, map[string]string{"no-admin": admins, "left": member, "mfa": factors}},
		{"storefront", "the project storefront alone", "_org_key", ofProject, nil},
	} {
		p.askReach(c.reach, c.means)
		name := "for-" + strings.ToLower(c.reach)
		p.Send(name)
		for fault, says := range c.create {
			p.fails(b, fault+" of create"+c.endpoint, says, func() { p.Press("enter") })
			p.waitSaid("No key was created: ", "Name: "+name)
		}
		p.fails(b, "401 of create"+c.endpoint, "No key was created: "+name+" is not in the list.", func() { p.Press("enter") })
		p.leave("is not in the list")
		p.askReach(c.reach, c.means)
		p.enter(name)
		p.waitSaid(name+" · id ", "Save the secret now", "It reaches "+c.means)
		p.Press("r", "enter")
		p.waitSelected(name)
		for fault, says := range c.revoke {
			p.fails(b, fault+" of revoke"+c.endpoint, says, p.revoke)
			p.Wait("✗ not revoked")
		}
		p.fails(b, "404 of revoke"+c.endpoint, "✗ still listed", p.revoke)
		p.revoke()
		p.Wait("✓ revoked " + name)
	}
	b.inject("429 of list_org_keys")
	p.Press("r")
	p.Wait("cannot read the keys of " + org.Name + " (429)")
	p.quit()
}

// The key of a project sees and creates no keys.
func TestChangesWithAProjectsKey(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 1})
	of := b.OrgKeys()[0]
	p := b.programWith(of.ProjectAPIKey, "--project", of.ProjectID)
	p.Wait("● live")
	p.Press("3")
	p.waitSaid("There is no list of keys for this key.")
	p.Press("n")
	p.waitSaid("only a personal key can create keys")
	p.quit()
}

// A key whose revocation has no answer is named when the user leaves, however that is.
func TestLeavingDuringARevocation(t *testing.T) {
	t.Parallel()
	const named, named2 = "The API key smoke-test (id 165293)", "may have been revoked."
	for how, leave := range map[string]func(*program){
		"q":               func(p *program) { p.Press("q") },
		"SIGTERM":         func(p *program) { p.Signal(syscall.SIGTERM) },
		"SIGHUP":          func(p *program) { p.Signal(syscall.SIGHUP) },
		"another profile": func(p *program) { p.Press("P"); p.Wait("Switch profile"); p.enter("demo") },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			b := serve(t, mock.Options{})
			p := b.program()
			p.openAPIKeys()
			p.Press("/")
			p.enter("smoke-test")
			p.Wait("1 of ")
			b.inject("latency=30s of DELETE")
			p.revoke()
			p.Wait("◌ revoking…")
			leave(p)
			if how == "another profile" {
				p.waitSaid(named, named2)
				p.Press("q")
			}
			p.ended()
			if p.showed(named) == 0 {
				t.Errorf("the open revocation was not named:\n%s", p.Screen())
			}
		})
	}
}
