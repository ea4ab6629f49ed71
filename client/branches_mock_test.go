package client_test

import (
	"slices"
	"testing"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/models"
)

// overLoopback returns a mock that listens, and a function that connects to it with a key.
func overLoopback(t *testing.T, o mock.Options) (*mock.Server, func(key string) *client.Client) {
	t.Helper()
	o.Seed, o.Clock = 7, time.Now
	server, err := mock.New(o)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := mock.Listen(t.Context(), server, mock.ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	})
	return server, func(key string) *client.Client {
		c, err := client.New(client.Options{BaseURL: listener.BaseURL(), Key: models.NewSecret(key), Clock: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
}

// Names of branches and computes are read page by page, and none of them is damaged.
func TestBranchesOverLoopback(t *testing.T) {
	t.Parallel()
	server, connect := overLoopback(t, mock.Options{Organizations: 1})
	c, project := connect(server.APIKey()), server.BusiestProject()
	if _, err := server.Start(mock.Task{ProjectID: project, Action: "create_branch", Branch: "preview/pr-new"}); err != nil {
		t.Fatal(err)
	}
	names, request := map[string]string{}, models.PageRequest{Limit: 7}
	for {
		page, err := c.Branches(t.Context(), project, request)
		if err != nil || page.AsOf.IsZero() || len(page.Items) > request.Limit {
			t.Fatalf("%+v, %v", page, err)
		}
		for _, b := range page.Items {
			if names[b.ID] != "" || b.Damage != "" || b.Name == "" || b.CreatedAt.IsZero() || b.CreatedBy == "" || !b.Default.Known {
				t.Errorf("%+v, which is %q already", b, names[b.ID])
			}
			names[b.ID] = b.Name
		}
		if page.Last() {
			break
		}
		request.Cursor = page.Next
	}
	list := slices.Collect(func(yield func(string) bool) {
		for _, name := range names {
			if !yield(name) {
				return
			}
		}
	})
	if !slices.Contains(list, "main") || !slices.Contains(list, "preview/pr-new") {
		t.Errorf("%q", list)
	}
	computes, err := c.Endpoints(t.Context(), project)
	if err != nil || len(computes.Items) < 10 || !computes.Last() {
		t.Fatalf("%d computes, %v", len(computes.Items), err)
	}
	for _, e := range computes.Items {
		if names[e.BranchID] == "" || e.Damage != "" || e.State == "" {
			t.Errorf("%+v", e)
		}
	}
}

// The words of the response tell what does not exist. The refusal of a key of one project names the project.
func TestRefusalsOverLoopback(t *testing.T) {
	t.Parallel()
	server, connect := overLoopback(t, mock.Options{Organizations: 1})
	issued := server.OrgKeys()[0]
	for _, other := range []string{"", "other"} { // 403 and 404
		if other != "" {
			if _, err := server.Inject(other); err != nil {
				t.Fatal(err)
			}
		}
		_, err := connect(issued.ProjectAPIKey).Projects(t.Context(), models.ListID{}, models.PageRequest{})
		if told := models.RefusedBy(err); told.Project != issued.ProjectID || told.Refusal != models.RefusedProjectKey {
			t.Errorf("%q: %+v of %v", other, told, err)
		}
	}
	if _, err := server.Inject("untold"); err != nil {
		t.Fatal(err)
	}
	_, err := connect(issued.ProjectAPIKey).Projects(t.Context(), models.ListID{}, models.PageRequest{})
	if told := models.RefusedBy(err); told.Project != "" || told.Refusal != models.RefusedProjectKey {
		t.Errorf("untold: %+v of %v", told, err)
	}
	c := connect(server.APIKey())
	_, branches := c.Branches(t.Context(), issued.ProjectID, models.PageRequest{})
	_, computes := c.Endpoints(t.Context(), issued.ProjectID)
	_, members := c.Members(t.Context(), issued.OrgID, models.PageRequest{})
	for _, err := range []error{branches, computes, members} {
		if !models.NoSuchEndpoint(err) {
			t.Errorf("%v", err)
		}
	}
}

// Who made the keys of an organization is known by its members, and the trouble of projects by their records.
func TestAccountOverLoopback(t *testing.T) {
	t.Parallel()
	server, connect := overLoopback(t, mock.Options{Organizations: 1})
	c, org := connect(server.APIKey()), server.OrgKeys()[0].OrgID
	members, err := c.Members(t.Context(), org, models.PageRequest{})
	if err != nil || len(members.Items) != 4 || !members.Last() {
		t.Fatalf("%+v, %v", members, err)
	}
	for _, m := range members.Items {
		deactivated := !m.DeactivatedAt.Value.IsZero()
		if m.Damage != "" || m.UserID == "" || m.Role == "" || !m.DeactivatedAt.Known || deactivated != (m.Email == "bob@example.com") {
			t.Errorf("%+v", m)
		}
	}
	list, err := c.Projects(t.Context(), models.ListID{Org: org}, models.PageRequest{Limit: 400})
	if err != nil {
		t.Fatal(err)
	}
	over := ""
	for i := range list.Items {
		p := &list.Items[i]
		if p.Permission != models.MayManage || p.MaintenanceAt.IsZero() == (p.Name == "identity") || p.OverQuota(time.Now()) {
			t.Errorf("%+v", p)
		}
		if len(p.Limits()) == 0 {
			continue
		}
		alone, err := c.Project(t.Context(), p.ID)
		if err != nil || !alone.Limits()[0].Used.Known || alone.PeriodEnd.IsZero() {
			t.Errorf("%+v, %v", alone, err)
		}
		if alone.OverQuota(time.Now()) {
			over += alone.Name
		}
	}
	if over != "scratchpad" {
		t.Errorf("over their quota: %q", over)
	}
}
