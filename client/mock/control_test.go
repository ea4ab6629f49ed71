package mock_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// controlled is a listening server with its control surface.
func controlled(t *testing.T, o mock.Options) (srv *mock.Server, api, control target) {
	t.Helper()
	srv, _ = newServer(t, o)
	srv.Control = true
	api = overHTTP(t, srv)
	control = api
	control.base = strings.TrimSuffix(api.base, mock.BasePath) + mock.ControlPath
	control.key = ""
	return srv, api, control
}

// Everything that the page of the control surface lists exists.
func TestControlIndex(t *testing.T) {
	t.Parallel()
	_, _, c := controlled(t, mock.Options{})
	for _, path := range []string{"", "/"} {
		a := c.call(t, http.MethodGet, path, "")
		listed := regexp.MustCompile(`(?m)^(GET|POST|DELETE) +/_mock(/\S+)$`).FindAllStringSubmatch(string(a.body), -1)
		if !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") || len(listed) != 11 || !strings.Contains(string(a.body), "carry-out") {
			t.Fatalf("%d are listed in %s", len(listed), a.body)
		}
		for _, l := range listed {
			at := strings.NewReplacer("{project_id}", "x", "{operation_id}", "x", "{fault_id}", "0").Replace(l[2])
			a := c.call(t, l[1], at, "")
			if a.status == http.StatusMethodNotAllowed || strings.Contains(string(a.body), "no such path") {
				t.Errorf("%s: %d %s", l[0], a.status, a.body)
			}
		}
	}
}

// Web pages cannot control it: neither from their own origin, nor with a name that they resolve to this machine.
func TestControlRefusesWebPages(t *testing.T) {
	t.Parallel()
	_, _, c := controlled(t, mock.Options{})
	own := strings.TrimSuffix(strings.TrimPrefix(c.base, "http://"), mock.ControlPath)
	for _, tc := range []struct {
		method, host, origin, site string
		status                     int
	}{
		{"POST", own, "", "", 200},
		{"POST", own, "", "none", 200},
		{"POST", "LOCALHOST:1", "", "", 200},
		{"POST", "[::1]:1", "", "", 200},
		{"POST", own, "", "cross-site", 403},
		{"DELETE", own, "", "same-site", 403},
		{"POST", own, "http://evil.example", "", 403},
		{"DELETE", own, "null", "", 403},
		{"POST", "evil.example", "", "", 403},
		{"GET", own, "", "", 200},
		{"GET", own, "", "same-origin", 200},
		{"GET", own, "", "none", 200},
		{"GET", own, "http://evil.example", "", 403},
		{"GET", own, "null", "", 403},
		{"GET", own, "", "cross-site", 403},
		{"GET", "127.0.0.1.evil.example:1", "http://127.0.0.1.evil.example:1", "same-origin", 403},
	} {
		r := c.request(t, tc.method, "/faults", "503 of get_operation")
		r.Host = tc.host
		for name, value := range map[string]string{"Origin": tc.origin, "Sec-Fetch-Site": tc.site} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if a := c.send(t, r); tc.status != 200 {
			a.problem(t, tc.status)
		} else if a.status != 200 {
			t.Errorf("%+v: %d %s", tc, a.status, a.body)
		}
	}
}

// It must be enabled explicitly, and once more for other machines.
func TestControlMustBeEnabled(t *testing.T) {
	t.Parallel()
	here, network := net.IPv4(127, 0, 0, 1), net.IPv4(192, 0, 2, 1)
	for _, tc := range []struct {
		control, public bool
		at              net.IP
		status          int
	}{
		{false, false, here, 404}, {true, false, here, 200}, {true, false, network, 404}, {true, true, network, 200},
	} {
		srv, _ := newServer(t, mock.Options{})
		srv.Control, srv.PublicControl = tc.control, tc.public
		for _, path := range []string{"/_mock", "/_mock/", "/_mock/clock"} {
			r := httptest.NewRequestWithContext(
				context.WithValue(t.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: tc.at}), http.MethodGet, path, nil)
			r.Host = tc.at.String()
			w := httptest.NewRecorder()
			if srv.ServeHTTP(w, r); w.Code != tc.status {
				t.Errorf("%+v: status %d", tc, w.Code)
			}
		}
	}
}

// The clock is stopped and moved in one request; a refused request changes nothing.
func TestControlClock(t *testing.T) {
	t.Parallel()
	srv, _, c := controlled(t, mock.Options{})
	began := srv.Now()
	var got struct {
		Now, Start time.Time
		Speed      float64
	}
	c.call(t, http.MethodPost, "/clock", `{"speed": 0, "advance": "90m"}`).ok(t, &got)
	if got.Speed != 0 || got.Now.Sub(began) != 90*time.Minute || !got.Start.Equal(began) || !srv.Now().Equal(got.Now) {
		t.Errorf("%+v", got)
	}
	c.call(t, http.MethodPost, "/clock", `{"speed": 3, "advance": "-1s"}`).problem(t, 422)
	c.call(t, http.MethodPost, "/clock", `{"speed": -3, "advance": "1s"}`).problem(t, 422)
	c.get(t, "/clock", &got)
	if got.Speed != 0 || got.Now.Sub(began) != 90*time.Minute {
		t.Errorf("what was refused had an effect: %+v", got)
	}
}

