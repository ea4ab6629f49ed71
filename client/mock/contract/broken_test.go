package contract_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgtower/client/mock"
)

// broken is a server with one defect, and the test that has to find it.
type broken struct {
	section       string
	organizations int // of the account
	// request and answer change the request and the response; both may be nil.
	request func(r *http.Request)
	answer  func(r *http.Request, status *int, body *string)
}

func replaced(path, old, by string) func(*http.Request, *int, *string) {
	return func(r *http.Request, _ *int, body *string) {
		if strings.HasSuffix(r.URL.Path, path) {
			*body = regexp.MustCompile(old).ReplaceAllString(*body, by)
		}
	}
}

func without(parameter string) func(*http.Request) {
	return func(r *http.Request) {
		q := r.URL.Query()
		q.Del(parameter)
		r.URL.RawQuery = q.Encode()
	}
}

// accountList lists the keys of the account in place of an organization's.
func accountList(r *http.Request) {
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/api_keys") {
		r.URL.Path = mock.BasePath + "/api_keys"
	}
}

// unasked answers a list of projects without an organization.
func unasked(_ *http.Request, status *int, body *string) {
	if strings.Contains(*body, "org_id is required") {
		*status, *body = http.StatusOK, `{"projects":[]}`
	}
}

// A test that cannot fail proves nothing: each of these servers violates the contract in one point.
func TestContractNoticesBrokenServers(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]broken{
		"the key list is wrapped":   {section: "4.2_List_API_keys", answer: replaced("/api_keys", `(?s)^(\[.*)$`, `{"keys":$1}`)},
		"ids are texts":             {section: "4.1_Create_an_API_key", answer: replaced("/api_keys", `^\{"id":(\d+)`, `{"id":"$1"`)},
		"no creation time of keys":  {section: "4.2_List_API_keys", answer: replaced("/api_keys", `"created_at"`, `"created"`)},
		"a time of day of its own":  {section: "4.4_List_projects", answer: replaced("/projects", `Z"`, `+01:00"`)},
		"revoked is missing":        {section: "4.3_Revoke_an_API_key", answer: replaced("", `"revoked":true,`, ``)},
		"projects are not wrapped":  {section: "4.4_List_projects", answer: replaced("/projects", `"projects"`, `"items"`)},
		"the version is a float":    {section: "4.4_List_projects", answer: replaced("/projects", `"pg_version":(\d+)`, `"pg_version":$1.5`)},
		"the limit is ignored":      {section: "4.5_List_operations", request: without("limit")},
		"the cursor is ignored":     {section: "4.5_List_operations", request: without("cursor")},
		"no pagination":             {section: "4.5_List_operations", answer: replaced("/operations", `"pagination"`, `"more"`)},
		"actions as they are shown": {section: "4.5_List_operations", answer: replaced("/operations", `"action":"[a-z_]+"`, `"action":"Start compute"`)},
		"the operation is bare":     {section: "4.6_Get_an_operation", answer: replaced("", `^\{"operation":(.*)\}\s*$`, `$1`)},
		"always the same operation": {section: "4.6_Get_an_operation", answer: replaced("", `^(\{"operation":\{"id":)"[^"]*"`, `$1"6f1f2d3c-0000-4000-8000-000000000000"`)},
		"refused with another status": {section: "5_Authentication", answer: func(_ *http.Request, status *int, _ *string) {
			if *status == http.StatusUnauthorized {
				*status = http.StatusForbidden
			}
		}},
		"errors are pages": {section: "5_Authentication", answer: func(_ *http.Request, status *int, body *string) {
			if *status == http.StatusUnauthorized {
				*body = "<html>"
			}
		}},
		"no kind of key":              {"Organizations", 2, nil, replaced("/auth", `api_key_user`, `api_key`)},
		"another user":                {"Organizations", 2, nil, replaced("/users/me", `"id":"`, `"id":"x`)},
		"organizations are bare":      {"4.4_List_projects", 2, nil, replaced("/users/me/organizations", `"organizations"`, `"orgs"`)},
		"an unnamed organization":     {"Organizations", 2, nil, replaced("/users/me/organizations", `"name"`, `"title"`)},
		"projects of others":          {"Organizations", 2, nil, replaced("/projects", `"org_id":"org-`, `"org_id":"org-x`)},
		"a list without organization": {"Organizations", 2, nil, unasked},
		"one list of keys":            {"Keys_of_an_organization", 2, accountList, nil},
		"the reach is not recorded":   {"Keys_of_one_project", 2, nil, replaced("/api_keys", `,"project_id":"[^"]*"`, ``)},
		"refused without a reason":    {"Keys_of_an_organization", 2, nil, replaced("/users/me", `not allowed for organization API keys`, `no`)},
		"branches have no names":      {"Branches,_computes_and_members", 2, nil, replaced("/branches", `"name"`, `"title"`)},
		"branches in one page":        {"Branches,_computes_and_members", 2, nil, replaced("/branches", `"next":"[^"]*",`, ``)},
		"computes of no branch":       {"Branches,_computes_and_members", 2, nil, replaced("/endpoints", `"branch_id":"[^"]*"`, `"branch_id":null`)},
		"another member":              {"Branches,_computes_and_members", 2, nil, replaced("/members", `"user_id":"`, `"user_id":"x`)},
		"refused as any other":        {"Keys_of_one_project", 2, nil, replaced("/projects", `outside the project`, `of these`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newMock(t, mock.Options{Organizations: b.organizations})
			out, passed := against(t, listen(t, b.over(server)), server.APIKey())
			if passed || !strings.Contains(out, "--- FAIL: TestContractOfAnyServer/"+b.section) {
				t.Errorf("%s did not fail:\n%s", b.section, out)
			}
		})
	}
}

// over returns a handler with one defect.
func (b *broken) over(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.request != nil {
			b.request(r)
		}
		recorded := httptest.NewRecorder()
		h.ServeHTTP(recorded, r)
		status, body := recorded.Code, recorded.Body.String()
		if b.answer != nil {
			b.answer(r, &status, &body)
		}
		w.Header().Set("Content-Type", recorded.Header().Get("Content-Type"))
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}
