package mock_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
)

// branchPage is a page of branches.
type branchPage struct {
	Branches   []record
	Pagination struct {
		Next   string
		SortBy string `json:"sort_by"`
	}
}

// branches lists the branches of a project, in pages of a length.
func (c target) branches(t *testing.T, project, query string, limit int) (out []record) {
	t.Helper()
	next := ""
	for {
		var page branchPage
		c.get(t, fmt.Sprintf("/projects/%s/branches?limit=%d%s%s", project, limit, query, after(next)), &page)
		out = append(out, page.Branches...)
		if len(page.Branches) > limit || page.Pagination.SortBy == "" {
			t.Fatalf("%d branches in a page of %d, %+v", len(page.Branches), limit, page.Pagination)
		}
		if next = page.Pagination.Next; next == "" {
			return out
		}
	}
}

// Branches are listed in pages, in every order; a search finds parts of names and ids.
func TestBranchesArePaged(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{Live: true})
	c, busiest := handlerTarget(srv), srv.BusiestProject()
	all := c.branches(t, busiest, "", 10_000)
	if len(all) < 15 {
		t.Fatalf("%d branches", len(all))
	}
	for query, field := range map[string]string{
		"": "updated_at", "&sort_by=name": "name", "&sort_by=created_at": "created_at", "&sort_by=updated_at&sort_order=desc": "updated_at",
	} {
		got := c.branches(t, busiest, query, 4)
		falling := slices.IsSortedFunc(got, func(a, b record) int { return strings.Compare(fmt.Sprint(b[field]), fmt.Sprint(a[field])) })
		if len(got) != len(all) || !falling {
			t.Errorf("%s: %d branches of %d, in order: %t", query, len(got), len(all), falling)
		}
	}
	main := c.branches(t, busiest, "&search=MAI", 10)
	if len(main) != 1 || main[0]["name"] != "main" || main[0]["default"] != true || main[0]["protected"] != true || main[0]["parent_id"] != nil {
		t.Errorf("main: %v", main)
	}
	var one struct{ Branch record }
	c.get(t, fmt.Sprintf("/projects/%s/branches/%s", busiest, main[0]["id"]), &one)
	if one.Branch["name"] != "main" {
		t.Errorf("%v", one)
	}
	var computes struct{ Endpoints []record }
	c.get(t, fmt.Sprintf("/projects/%s/endpoints", busiest), &computes)
	for _, e := range computes.Endpoints {
		if !slices.Contains(ids(all), fmt.Sprint(e["branch_id"])) {
			t.Errorf("a compute of no branch: %v", e)
		}
	}
	if len(computes.Endpoints) < 10 {
		t.Errorf("%d computes", len(computes.Endpoints))
	}
	for path, status := range map[string]int{
		"/projects/none/branches": 404, "/projects/" + busiest + "/branches/br-none-1": 404,
		"/projects/" + busiest + "/branches?limit=0": 400, "/projects/" + busiest + "/branches?limit=10001": 400,
		"/projects/" + busiest + "/branches?sort_by=size": 400, "/projects/" + busiest + "/branches?sort_order=up": 400,
		"/projects/" + busiest + "/branches?cursor=%21": 400, "/projects/none/endpoints": 404,
	} {
		c.call(t, http.MethodGet, path, "").problem(t, status)
	}
}

// Without Live, and with the fault untold, there are no branches, computes and members.
func TestBranchesWithoutLive(t *testing.T) {
	t.Parallel()
	plain, _ := newServer(t, mock.Options{})
	a := newAccount(t)
	inject(t, a.server, "untold")
	for _, c := range []target{handlerTarget(plain), a.personal} {
		project := a.issued[0].ProjectID
		for _, path := range []string{
			"/projects/" + project + "/branches", "/projects/" + project + "/branches/br-a-1", "/projects/" + project + "/endpoints",
			"/organizations/" + a.issued[0].OrgID + "/members",
		} {
			c.says(t, "GET "+path, 404, "no such path in this API")
		}
	}
	a.single.says(t, "GET /projects", 403, `the project this key is scoped to"`)
	for _, p := range a.personal.projects(t, "?limit=400&org_id="+a.issued[0].OrgID) {
		if p["settings"] != nil || p["maintenance_starts_at"] != nil || p["effective_project_permission"] != nil || p["org_id"] == nil {
			t.Errorf("%v", p)
		}
	}
}

// A refusal of a key of one project names the project.
func TestRefusalNamesTheProject(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	a.single.says(t, "GET /projects", 403, fmt.Sprintf(`; subject_project_id:\"%s\""`, a.issued[0].ProjectID))
	a.single.says(t, "GET /projects/"+a.issued[1].ProjectID+"/branches", 403, "subject_project_id")
	if got := a.single.branches(t, a.issued[0].ProjectID, "", 100); len(got) == 0 {
		t.Error("it has no branches")
	}
}

