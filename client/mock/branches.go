package mock

import (
	"net/http"
	"strings"
	"time"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// liveEndpoints returns the endpoints of projects that only the live service has.
func (a *api) liveEndpoints() map[string]endpoint {
	const project = "/projects/{project_id}"
	return map[string]endpoint{
		"GET " + project:                           checked(a.getProject, a.checkReach),
		"GET " + project + "/branches":             checked(a.listBranches, checkTold, a.checkReach),
		"GET " + project + "/branches/{branch_id}": checked(a.getBranch, checkTold, a.checkReach),
		"GET " + project + "/endpoints":            checked(a.listComputes, checkTold, a.checkReach),
	}
}

// checkTold refuses requests with the fault untold: a server that knows only the specification lacks their path.
func checkTold(r *http.Request) error {
	if varies(r, fault.Untold, "") {
		return noSuchPath()
	}
	return nil
}

// lag returns how late the lists of a request are.
func lag(r *http.Request) (longest time.Duration) {
	for _, f := range callOf(r).variants {
		longest = max(longest, f.Lag)
	}
	return longest
}

// nextPage is the pagination object of lists with their cursor in the field next.
type nextPage struct {
	Next      string `json:"next,omitempty"`
	SortBy    string `json:"sort_by"`
	SortOrder string `json:"sort_order"`
}

// order returns the pagination object with the order that a request asks for.
func order(q query, usual, usualOrder string, names ...string) (nextPage, error) {
	page := nextPage{SortBy: usual, SortOrder: usualOrder}
	for name, field := range map[string]*string{"sort_by": &page.SortBy, "sort_order": &page.SortOrder} {
		if q.Has(name) {
			*field = q.Get(name)
		}
	}
	for _, name := range names {
		if name == page.SortBy && (page.SortOrder == "asc" || page.SortOrder == "desc") {
			return page, nil
		}
	}
	return page, newProblem(http.StatusBadRequest, "sort_by must be one of %s, and sort_order asc or desc", strings.Join(names, ", "))
}

// maxBranches is the live service's longest page of branches, and the default.
const maxBranches = 10_000

// listBranches is GET /projects/{project_id}/branches.
func (a *api) listBranches(r *http.Request) (any, error) {
	q, err := parseQuery(r, maxBranches, maxBranches)
	if err != nil {
		return nil, err
	}
	page, err := order(q, "updated_at", "desc", "name", "created_at", "updated_at")
	if err != nil {
		return nil, err
	}
	branches, next, err := a.platform.Branches(r.PathValue("project_id"), sim.BranchQuery{
		Search: strings.ToLower(q.Get("search")), SortBy: page.SortBy, Rising: page.SortOrder == "asc",
		Cursor: q.cursor, Limit: q.limit, Lag: lag(r),
	})
	if err != nil {
		return nil, err
	}
	page.Next = next
	return struct {
		Branches    []sim.Branch `json:"branches"`
		Annotations struct{}     `json:"annotations"`
		Pagination  nextPage     `json:"pagination"`
	}{Branches: branches, Pagination: page}, nil
}

// getBranch is GET /projects/{project_id}/branches/{branch_id}.
func (a *api) getBranch(r *http.Request) (any, error) {
	b, err := a.platform.Branch(r.PathValue("project_id"), r.PathValue("branch_id"))
	return struct {
		Branch     sim.Branch `json:"branch"`
		Annotation any        `json:"annotation"`
	}{Branch: b, Annotation: noAnnotation(b.ID)}, err
}

// noAnnotation returns the annotation object of a branch without annotations.
func noAnnotation(id string) any {
	return map[string]any{"object": map[string]string{"type": "console/branch", "id": id}, "value": struct{}{}}
}

// listComputes is GET /projects/{project_id}/endpoints.
func (a *api) listComputes(r *http.Request) (any, error) {
	list, err := a.platform.Endpoints(r.PathValue("project_id"), lag(r))
	return map[string][]sim.Endpoint{"endpoints": list}, err
}

// listMembers is GET /organizations/{org_id}/members.
func (a *api) listMembers(r *http.Request) (any, error) {
	q, err := parseQuery(r, 100, 500)
	if err != nil {
		return nil, err
	}
	page, err := order(q, "joined_at", "asc", "joined_at")
	if err != nil {
		return nil, err
	}
	org := r.PathValue("org_id")
	members, more, err := a.platform.Members(org, q.cursor, q.limit)
	if err != nil {
		return nil, err
	}
	for i := range members {
		if members[i].Member.UserID == a.platform.User().ID && varies(r, fault.NoAdmin, org) {
			members[i].Member.Role = "editor"
		}
	}
	if more {
		page.Next = members[len(members)-1].Member.ID
	}
	return struct {
		Members    []sim.Member `json:"members"`
		Pagination nextPage     `json:"pagination"`
	}{members, page}, nil
}