// Faults are added, listed with their hits and removed; they never hit the control surface itself.
func TestControlFaults(t *testing.T) {
	t.Parallel()
	srv, api, c := controlled(t, mock.Options{})
	const words = "429 retry-after=2 of list_projects p=1"
	for i, body := range []string{words, words + "\n", words} {
		var added record
		c.call(t, http.MethodPost, "/faults", body).ok(t, &added)
		if fmt.Sprint(added["id"]) != fmt.Sprint(i+1) || added["fault"] != words {
			t.Errorf("%s: added %v", body, added)
		}
	}
	api.call(t, http.MethodGet, "/projects", "").problem(t, 429)
	var list struct{ Faults []record }
	c.get(t, "/faults", &list)
	if len(list.Faults) != 3 || fmt.Sprint(list.Faults[0]["hits"]) != "1" {
		t.Errorf("%v", list)
	}
	c.call(t, http.MethodDelete, "/faults/2", "").ok(t, &list)
	if len(list.Faults) != 2 || len(srv.Faults.All()) != 2 {
		t.Errorf("%v", list)
	}
	c.call(t, http.MethodDelete, "/faults", "").ok(t, &list)
	if len(list.Faults) != 0 || len(srv.Faults.All()) != 0 {
		t.Errorf("%v", list)
	}
	// A fault of all requests does not hit the surface that removes it.
	inject(t, srv, "503")
	c.call(t, http.MethodDelete, "/faults", "").ok(t, &list)
	api.get(t, "/projects", &projectPage{})
}

// An operation is started and made to fail at once; it cannot fail twice.
func TestControlOperations(t *testing.T) {
	t.Parallel()
	srv, api, c := controlled(t, mock.Options{Live: true})
	at := "/projects/" + srv.BusiestProject() + "/operations"
	var started map[string]record
	c.call(t, http.MethodPost, at, `{"action":"create_branch","wait":"1s","run":"1h"}`).ok(t, &started)
	op := started["operation"]
	id := fmt.Sprint(op["id"])
	if op["status"] != "scheduling" || op["endpoint_id"] != nil {
		t.Errorf("started %v", op)
	}
	if err := srv.Set(1, time.Minute); err != nil {
		t.Fatal(err)
	}
	var failed, read map[string]record
	c.call(t, http.MethodPost, at+"/"+id+"/fail", "").ok(t, &failed)
	api.get(t, at+"/"+id, &read)
	op = read["operation"]
	if fmt.Sprint(read) != fmt.Sprint(failed) || op["status"] != "failed" || fmt.Sprint(op["failures_count"]) != "1" || op["error"] == nil {
		t.Errorf("failed %v, read as %v", failed, read)
	}
	if utc(t, op, "updated_at").Sub(utc(t, op, "created_at")) != time.Minute || fmt.Sprint(op["total_duration_ms"]) != "60000" {
		t.Errorf("it did not fail at once: %v", op)
	}
	c.call(t, http.MethodPost, at+"/"+id+"/fail", "").problem(t, http.StatusConflict)
}

// What fails may be tried again, at its start and later.
func TestControlRetries(t *testing.T) {
	t.Parallel()
	srv, api, c := controlled(t, mock.Options{Live: true})
	at := "/projects/" + srv.BusiestProject() + "/operations"
	if err := srv.Set(0, 0); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`{"action":"create_branch","run":"5s","fail":true,"retry":"30s"}`, `{"action":"create_branch","run":"1h"}`,
	} {
		var got map[string]record
		c.call(t, http.MethodPost, at, body).ok(t, &got)
		id := fmt.Sprint(got["operation"]["id"])
		for i, want := range []string{"failed", "running"} {
			if err := srv.Set(0, []time.Duration{6 * time.Second, 30 * time.Second}[i]); err != nil {
				t.Fatal(err)
			}
			if i == 0 && strings.Contains(body, "1h") {
				c.call(t, http.MethodPost, at+"/"+id+"/fail", `{"retry":"29s"}`).ok(t, &got)
			}
			if api.get(t, at+"/"+id, &got); got["operation"]["status"] != want {
				t.Errorf("%s: %v, want %s", body, got, want)
			}
		}
	}
	for _, path := range []string{"", "/x/fail"} {
		c.call(t, http.MethodPost, at+path, `{"action":"create_branch","fail":true,"retry":"soon"}`).problem(t, 400)
	}
	c.call(t, http.MethodPost, at, `{"action":"create_branch","retry":"1s"}`).problem(t, 422)
}

// A removed operation or project is not found any more, and can be removed only once.
func TestControlRemovesOperationsAndProjects(t *testing.T) {
	t.Parallel()
	srv, api, c := controlled(t, mock.Options{})
	project := "/projects/" + srv.BusiestProject()
	at := fmt.Sprintf("%s/operations/%s", project, newest(t, api, srv.BusiestProject(), 1)[0]["id"])
	for _, path := range []string{at, project} {
		var gone record
		c.call(t, http.MethodDelete, path, "").ok(t, &gone)
		if !strings.HasSuffix(path, fmt.Sprint(gone["vanished"])) {
			t.Errorf("%s: %v", path, gone)
		}
		c.call(t, http.MethodDelete, path, "").problem(t, http.StatusNotFound)
	}
	api.call(t, http.MethodGet, at, "").problem(t, http.StatusNotFound)
	api.call(t, http.MethodGet, project+"/operations", "").problem(t, http.StatusNotFound)
	if ids := projectIDs(t, api); len(ids) != 11 || slices.Contains(ids, srv.BusiestProject()) {
		t.Errorf("%v are left", ids)
	}
}
