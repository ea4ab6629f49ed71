package contract

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
)

// branches checks the lists of branches, computes and members. A server that knows only the specification has none.
func (s *Target) branches(t *testing.T) {
	t.Helper()
	path, ok := s.branchList(t)
	if !ok {
		t.Skip("the server has no branches")
	}
	list, defaults := s.pagesOf(t, path, 100), 0
	names := map[string]string{}
	for _, b := range list {
		s.check(t, "a branch", b, `id=word name=text default=boolean protected=boolean current_state=word created_at=time
			updated_at=time parent_id=word?? pending_state=word??`)
		names[text(b, "name")] = text(b, "id")
		if b["default"] == true {
			defaults++
		}
	}
	if len(names) != len(list) || defaults != 1 {
		t.Errorf("%d branches have %d names, and %d are the default one", len(list), len(names), defaults)
	}
	if paged := s.pagesOf(t, path, 1); len(paged) < len(list)-1 || len(paged) > len(list)+1 { // one can come or go
		t.Errorf("%d branches in pages of one, %d in longer ones", len(paged), len(list))
	}
	s.computes(t, path[:len(path)-len("branches")]+"endpoints")
	if s.orgID != "" {
		s.members(t)
	}
}

// branchList returns the path of the branches of the first project, and whether the server has any.
func (s *Target) branchList(t *testing.T) (path string, ok bool) {
	t.Helper()
	for _, p := range s.projects(t) {
		path = "/projects/" + url.PathEscape(text(p, "id")) + "/branches"
		a := s.call(t.Context(), t, http.MethodGet, path, "")
		return path, a.status != http.StatusNotFound
	}
	return "", false
}

// pagesOf returns the branches of all pages of a length. It checks that none is listed twice.
func (s *Target) pagesOf(t *testing.T, path string, limit int) (list []record) {
	t.Helper()
	ids, cursor := map[string]bool{}, ""
	for range 200 {
		var page struct {
			Branches   []record
			Pagination struct{ Next string }
		}
		query := url.Values{"limit": {strconv.Itoa(limit)}, "sort_by": {"created_at"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		s.get(t, path+"?"+query.Encode(), &page)
		for _, b := range page.Branches {
			if id := text(b, "id"); id == "" || ids[id] {
				t.Fatalf("branch %q is listed twice, or has no id", id)
			}
			ids[text(b, "id")] = true
		}
		list = append(list, page.Branches...)
		if cursor = page.Pagination.Next; cursor == "" {
			return list
		}
	}
	t.Fatalf("more than %d pages of %d branches", 200, limit)
	return nil
}

// computes checks the list of computes.
func (s *Target) computes(t *testing.T, path string) {
	t.Helper()
	var answer struct{ Endpoints []record }
	s.get(t, path, &answer)
	for _, e := range answer.Endpoints {
		s.check(t, "a compute", e, `id=word branch_id=word type=word current_state=word disabled=boolean name=text?? last_active=time??
			pending_state=word??`)
	}
}

// members checks the list of the members of the organization, to which the user belongs.
func (s *Target) members(t *testing.T) {
	t.Helper()
	var user record
	var answer struct {
		Members []struct{ Member, User record }
	}
	s.get(t, "/users/me", &user)
	s.get(t, "/organizations/"+s.orgID+"/members", &answer)
	isMember := false
	for _, m := range answer.Members {
		s.check(t, "a member", m.Member, `id=word user_id=word role=word joined_at=time??`)
		s.check(t, "the user of a member", m.User, `email=text has_mfa=boolean?? deactivated_at=time??`)
		isMember = isMember || m.Member["user_id"] == user["id"]
	}
	if !isMember {
		t.Errorf("the user is none of %d members", len(answer.Members))
	}
}
