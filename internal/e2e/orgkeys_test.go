//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// with returns a shell whose key is another one of the backend.
func (b *backend) with(key string) *shell {
	s := b.shell()
	s.env = append(s.env, "PGTOWER_API_KEY="+key)
	return s
}

// Each kind of key lists the keys that it may see, and says what it may not.
func TestKeysOfEveryKind(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 2})
	orgs := b.OrgKeys()
	count := func(lines []record) map[string]int {
		n := map[string]int{}
		for _, k := range lines {
			n[fmt.Sprint(k["list"], " ", k["org_id"])]++
			if k["created_by"] == nil {
				t.Errorf("nobody created %v", k)
			}
		}
		return n
	}
	all := count(b.shell().run("", "apikeys", "--json").ends(0).lines())
	if len(all) != 3 || all["account <nil>"] == 0 {
		t.Errorf("personal: %v", all)
	}
	for _, org := range orgs {
		key := "organization " + org.OrgID
		if got := count(b.shell().run("", "apikeys", "--json", "--org-id", org.OrgID).ends(0).lines()); len(got) != 1 || got[key] != all[key] {
			t.Errorf("narrowed: %v", got)
		}
	}
	if got := count(b.with(orgs[0].APIKey).run("", "apikeys", "--json").ends(0).lines()); len(got) != 1 || got["organization "+orgs[0].OrgID] == 0 {
		t.Errorf("of an organization: %v", got)
	}
	none := b.with(orgs[0].ProjectAPIKey)
	if got := none.run("", "apikeys", "--json", "--project", orgs[0].ProjectID).ends(0, "no list of API keys").lines(); len(got) > 0 {
		t.Errorf("of a project: %v", got)
	}
	b.inject("503 of list_org_keys org=" + orgs[1].OrgID)
	some := b.shell().run("", "apikeys", "--json").ends(1, "incomplete: cannot read the keys of "+orgs[1].Name+" (503)")
	if got := count(some.lines()); len(got) != 2 {
		t.Errorf("one list refuses: %v", got)
	}
	b.Faults.Clear()
	b.inject("other org=" + orgs[0].OrgID)
	refused := b.with(orgs[0].APIKey)
	refused.run("", "apikeys").ends(0, "cannot read the keys of "+orgs[0].Name+" with an organization key")
	refused.run("", "doctor").ends(0, "the keys of "+orgs[0].Name+": an organization key cannot list them")
}

// newKeyOfAProject asks for a key of the first project, and types its name.
func (p *program) newKeyOfAProject(name string) {
	p.t.Helper()
	p.Press("n")
	p.Wait("What shall the key reach?", "project, of ")
	p.Press("enter")
	p.Wait("The key reaches the project", " alone, until it")
	p.enter(name)
}

// A key is created for a project, and shown as what it is if the service makes it wider.
func TestCreateAKeyOfAProject(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 1})
	org := b.OrgKeys()[0]
	p := b.program()
	p.openAPIKeys()
	p.Wait("REACHES", org.Name, "everything")
	p.newKeyOfAProject("backup-storefront")
	p.Wait("A key with this name already exists.")
	p.leave("New API key")
	p.newKeyOfAProject("just-one")
	p.Wait("just-one · id ", "Save the secret now")
	p.Press("r", "enter")
	p.waitSelected("just-one")

	b.inject("wider org=" + org.OrgID)
	p.newKeyOfAProject("wide")
	p.Wait("The service created a key that reaches all projects of " + org.Name + ".")
	p.Press("enter")
	p.Wait("✓ revoked wide")
	b.Faults.Clear()

	b.inject("no-admin org=" + org.OrgID)
	p.Press("n")
	p.Wait("What shall the key reach?")
	p.Send(org.Name)
	p.Wait("organization, all of its projects")
	p.Press("enter")
	p.Wait("The key reaches all projects of " + org.Name)
	p.enter("not-mine")
	p.Wait("No key was created: permission denied (status 403): only", "Name: not-mine")
	p.leave("New API key")
	for _, k := range b.Keys(org.OrgID) {
		if k.Name == "wide" || k.Name == "just-one" && k.ProjectID == "" {
			t.Errorf("%s reaches %q", k.Name, k.ProjectID)
		}
	}
	p.quit()
}

// A revocation is of the key's list, and what nothing decides is named when the program ends.
func TestRevokeAKeyOfAnOrganization(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 1})
	org := b.OrgKeys()[0]
	p := b.program()
	p.openAPIKeys()
	p.Press("/")
	p.enter("reach:" + org.Name + " never:used")
	p.Wait("1 of ")
	sent := 0
	revoke := func(fault string) {
		b.Faults.Clear()
		b.inject(fault)
		p.Press("x")
		p.Wait("[ Cancel ]")
		p.Press("tab", "enter")
		p.WaitGone("[ Cancel ]")
		sent++
		p.until("the revocation is sent", func() bool {
			return b.count("DELETE /organizations/") == sent
		})
	}
	revoke("404 of revoke_org_key")
	p.Wait("✗ still listed")
	revoke("401 of revoke_org_key")
	p.until("the list is read", func() bool { return b.count("GET /organizations/"+org.OrgID+"/api_keys") == 3 })
	p.Wait("✗ still listed")
	revoke("latency=30s of revoke_org_key")
	p.Wait("◌ revoking…")
	if b.count("DELETE /api_keys") > 0 {
		t.Error("the account's list was asked to revoke a key of the organization")
	}
	p.Press("q")
	p.ended()
	if out := string(p.Wrote()); !strings.Contains(out, " may have been revoked.") {
		t.Error("the open revocation was not named")
	}
}
