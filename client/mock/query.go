package mock

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// query is the parameters of a request that its endpoint knows.
type query struct{ values url.Values }

// parseQuery takes what an endpoint knows out of the query, each of which may be given
// once. What it does not know it does not look at: clients send parameters that are
// newer than the server.
func parseQuery(r *http.Request, known ...string) (query, *problem) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return query{}, newProblem(http.StatusBadRequest, "the query cannot be read: %v", err)
	}
	for _, name := range known {
		if len(values[name]) > 1 {
			return query{}, newProblem(http.StatusBadRequest, "%s is given more than once", name)
		}
	}
	return query{values}, nil
}

// limit returns the page size: byDefault where none is given.
func (q query) limit(byDefault, most int) (int, *problem) {
	if !q.values.Has("limit") {
		return byDefault, nil
	}
	n, err := strconv.ParseUint(q.values.Get("limit"), 10, 31)
	if err != nil || n < 1 || int(n) > most {
		return 0, newProblem(http.StatusBadRequest, "limit is a number from 1 to %d", most)
	}
	return int(n), nil
}

// cursor returns the cursor, or nothing where none is given: as with a limit, an empty
// one is none that this API gave out.
func (q query) cursor() (string, *problem) {
	cursor := q.values.Get("cursor")
	if cursor == "" && q.values.Has("cursor") {
		return "", newProblem(http.StatusBadRequest, "cursor is empty: leave it out for the first page")
	}
	return cursor, nil
}

// before returns the time that a cursor of the operations list stands for, or byDefault
// where there is none.
func (q query) before(byDefault time.Time) (time.Time, *problem) {
	cursor, trouble := q.cursor()
	if cursor == "" {
		return byDefault, trouble
	}
	t, err := time.Parse(time.RFC3339Nano, cursor)
	if err != nil {
		return time.Time{}, newProblem(http.StatusBadRequest, "cursor is not one that this API gave out")
	}
	if t.After(byDefault) {
		return byDefault, nil
	}
	return t, nil
}

// validID says whether a path segment has the shape of a project's id.
func validID(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= 60
}
