package mock

import (
	"net/http"
	"strings"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// projectPage is the response of a project list (section 4.4).
type projectPage struct {
	Projects   []sim.Project `json:"projects"`
	Pagination *pagination   `json:"pagination,omitempty"`
	// Unavailable has the ids of projects that exist and could not be read.
	Unavailable []string `json:"unavailable_project_ids,omitempty"`
}

// page returns the response to a request for a page of projects.
func (a *api) page(r *http.Request, q query, page []sim.Project) projectPage {
	for i := range page {
		tell(r, &page[i])
	}
	out := projectPage{Projects: page}
	// A full page has a cursor even if nothing follows: the service's own command-line client requests another page
	// after any full one.
	if n := len(page); n == q.limit || a.platform.Live() && n > 0 {
		out.Pagination = &pagination{page[n-1].ID}
	}
	for _, f := range callOf(r).variants {
		if f.Variant == fault.Unavailable {
			n := min(f.Missing, len(out.Projects))
			for _, p := range out.Projects[:n] {
				out.Unavailable = append(out.Unavailable, p.ID)
			}
			out.Projects = out.Projects[n:]
		}
	}
	return out
}

// listProjects is GET /projects (section 4.4). Its parameters are the live service's.
func (a *api) listProjects(r *http.Request) (any, error) {
	q, err := parseQuery(r, 10, 400)
	if err != nil {
		return nil, err
	}
	org, none, err := a.listed(r, q.Get("org_id"))
	if err != nil {
		return nil, err
	}
	// Deleted projects cannot be recovered here.
	if none || a.platform.Live() && q.Get("recoverable") == "true" {
		return projectPage{Projects: []sim.Project{}}, nil
	}
	page, err := a.platform.Projects(q.cursor, strings.ToLower(q.Get("search")), org, q.limit)
	if err != nil {
		return nil, err
	}
	return a.page(r, q, page), nil
}

// listed returns the organization whose projects a request lists, empty for all. none reports that there are no projects.
func (a *api) listed(r *http.Request, org string) (listed string, none bool, err error) {
	mine, key := a.platform.Organizations(), callOf(r).key
	if len(mine) == 0 {
		if !a.platform.Live() {
			org = "" // control-api.md knows no organizations
		}
		return org, false, nil
	}
	if key.ProjectID != "" {
		return "", false, projectScoped(r)
	}
	if org == "" {
		org = key.OrgID
	}
	if org != "" {
		return org, false, a.refusal(r, org)
	}
	for _, o := range mine {
		if !varies(r, fault.Left, o.ID) {
			return "", false, newProblem(http.StatusBadRequest,
				"org_id is required, you can find it on your organization settings page")
		}
	}
	return "", true, nil
}

// listShared is GET /projects/shared: the projects that other organizations share with the user.
func (a *api) listShared(r *http.Request) (any, error) {
	key := callOf(r).key
	if key.ProjectID != "" {
		return nil, projectScoped(r)
	}
	q, err := parseQuery(r, 10, 400)
	if err != nil {
		return nil, err
	}
	if key.OrgID != "" {
		return projectPage{Projects: []sim.Project{}}, nil // projects are shared with users only
	}
	page, err := a.platform.SharedProjects(q.cursor, strings.ToLower(q.Get("search")), q.limit)
	if err != nil {
		return nil, err
	}
	return a.page(r, q, page), nil
}

// getProject is GET /projects/{project_id}.
func (a *api) getProject(r *http.Request) (any, error) {
	p, err := a.platform.Project(r.PathValue("project_id"))
	tell(r, &p.Project)
	if varies(r, fault.Untold, "") {
		p.MaintenanceScheduledFor = nil
	}
	return map[string]sim.ProjectDetail{"project": p}, err
}

// tell adds the permission of the request's user to the record of a project. With the fault untold, it removes the fields
// that not every server has.
func tell(r *http.Request, p *sim.Project) {
	switch {
	case p.LiveProject == nil:
	case varies(r, fault.Untold, ""):
		p.MaintenanceStartsAt, p.Settings = nil, nil
	case callOf(r).key.OrgID == "": // a key of a user
		p.Permission = permission(r, p)
	}
}

// permission returns the user's permission in a project. Its name differs between the service's versions.
func permission(r *http.Request, p *sim.Project) string {
	names := []string{"ADMIN", "EDITOR", "VIEWER"}
	if varies(r, fault.Other, "") {
		names = []string{"CAN_MANAGE", "CAN_EDIT", "CAN_VIEW"}
	}
	switch {
	case p.Shared:
		return names[2]
	case varies(r, fault.NoAdmin, p.OrgID):
		return names[1]
	}
	return names[0]
}

// checkReach refuses requests about a project unless their key reaches it.
func (a *api) checkReach(r *http.Request) error {
	id, key := r.PathValue("project_id"), callOf(r).key
	org, shared := a.platform.Owner(id)
	switch {
	case key.ProjectID != "" && key.ProjectID != id:
		return projectScoped(r)
	case key.OrgID != "" && key.OrgID != org:
		return sim.ErrNoProject
	case org != "" && !shared:
		return a.refusal(r, org)
	}
	return nil
}
