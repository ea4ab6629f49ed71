//go:build unix

package e2e

import (
	"fmt"
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
	b.inject("403 of list_org_keys org=" + orgs[1].OrgID)
	some := b.shell().run("", "apikeys", "--json").ends(1, "incomplete: cannot read the keys of "+orgs[1].Name+" (403)")
	if got := count(some.lines()); len(got) != 2 {
		t.Errorf("one list refuses: %v", got)
	}
	b.Faults.Clear()
	b.inject("other org=" + orgs[0].OrgID)
	refused := b.with(orgs[0].APIKey)
	refused.run("", "apikeys").ends(0, "cannot read the keys of "+orgs[0].Name+" with an organization key")
	refused.run("", "doctor").ends(0, "the keys of "+orgs[0].Name+": an organization key cannot list them")
}
