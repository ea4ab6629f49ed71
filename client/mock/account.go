package mock

import (
	"cmp"
	"net/http"
	"strings"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// accountEndpoints returns the endpoints of an account with organizations, as the live service has them.
func (a *api) accountEndpoints() map[string]endpoint {
	const org, keys = "/organizations/{org_id}", "/organizations/{org_id}/api_keys"
	return map[string]endpoint{
		"GET /auth":                    a.getAuth,
		"GET /users/me":                checked(a.getUser, checkPersonal),
		"GET /users/me/organizations":  a.listOrganizations,
		"GET " + org:                   checked(a.getOrganization, a.checkMember),
		"GET " + keys:                  checked(a.listOrgKeys, a.checkMember),
		"POST " + keys:                 checked(a.createOrgKey, a.checkMember),
		"DELETE " + keys + "/{key_id}": checked(a.revokeOrgKey, a.checkMember),
		"GET " + org + "/members":      checked(a.listMembers, checkTold, a.checkMember),
	}
}

// orgOf returns the id of the organization that a request is about, or "".
func (a *api) orgOf(r *http.Request) string {
	path, _ := strings.CutPrefix(r.URL.Path, BasePath)
	parts := strings.Split(path+"//", "/")
	if parts[1] == "organizations" {
		return parts[2]
	}
	owner := ""
	if parts[1] == "projects" {
		owner, _ = a.platform.Owner(parts[2])
	}
	return cmp.Or(owner, r.URL.Query().Get("org_id"), a.platform.Caller(bearer(r)).OrgID)
}

// varies reports whether a fault has a variant for a request and, with an id, for an organization.
func varies(r *http.Request, v fault.Variant, org string) bool {
	for _, f := range callOf(r).variants {
		if f.Variant == v && (org == "" || f.Of(org)) {
			return true
		}
	}
	return false
}

// refused returns the status of a refusal, which differs between the service's versions.
func refused(r *http.Request) int {
	if varies(r, fault.Other, "") {
		return http.StatusNotFound
	}
	return http.StatusForbidden
}

// projectScoped returns the refusal of a key of one project. It names the project.
func projectScoped(r *http.Request) *problem {
	const words = "not allowed to perform actions outside the project this key is scoped to"
	if varies(r, fault.Untold, "") {
		return newProblem(refused(r), words)
	}
	return newProblem(refused(r), words+"; subject_project_id:%q", callOf(r).key.ProjectID)
}

// checkPersonal refuses requests without a personal key.
func checkPersonal(r *http.Request) error {
	switch key := callOf(r).key; {
	case key.ProjectID != "":
		return projectScoped(r)
	case key.OrgID != "":
		return newProblem(http.StatusNotFound, "not allowed for organization API keys")
	}
	return nil
}

// refusal returns why a key does not reach an organization, or nil. The user's rights do not matter for the
// organization's own keys.
func (a *api) refusal(r *http.Request, org string) error {
	key := callOf(r).key
	found := false
	for _, o := range a.platform.Organizations() {
		found = found || o.ID == org
	}
	switch {
	case key.OrgID != "" && key.OrgID == org:
		return nil
	case key.OrgID != "", !found, varies(r, fault.Left, org):
		return newProblem(refused(r), "not an organization member")
	case varies(r, fault.MFA, org):
		return newProblem(http.StatusForbidden, "the organization requires multi-factor authentication")
	}
	return nil
}

// checkMember refuses requests about an organization unless their key reaches all of it.
func (a *api) checkMember(r *http.Request) error {
	if callOf(r).key.ProjectID != "" {
		return projectScoped(r)
	}
	return a.refusal(r, r.PathValue("org_id"))
}

// getAuth is GET /auth.
func (a *api) getAuth(r *http.Request) (any, error) {
	if org := callOf(r).key.OrgID; org != "" {
		return map[string]string{"account_id": org, "auth_method": "api_key_org"}, nil
	}
	return map[string]string{"account_id": a.platform.User().ID, "auth_method": "api_key_user"}, nil
}

// getUser is GET /users/me.
func (a *api) getUser(*http.Request) (any, error) { return a.platform.User(), nil }

// listOrganizations is GET /users/me/organizations.
func (a *api) listOrganizations(r *http.Request) (any, error) {
	owner := callOf(r).key.OrgID
	if owner != "" && varies(r, fault.Other, owner) {
		return nil, newProblem(http.StatusNotFound, "not allowed for organization API keys")
	}
	out := []sim.Organization{}
	for _, o := range a.platform.Organizations() {
		o = withMFA(r, o)
		if o.ID == owner || owner == "" && !varies(r, fault.Left, o.ID) {
			out = append(out, o)
		}
	}
	return map[string][]sim.Organization{"organizations": out}, nil
}

func withMFA(r *http.Request, o sim.Organization) sim.Organization {
	o.RequireMFA = varies(r, fault.MFA, o.ID)
	return o
}

// getOrganization is GET /organizations/{org_id}.
func (a *api) getOrganization(r *http.Request) (any, error) {
	for _, o := range a.platform.Organizations() {
		if o.ID == r.PathValue("org_id") {
			return withMFA(r, o), nil
		}
	}
	return nil, newProblem(refused(r), "not an organization member")
}

// listOrgKeys is GET /organizations/{org_id}/api_keys.
func (a *api) listOrgKeys(r *http.Request) (any, error) {
	org := r.PathValue("org_id")
	if callOf(r).key.OrgID != "" && varies(r, fault.Other, org) {
		return nil, newProblem(http.StatusNotFound, "not allowed for organization API keys")
	}
	return a.platform.LateKeys(org, lag(r)), nil
}

// createOrgKey is POST /organizations/{org_id}/api_keys.
func (a *api) createOrgKey(r *http.Request) (any, error) {
	org := r.PathValue("org_id")
	sent, err := readKeyRequest(r)
	if err != nil {
		return nil, err
	}
	// Whether every member may create keys of one project differs between the service's versions.
	if err := mayWrite(r, org, sent.project != "" && !varies(r, fault.Other, org)); err != nil {
		return nil, err
	}
	if varies(r, fault.Wider, org) {
		sent.project = ""
	}
	return a.platform.CreateKey(org, sent.project, sent.name)
}

// revokeOrgKey is DELETE /organizations/{org_id}/api_keys/{key_id}.
func (a *api) revokeOrgKey(r *http.Request) (any, error) {
	org := r.PathValue("org_id")
	if err := mayWrite(r, org, false); err != nil {
		return nil, err
	}
	id, err := pathNumber(r, "key_id")
	if err != nil {
		return nil, err
	}
	return a.platform.RevokeKey(org, id)
}

// mayWrite refuses requests without a personal key, and those of a user who is no administrator of an organization. With
// memberMay, a member is enough.
func mayWrite(r *http.Request, org string, memberMay bool) error {
	switch {
	case callOf(r).key.OrgID != "":
		return newProblem(http.StatusForbidden, "not allowed for organization API keys")
	case varies(r, fault.NoAdmin, org) && !memberMay:
		return newProblem(http.StatusForbidden, "only administrators of the organization can do this")
	}
	return nil
}
