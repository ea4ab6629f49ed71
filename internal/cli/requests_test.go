package cli

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/driver"
)

// counted is a mock that counts the requests of commands.
type counted struct {
	home

	server  *mock.Server
	baseURL string
	mu      sync.Mutex
	asked   []string // methods and paths
}

func newCounted(t *testing.T, organizations int) *counted {
	t.Helper()
	server, err := mock.New(mock.Options{Clock: time.Now, Organizations: organizations})
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{home: newHome(t, ""), server: server}
	listener := httptest.NewServer(c)
	t.Cleanup(listener.Close)
	c.baseURL = listener.URL + mock.BasePath
	c.env = map[string]string{
		"PGTOWER_API_KEY": server.APIKey(), "XDG_STATE_HOME": filepath.Join(c.dir, "state"), "HOME": c.dir,
	}
	return c
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.asked = append(c.asked, r.Method+" "+strings.TrimPrefix(r.URL.Path, mock.BasePath))
	c.mu.Unlock()
	c.server.ServeHTTP(w, r)
}

// run runs a command, and returns its requests, its exit code and its output.
func (c *counted) run(args ...string) (asked []string, code int, printed string) {
	c.Helper()
	c.mu.Lock()
	c.asked = nil
	c.mu.Unlock()
	files, p := driver.NewFiles(c, ""), c.process()
	p.Args, p.Stdin, p.Stdout, p.Stderr = append(args, "--base-url", c.baseURL), files.In, files.Out, files.Err
	code = Run(c.Context(), p)
	stdout, stderr := files.Printed()
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked), code, stdout + stderr
}

// forget removes the state.
func (c *counted) forget() {
	c.Helper()
	if err := os.RemoveAll(filepath.Join(c.dir, "state")); err != nil {
		c.Fatal(err)
	}
}

// id returns the id of a key of the account, or of an organization, by its name.
func (c *counted) id(org, name string) string {
	c.Helper()
	for _, key := range c.server.Keys(org) {
		if key.Name == name {
			return fmt.Sprint(key.ID)
		}
	}
	c.Fatalf("%q has no key %s", org, name)
	return ""
}

// ofOrg returns the first project of an organization.
func (c *counted) ofOrg(org string) string {
	c.Helper()
	projects, err := c.server.Projects("", "", org, 1)
	if err != nil || len(projects) == 0 {
		c.Fatalf("%v: %v", projects, err)
	}
	return projects[0].ID
}

// listingOf returns a command that reads the operations of a project with one request.
func listingOf(project string) []string {
	return []string{"operations", "--json=id", "--project", project, "--limit", "1"}
}

// A command for a named project or key makes as few requests as possible, and fewer with the state of an earlier command.
func TestCommandsMakeTheRequestsThatTheyNeed(t *testing.T) {
	t.Parallel()
	const account = ""
	type requests struct{ without, with int }
	for name, organizations := range map[string]int{"live": 2, "one kind of key": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCounted(t, organizations)
			org := ""
			if organizations > 0 {
				org = c.server.OrgKeys()[0].OrgID
			}
			project := c.ofOrg(org)
			check := func(what string, want requests, args func(pass string) []string) {
				for pass, n := range map[string]int{"without": want.without, "with": want.with} {
					if pass == "without" {
						c.forget()
					} else if _, code, printed := c.run("projects"); code != 0 {
						t.Fatal(printed)
					}
					asked, code, printed := c.run(args(pass)...)
					if code != 0 || len(asked) != n {
						t.Errorf("%s %s memory: %d requests, want %d; %d, %s\n%s", what, pass, len(asked), n, code, printed, strings.Join(asked, "\n"))
					}
				}
			}
			create := func(pass, name string, reach ...string) []string {
				return append([]string{"apikeys", "create", name + pass, "--print"}, reach...)
			}
			rotate := func(pass, org, name string, in ...string) []string {
				return append([]string{"apikeys", "rotate", c.id(org, name+pass), "--print", "--name", name + "next-" + pass}, in...)
			}
			revoke := func(pass, org, name string, in ...string) []string {
				return append([]string{"apikeys", "revoke", c.id(org, name+pass), "--name", name + pass}, in...)
			}
			counts := map[string]requests{"operations": {2, 1}, "create": {5, 3}, "rotate": {5, 3}}
			if organizations == 0 {
				counts = map[string]requests{"operations": {5, 1}, "create": {6, 4}, "rotate": {6, 4}}
			}
			check("operations", counts["operations"], func(string) []string { return listingOf(project) })
			check("create", counts["create"], func(pass string) []string { return create(pass, "a-", "--everything") })
			check("rotate", counts["rotate"], func(pass string) []string { return rotate(pass, account, "a-", "--account") })
			check("revoke", requests{4, 2}, func(pass string) []string { return revoke(pass, account, "a-", "--account") })
			if organizations == 0 {
				return
			}
			check("create for an organization", requests{5, 3}, func(pass string) []string { return create(pass, "o-", "--org-id", org) })
			check("create for a project", requests{6, 4}, func(pass string) []string { return create(pass, "p-", "--project", project) })
			check("rotate of a project", requests{6, 3}, func(pass string) []string { return rotate(pass, org, "p-", "--org-id", org) })
			check("revoke of a project, in JSON", requests{5, 2}, func(pass string) []string { return append(revoke(pass, org, "p-", "--org-id", org), "--json") })
			check("revoke of an organization", requests{4, 2}, func(pass string) []string { return revoke(pass, org, "o-", "--org-id", org) })
		})
	}
}