// With the fault lag, lists are late by simulated time. A record that is read by its id is not late.
func TestListsThatAreLate(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Live: true, Projects: 12})
	c, empty := handlerTarget(srv), ""
	for _, p := range c.projects(t, "?limit=400&search=scratchpad") {
		empty = fmt.Sprint(p["id"])
	}
	begin := func(action string) record {
		clock.advance(time.Minute)
		var got struct{ Operation record }
		control := target{base: "http://127.0.0.1" + mock.ControlPath, client: &http.Client{Transport: direct{srv}}}
		srv.Control = true
		control.call(t, http.MethodPost, "/projects/"+empty+"/operations", fmt.Sprintf(`{"action":%q,"branch":"preview/x","run":"5s"}`, action)).ok(t, &got)
		return got.Operation
	}
	listed := func() (operations, branches int) {
		return len(newest(t, c, empty, 10)), len(c.branches(t, empty, "&search=preview/x", 10))
	}
	expect := func(when string, wantOperations, wantBranches int) {
		t.Helper()
		if operations, branches := listed(); operations != wantOperations || branches != wantBranches {
			t.Errorf("%s: %d operations and %d branches", when, operations, branches)
		}
	}
	inject(t, srv, "lag=8s")
	made := begin("create_branch")
	expect("at once", 0, 0)
	c.get(t, fmt.Sprintf("/projects/%s/operations/%s", empty, made["id"]), new(record))
	c.get(t, fmt.Sprintf("/projects/%s/branches/%s", empty, made["branch_id"]), new(record))
	clock.advance(9 * time.Second)
	expect("later", 1, 1)
	if got := newest(t, c, empty, 1)[0]["status"]; got != "running" {
		t.Errorf("after 9 s, a list of 8 s ago says %v", got)
	}
	begin("delete_timeline")
	expect("deleted", 1, 1)
	clock.advance(9 * time.Second)
	expect("deleted, and later", 2, 0)
}

// A late list of keys lacks a new one, and still has one that was revoked, which is refused at once.
func TestListsOfKeysThatAreLate(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	inject(t, srv, "lag=8s of list_keys")
	id, secret := createKey(t, c, "new")
	c.as(secret).get(t, "/projects", new(projectPage))
	if findKey(t, c, id) != nil {
		t.Error("a late list has the new key")
	}
	clock.advance(9 * time.Second)
	if findKey(t, c, id) == nil {
		t.Error("the list is later than that")
	}
	c.call(t, http.MethodDelete, "/api_keys/"+id, "").ok(t, new(record))
	c.as(secret).call(t, http.MethodGet, "/projects", "").problem(t, 401)
	if findKey(t, c, id) == nil {
		t.Error("a late list lacks the key that was revoked")
	}
	clock.advance(9 * time.Second)
	if findKey(t, c, id) != nil {
		t.Error("the key is still listed")
	}
}

// The members of an organization are listed in pages. The creator of a key can be deactivated, or no member any more.
func TestMembers(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	path := "/organizations/" + a.issued[0].OrgID
	active, next := map[string]bool{}, ""
	for {
		var page struct {
			Members    []struct{ Member, User record }
			Pagination struct{ Next string }
		}
		a.personal.get(t, path+"/members?limit=2"+after(next), &page)
		for _, m := range page.Members {
			has(t, "a member", m.Member, "id user_id org_id role joined_at")
			has(t, "a user", m.User, "email")
			active[fmt.Sprint(m.Member["user_id"])] = m.User["deactivated_at"] == nil
		}
		if next = page.Pagination.Next; next == "" {
			break
		}
	}
	var user record
	var keys []struct {
		Name    string
		Creator record `json:"created_by"`
	}
	a.personal.get(t, "/users/me", &user)
	a.org.get(t, path+"/api_keys", &keys)
	if len(active) != 4 || !active[fmt.Sprint(user["id"])] {
		t.Errorf("the members are %v", active)
	}
	for _, k := range keys {
		id := fmt.Sprint(k.Creator["id"])
		isActive, isMember := active[id]
		if gone := k.Name == "old-pipeline"; gone == isMember {
			t.Errorf("%s was created by %v, a member: %t", k.Name, k.Creator, isMember)
		}
		if deactivated := k.Name == "grafana"; deactivated && isActive {
			t.Errorf("%s was created by %v, who is active", k.Name, k.Creator)
		}
	}
	inject(t, a.server, "no-admin")
	var first struct{ Members []struct{ Member record } }
	a.personal.get(t, path+"/members?limit=1", &first)
	if m := first.Members[0].Member; m["user_id"] != user["id"] || m["role"] != "editor" {
		t.Errorf("whom the service refuses as no administrator is %v", m)
	}
	a.single.says(t, "GET "+path+"/members", 403, "outside the project")
	a.personal.says(t, "GET /organizations/org-none-1/members", 403, "not an organization member")
	a.org.call(t, http.MethodGet, path+"/members", "").ok(t, new(record))
	a.personal.call(t, http.MethodGet, path+"/members?cursor=nobody", "").problem(t, 400)
}

