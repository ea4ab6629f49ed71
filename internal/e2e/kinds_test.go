//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// kind is a key of one kind on a service with organizations, and its reach.
type kind struct {
	key, project string // the project is that of a key of one project
	header       string
	projects     int
}

func kindsOf(b *backend) map[string]kind {
	of := b.OrgKeys()[0]
	return map[string]kind{
		"personal":     {b.APIKey(), "", "personal key", 12},
		"of a project": {of.ProjectAPIKey, of.ProjectID, "project key", 1},
	}
}

// programWith runs pgtower with another key of the backend.
func (b *backend) programWith(key string, args ...string) *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Args: args, Env: append(b.env(), "PGTOWER_API_KEY="+key)})
}

// The dashboard shows the kind of the key and the projects that it reaches. For a key of one project, it asks for the project
// if the service does not name it. The reach of each kind is tested in testdata/script/kinds.txtar.
func TestKindsOfKeysInTheDashboard(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"personal", "of a project, untold"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, mock.Options{Organizations: 3})
			kind, untold := strings.CutSuffix(name, ", untold")
			c := kindsOf(b)[kind]
			if untold {
				if _, err := b.Inject("untold"); err != nil {
					t.Fatal(err)
				}
			}
			p := b.keyless()
			p.SignInWith(c.key)
			if untold {
				p.Reads("for one project", "Project id:")
				p.Enter(c.project)
			}
			p.Sees("Signed in: ")
			p.Sees(c.header, "● live", fmt.Sprintf("all projects (%d)", c.projects))
			p.Press("2")
			p.Sees(strings.TrimSuffix(fmt.Sprintf("%d projects", c.projects), map[bool]string{true: "s"}[c.projects == 1]))
			p.quit()
			p.neverShowed(c.key)
		})
	}
}

// After a sign-in with a key of another project of the organization, only the rows of that project are shown.
func TestKindsOfKeysReplacedByOneOfAnotherProject(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Organizations: 1})
	of := b.OrgKeys()[0]
	owned, err := b.Projects("", "", of.OrgID, 400)
	if err != nil {
		t.Fatal(err)
	}
	other := owned[len(owned)-1]
	next, err := b.CreateKey(of.OrgID, other.ID, "next")
	if err != nil {
		t.Fatal(err)
	}
	p := b.programWith(of.ProjectAPIKey, "--project", of.ProjectID)
	p.Sees("● live", "storefront", "finished")
	b.RevokeSecret(of.ProjectAPIKey)
	p.Sees("The service refused the API key (401).")
	p.SignInWith(next.Secret)
	p.Sees("Signed in: project key of "+other.Name, ":alerts")
	p.Sees("● live", "all projects (1)")
	if p.Screen().Contains("storefront") {
		t.Errorf("rows of the project of the key before are shown:\n%s", p.Screen())
	}
	p.Press("2")
	p.Sees("1 project", other.Name)
	p.quit()
}
