package mock_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// controlled is a server that listens, with its control surface.
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

// What the page of the control surface lists is there.
func TestControlIndex(t *testing.T) {
	t.Parallel()
	_, _, c := controlled(t, mock.Options{})
	for _, path := range []string{"", "/"} {
		a := c.call(t, http.MethodGet, path, "")
		listed := regexp.MustCompile(`(?m)^(GET|POST|DELETE) +/_mock(/\S+)$`).FindAllStringSubmatch(string(a.body), -1)
		if !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") || len(listed) != 10 || !strings.Contains(string(a.body), "carry-out") {
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

// It is there for whoever asks for it only.
func TestControlHasToBeAskedFor(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	c.base = strings.TrimSuffix(c.base, mock.BasePath)
	for _, path := range []string{"/_mock", "/_mock/", "/_mock/clock"} {
		c.call(t, http.MethodGet, path, "").problem(t, http.StatusNotFound)
	}
}

// Web pages cannot steer it: neither from their own origin, nor under a name of theirs
// that resolves to this machine.
func TestControlRefusesWebPages(t *testing.T) {
	t.Parallel()
	_, _, c := controlled(t, mock.Options{})
	u, err := url.Parse(c.base)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		host, origin string
		status       int
		site         string
	}{
		{u.Host, "", 200, "none"},
		{u.Host, "", 403, "cross-site"},
		{u.Host, "", 403, "same-site"},
		{u.Host, "", 403, "same-origin"},
		{u.Host, "", 403, "none, cross-site"},
		{u.Host, "", 403, " "},
		{u.Host, "", 200, ""},
		{"localhost:" + u.Port(), "", 200, ""},
		{"LOCALHOST", "", 200, ""},
		{"127.0.0.2:1", "", 200, ""},
		{"[::1]:" + u.Port(), "", 200, ""},
		{"evil.example:" + u.Port(), "", 403, ""},
		{"localhost.evil.example", "", 403, ""},
		{"127.0.0.1.evil.example", "", 403, ""},
		{"192.0.2.1", "", 403, ""},
		{"0.0.0.0", "", 403, ""},
		{u.Host, "http://evil.example", 403, ""},
		{u.Host, "http://" + u.Host, 403, ""},
		{u.Host, "null", 403, ""},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			r := c.request(t, method, "/faults", "")
			if method == http.MethodPost {
				r = c.request(t, method, "/faults", "503 of get_operation")
			}
			r.Host = tc.host
			if tc.origin != "" {
				r.Header.Set("Origin", tc.origin)
			}
			if tc.site != "" {
				r.Header.Set("Sec-Fetch-Site", tc.site)
			}
			if a := c.send(t, r); tc.status == 200 && a.status != 200 {
				t.Errorf("%s %+v: %d %s", method, tc, a.status, a.body)
			} else if tc.status != 200 {
				a.problem(t, tc.status)
			}
		}
	}
}

// Where other machines reach the server, it has to be asked for once more.
func TestControlIsNotPublic(t *testing.T) {
	t.Parallel()
	for _, public := range []bool{false, true} {
		srv, _ := newServer(t, mock.Options{})
		srv.Control = true
		l, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Addr: "0.0.0.0:0", PublicControl: public})
		if err != nil {
			t.Fatal(err)
		}
		c := target{base: l.BaseURL(), key: srv.APIKey(), client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		c.get(t, "/projects", &projectPage{})
		c.base = strings.TrimSuffix(c.base, mock.BasePath) + mock.ControlPath
		for path, status := range map[string]int{"": 404, "/": 404, "/clock": 404, "/faults": 404, "/nothing": 404} {
			if public && path != "/nothing" {
				status = 200
			}
			if a := c.call(t, http.MethodGet, path, ""); a.status != status {
				t.Errorf("public: %v, %q: status %d", public, path, a.status)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

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
	if len(list.Faults) != 2 || len(srv.Faults()) != 2 {
		t.Errorf("%v", list)
	}
	c.call(t, http.MethodDelete, "/faults", "").ok(t, &list)
	if len(list.Faults) != 0 || len(srv.Faults()) != 0 {
		t.Errorf("%v", list)
	}
	// A fault of everything is not one of the surface that takes it away again.
	inject(t, srv, "503")
	c.call(t, http.MethodDelete, "/faults", "").ok(t, &list)
	api.get(t, "/projects", &projectPage{})
}

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
	if err := srv.Advance(time.Minute); err != nil {
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

func TestControlMakesThingsVanish(t *testing.T) {
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