// The list of projects has maintenance, permission and quota. A single project has its usage, too.
func TestProjectsInTrouble(t *testing.T) {
	t.Parallel()
	server, clock := newServer(t, mock.Options{Organizations: 1})
	c, org := handlerTarget(server), server.OrgKeys()[0]
	named := func() map[string]record {
		byName := map[string]record{}
		for _, p := range c.projects(t, "?limit=400&org_id="+org.OrgID) {
			byName[fmt.Sprint(p["name"])] = p
		}
		return byName
	}
	all := named()
	soon := utc(t, all["identity"], "maintenance_starts_at")
	if in := soon.Sub(clock.Now()); in < time.Hour || in > 2*time.Hour {
		t.Errorf("maintenance in %s", in)
	}
	var alone struct{ Project record }
	c.get(t, fmt.Sprintf("/projects/%s", all["identity"]["id"]), &alone)
	if !utc(t, alone.Project, "maintenance_scheduled_for").Equal(soon) || alone.Project["maintenance_starts_at"] != nil {
		t.Errorf("alone: %v", alone.Project)
	}
	over, err := server.Project(fmt.Sprint(all["scratchpad"]["id"]))
	if err != nil || over.ComputeTimeSeconds <= over.Settings.Quota.ComputeTimeSeconds {
		t.Errorf("%+v, %v", over, err)
	}
	under, err := server.Project(fmt.Sprint(all["inventory"]["id"]))
	if err != nil || under.Settings.Quota.ComputeTimeSeconds == 0 || under.ComputeTimeSeconds > under.Settings.Quota.ComputeTimeSeconds {
		t.Errorf("%+v, %v", under, err)
	}
	clock.advance(150 * time.Minute)
	if now := utc(t, named()["identity"], "maintenance_starts_at"); !now.Equal(soon) {
		t.Errorf("half an hour after %s, it is at %s", soon, now)
	}
	clock.advance(30 * time.Minute)
	if next := utc(t, named()["identity"], "maintenance_starts_at"); !next.Equal(soon.Add(7 * 24 * time.Hour)) {
		t.Errorf("after %s, the next is at %s", soon, next)
	}
	permission := func(c target, path string) string {
		var page projectPage
		c.get(t, path, &page)
		return fmt.Sprint(page.Projects[0]["effective_project_permission"])
	}
	list := "/projects?org_id=" + org.OrgID
	for _, tc := range []struct {
		c           target
		path, fault string
		want        string
	}{
		{c, list, "", "ADMIN"},
		{c, "/projects/shared", "", "VIEWER"},
		{c, list, "no-admin", "EDITOR"},
		{c, list, "other", "CAN_MANAGE"},
		{c.as(org.APIKey), "/projects", "", "<nil>"},
	} {
		remove := func() {}
		if tc.fault != "" {
			remove = inject(t, server, tc.fault)
		}
		if got := permission(tc.c, tc.path); got != tc.want {
			t.Errorf("%s %s: %s, want %s", tc.path, tc.fault, got, tc.want)
		}
		remove()
	}
}

// A branch is created, renamed and deleted over the control surface.
func TestBranchControl(t *testing.T) {
	t.Parallel()
	srv, _, control := controlled(t, mock.Options{Live: true})
	c, project := handlerTarget(srv), "/projects/"+srv.BusiestProject()
	var made struct{ Operation record }
	control.call(t, http.MethodPost, project+"/operations", `{"action":"create_branch","branch":"preview/pr-1x"}`).ok(t, &made)
	id := fmt.Sprint(made.Operation["branch_id"])
	control.call(t, http.MethodPatch, project+"/branches/"+id, `{"name":"preview/pr-2x"}`).ok(t, new(record))
	if got := c.branches(t, srv.BusiestProject(), "&search=pr-2x", 10); len(got) != 1 || got[0]["id"] != id {
		t.Errorf("%v", got)
	}
	control.call(t, http.MethodPatch, project+"/branches/"+id, `{"name":"main"}`).problem(t, 409)
	control.call(t, http.MethodPatch, project+"/branches/"+id, `{"name":" "}`).problem(t, 422)
	control.call(t, http.MethodPatch, project+"/branches/br-none-1", `{"name":"x"}`).problem(t, 404)
	control.call(t, http.MethodPost, project+"/operations", `{"action":"create_branch","branch":"main"}`).problem(t, 409)
	control.call(t, http.MethodPost, project+"/operations", `{"action":"delete_timeline","branch":"preview/pr-2x"}`).ok(t, new(record))
	if got := c.branches(t, srv.BusiestProject(), "&search="+id, 10); len(got) != 0 {
		t.Errorf("it is deleted, and listed: %v", got)
	}
	if _, err := srv.Start(sim.Task{ProjectID: srv.BusiestProject(), Action: "x", Branch: strings.Repeat("x", 300)}); err == nil {
		t.Error("a name of 300 bytes")
	}
}
