package mock

import (
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pgtower/client/mock/sim"
	"pgtower/models"
)

// api is the API over HTTP: it answers from the platform, and knows no faults but their variants.
type api struct {
	platform *sim.Platform
	routes   *http.ServeMux
	clock    func() time.Time // real time
	limit    *limit           // nil for none
}

func newAPI(platform *sim.Platform, clock func() time.Time) *api {
	a := &api{platform: platform, clock: clock}
	a.routes = a.endpoints()
	return a
}

// endpoints returns the handlers of the API.
func (a *api) endpoints() *http.ServeMux {
	routes := map[string]endpoint{
		"GET /api_keys":             checked(a.listKeys, checkPersonal),
		"POST /api_keys":            checked(a.createKey, checkPersonal),
		"DELETE /api_keys/{key_id}": checked(a.revokeKey, checkPersonal),
		"GET /projects":             a.listProjects,
		// The live service's command-line client requests this and fails on a 404.
		"GET /projects/shared":                                 a.listShared,
		"GET /projects/{project_id}/operations":                checked(a.listOperations, a.checkReach),
		"GET /projects/{project_id}/operations/{operation_id}": checked(a.getOperation, a.checkReach),
	}
	if a.platform.Live() {
		maps.Copy(routes, a.liveEndpoints())
	}
	if len(a.platform.Organizations()) > 0 {
		maps.Copy(routes, a.accountEndpoints())
	}
	return mount(BasePath, routes)
}

// listKeys is GET /api_keys (section 4.2).
func (a *api) listKeys(r *http.Request) (any, error) { return a.platform.LateKeys("", lag(r)), nil }

// createKey is POST /api_keys (section 4.1).
func (a *api) createKey(r *http.Request) (any, error) {
	sent, err := readKeyRequest(r)
	if err != nil {
		return nil, err
	}
	return a.platform.CreateKey("", "", sent.name)
}

// keyRequest is the body of a request for a new key.
type keyRequest struct{ name, project string }

// readKeyRequest reads and checks a request for a new key. Anything but JSON of the right types is a 400, an unacceptable
// name a 422.
func readKeyRequest(r *http.Request) (keyRequest, error) {
	sent := map[string]any{} // names are case-sensitive: key_name is not KEY_NAME
	if err := checkMedia(r); err != nil {
		return keyRequest{}, err
	}
	if err := readJSON(r, &sent); err != nil {
		return keyRequest{}, err
	}
	name, ok := sent["key_name"].(string)
	project, isText := sent["project_id"].(string)
	switch {
	case !ok:
		return keyRequest{}, newProblem(http.StatusBadRequest, "key_name is required and must be a string")
	case sent["project_id"] != nil && !isText:
		return keyRequest{}, newProblem(http.StatusBadRequest, "project_id must be a string")
	case strings.TrimSpace(name) == "":
		return keyRequest{}, newProblem(http.StatusUnprocessableEntity, "key_name must not be empty")
	case utf8.RuneCountInString(name) > models.MaxAPIKeyName:
		return keyRequest{}, newProblem(http.StatusUnprocessableEntity,
			"key_name must not have more than %d characters", models.MaxAPIKeyName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return keyRequest{}, newProblem(http.StatusUnprocessableEntity, "key_name must not contain control characters")
	}
	return keyRequest{name, project}, nil
}

// revokeKey is DELETE /api_keys/{key_id} (section 4.3).
func (a *api) revokeKey(r *http.Request) (any, error) {
	id, err := pathNumber(r, "key_id")
	if err != nil {
		return nil, err
	}
	return a.platform.RevokeKey("", id)
}

// pathNumber returns a number in the path.
func pathNumber(r *http.Request, name string) (int64, error) {
	raw := r.PathValue(name)
	id, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != raw {
		return 0, newProblem(http.StatusBadRequest, "%s must be a 64-bit integer", name)
	}
	return id, nil
}

// pagination is the pagination object (section 2.4). It is omitted if there is no cursor, as a cursor is not empty.
type pagination struct {
	Cursor string `json:"cursor"`
}

// maxPage is the live service's longest page of operations.
const maxPage = 1000

// listOperations is GET /projects/{project_id}/operations (section 4.5). The specification leaves the default and
// maximum of the page size open.
func (a *api) listOperations(r *http.Request) (any, error) {
	q, err := parseQuery(r, 100, maxPage)
	if err != nil {
		return nil, err
	}
	page, next, err := a.platform.LateOperations(r.PathValue("project_id"), q.cursor, q.limit, lag(r))
	if err != nil {
		return nil, err
	}
	out := struct {
		Operations []sim.Operation `json:"operations"`
		Pagination *pagination     `json:"pagination,omitempty"`
	}{Operations: page}
	if next != "" {
		out.Pagination = &pagination{next}
	}
	return out, nil
}

// operationAnswer is a single operation (section 4.6).
type operationAnswer struct {
	Operation sim.Operation `json:"operation"`
}

// getOperation is GET /projects/{project_id}/operations/{operation_id} (section 4.6).
func (a *api) getOperation(r *http.Request) (any, error) {
	op, err := a.platform.Operation(r.PathValue("project_id"), r.PathValue("operation_id"))
	return operationAnswer{op}, err
}

// query has the parameters of a list.
type query struct {
	url.Values

	limit  int
	cursor string // empty for the first page
}

// parseQuery parses the parameters of a list. It ignores unknown ones: clients may be newer than the server.
func parseQuery(r *http.Request, usual, limit int) (query, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return query{}, newProblem(http.StatusBadRequest, "invalid query: %v", err)
	}
	q := query{values, usual, values.Get("cursor")}
	if values.Has("limit") {
		n, err := strconv.ParseUint(values.Get("limit"), 10, 31)
		q.limit = int(n)
		if err != nil || q.limit < 1 || q.limit > limit {
			return query{}, newProblem(http.StatusBadRequest, "limit must be a number from 1 to %d", limit)
		}
	}
	if q.cursor == "" && values.Has("cursor") {
		return query{}, newProblem(http.StatusBadRequest, "cursor must not be empty: omit it for the first page")
	}
	return q, nil
}