// Each command remembers for the next one what it learned about this key.
func TestCommandsRememberWhatTheyLearn(t *testing.T) {
	t.Parallel()
	c := newCounted(t, 2)
	project := c.ofOrg(c.server.OrgKeys()[0].OrgID)
	for i, want := range []int{2, 1, 1} {
		if asked, code, printed := c.run(listingOf(project)...); len(asked) != want || code != 0 {
			t.Errorf("%d: %q, %d, %s", i, asked, code, printed)
		}
	}
	first, _, _ := c.run("apikeys", "create", "one", "--everything", "--print", "--dry-run")
	again, _, _ := c.run("apikeys", "create", "one", "--everything", "--print", "--dry-run")
	if len(first) != 3 || len(again) != 1 {
		t.Errorf("%q, then %q", first, again)
	}
	// The project is still remembered after a command that learned less. Another key finds none of this.
	if _, code, printed := c.run("report", "--since", "1h", "--project", project); code != 0 {
		t.Error(printed)
	}
	for _, args := range [][]string{
		listingOf(project),
		{"apikeys", "rotate", c.id("", "ci-deploy"), "--account", "--print", "--dry-run"},
	} {
		if asked, code, printed := c.run(args...); len(asked) != 1 || code != 0 {
			t.Errorf("%q, %d, %s", asked, code, printed)
		}
	}
	_, _, secret := c.run("apikeys", "create", "other", "--everything", "--print")
	c.env["PGTOWER_API_KEY"], _, _ = strings.Cut(secret, "pgtower: ")
	if asked, _, printed := c.run(listingOf(project)...); len(asked) != 2 {
		t.Errorf("another key: %q, %s", asked, printed)
	}
}

// Commands about everything read everything, with and without a state.
func TestCommandsAboutAllAsk(t *testing.T) {
	t.Parallel()
	c := newCounted(t, 2)
	project := c.ofOrg(c.server.OrgKeys()[0].OrgID)
	for name, args := range map[string][]string{
		"projects": {"projects"}, "apikeys": {"apikeys"}, "audit": {"apikeys", "audit"}, "doctor": {"doctor"},
		"report": {"report", "--since", "1h", "--project", project},
	} {
		c.forget()
		without, _, printed := c.run(args...)
		with, _, _ := c.run(args...)
		if !slices.Equal(distinct(without), distinct(with)) || len(without) < 2 {
			t.Errorf("%s: %q, then %q: %s", name, distinct(without), distinct(with), printed)
		}
	}
}

// distinct returns each request once, sorted: their order and number depend on timing.
func distinct(asked []string) []string { return slices.Compact(slices.Sorted(slices.Values(asked))) }

// A refusal drops the memory that it contradicts, and the next command asks again.
func TestCommandsForgetAfterARefusal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault string
		args  func(org, project string) []string
		asks  []int // by the command that meets the refusal, and the next one
	}{
		"a list": {
			"403 of list_org_keys", func(org, _ string) []string {
				return []string{"apikeys", "create", "n", "--org-id", org, "--print", "--dry-run"}
			},
			[]int{4, 1}, // the list, the account of the key, and the list again; then the list alone
		},
		"operations": {
			"403 of list_operations", func(_, project string) []string { return listingOf(project) },
			[]int{1, 2},
		},
		"the key": {
			"401", func(_, project string) []string { return listingOf(project) },
			[]int{1, 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCounted(t, 2)
			org := s.server.OrgKeys()[0].OrgID
			args := c.args(org, s.ofOrg(org))
			if _, code, printed := s.run("projects"); code != 0 {
				t.Fatal(printed)
			}
			if _, err := s.server.Faults.Add(c.fault); err != nil {
				t.Fatal(err)
			}
			asked, code, printed := s.run(args...)
			if len(asked) != c.asks[0] || code == 0 {
				t.Errorf("%q, %d, %s", asked, code, printed)
			}
			s.server.Faults.Clear()
			asked, code, printed = s.run(args...)
			if len(asked) != c.asks[1] || code != 0 {
				t.Errorf("then %q, %d, %s", asked, code, printed)
			}
		})
	}
}

// Commands work without a folder for the state. Then each one asks again.
func TestCommandsWithoutAState(t *testing.T) {
	t.Parallel()
	c := newCounted(t, 2)
	c.env = maps.Clone(c.env)
	c.env["XDG_STATE_HOME"] = driver.NewFiles(t, "").In.Name()
	project := c.ofOrg(c.server.OrgKeys()[0].OrgID)
	for range 2 {
		if asked, code, printed := c.run(listingOf(project)...); len(asked) != 2 || code != 0 {
			t.Errorf("%q, %d, %s", asked, code, printed)
		}
	}
}
