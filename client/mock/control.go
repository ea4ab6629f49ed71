package mock

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// ControlPath is the root of the control surface, beside the API.
const ControlPath = "/_mock"

// control is the control surface. Its requests do not count as requests to the API, and faults hit
// only its status page.
type control struct {
	platform *sim.Platform
	faults   *fault.List
	routes   *http.ServeMux
	pages    *http.CrossOriginProtection
}

func newControl(platform *sim.Platform, faults *fault.List) *control {
	c := &control{platform: platform, faults: faults, pages: http.NewCrossOriginProtection()}
	c.routes = c.endpoints()
	return c
}

// ServeHTTP answers requests of programs: those of web pages are refused.
func (c *control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := (&url.URL{Host: r.Host}).Hostname()
	// The owner of a web page can make a name resolve to this machine, but not change an address.
	if _, err := netip.ParseAddr(host); err != nil && !strings.EqualFold(host, "localhost") {
		newProblem(http.StatusForbidden, "the Host header must be localhost or an address").write(w, r)
		return
	}
	if err := c.pages.Check(changing(r)); err != nil {
		newProblem(http.StatusForbidden, "web pages cannot control the mock: %v", err).write(w, r)
		return
	}
	serveRoute(c.routes, w, r)
}

// endpoints returns the handlers of the control surface, and of the page that explains it.
func (c *control) endpoints() *http.ServeMux {
	const project, operations = "/projects/{project_id}", "/projects/{project_id}/operations"
	const operation = operations + "/{operation_id}"
	help := &strings.Builder{}
	fmt.Fprintf(help, "The API is at %s. This is the control surface, which needs no key:\n\n", BasePath)
	index := func(*http.Request) (any, error) { return help.String(), nil }
	routes := map[string]endpoint{"GET ": index, "GET /{$}": index}
	for _, h := range []struct {
		route, does string
		do          endpoint
	}{
		{"GET /clock", "the simulated time, when it began, and its speed", c.readClock},
		{"POST /clock", `{"speed": 10, "advance": "1d2h"}, or one of them`, c.setClock},
		{"GET /status", "the service's public status page, which follows the incidents of regions", c.readStatus},
		{"GET /faults", "all faults, including spent ones", c.listFaults},
		{"POST /faults", "add a fault: the body is its text", c.addFault},
		{"DELETE /faults", "remove all faults", c.clearFaults},
		{"DELETE /faults/{fault_id}", "remove a fault", c.removeFault},
		{
			"POST " + operations,
			`{"action": "create_branch", "branch": "preview/pr-1", "wait": "1s", "run": "5s", "fail": true, "retry": "30s"}`,
			c.startOperation,
		},
		{"PATCH " + project + "/branches/{branch_id}", `rename a branch: {"name": "preview/pr-2"}`, c.renameBranch},
		{
			"POST " + operation + "/fail",
			`make an unfinished operation fail; {"retry": "30s"}: try it again then`,
			c.failOperation,
		},
		{"DELETE " + operation, "remove an operation", c.lose},
		{"DELETE " + project, "remove a project", c.lose},
	} {
		routes[h.route] = h.do
		method, path, _ := strings.Cut(h.route, " ")
		fmt.Fprintf(help, "%-6s %s%s\n         %s\n", method, ControlPath, path, h.does)
	}
	fmt.Fprint(help, "\n", fault.Help)
	return mount(ControlPath, routes)
}

// changing returns the request as one that changes something. By default, reads are allowed from other origins; here they
// are not.
func changing(r *http.Request) *http.Request {
	out := r.WithContext(r.Context())
	out.Method = http.MethodPost
	return out
}

// local reports whether a request came to a loopback address, or over no network at all.
func local(r *http.Request) bool {
	address, network := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return !network || address.IP.IsLoopback()
}

func (c *control) readClock(*http.Request) (any, error) {
	now, speed := c.platform.Reading()
	return map[string]any{"now": now, "start": c.platform.Started(), "speed": speed}, nil
}

// setClock makes all changes or none.
func (c *control) setClock(r *http.Request) (any, error) {
	var change struct {
		Speed   float64
		Advance sim.Span
	}
	_, change.Speed = c.platform.Reading() // the default
	if err := readJSON(r, &change); err != nil {
		return nil, err
	}
	if err := c.platform.Set(change.Speed, time.Duration(change.Advance)); err != nil {
		return nil, err
	}
	return c.readClock(r)
}

func (c *control) listFaults(*http.Request) (any, error) {
	return map[string][]fault.Active{"faults": c.faults.All()}, nil
}

// addFault adds a fault from the request's text, whatever its content type.
func (c *control) addFault(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	added, err := c.faults.Add(strings.TrimSpace(string(body)))
	if err != nil {
		return nil, newProblem(http.StatusBadRequest, "%v", err)
	}
	return added, nil
}

func (c *control) clearFaults(r *http.Request) (any, error) {
	c.faults.Clear()
	return c.listFaults(r)
}

func (c *control) removeFault(r *http.Request) (any, error) {
	id, err := pathNumber(r, "fault_id")
	if err != nil {
		return nil, err
	}
	if !c.faults.Remove(id) {
		return nil, newProblem(http.StatusNotFound, "no such fault")
	}
	return c.listFaults(r)
}

func (c *control) startOperation(r *http.Request) (any, error) {
	var sent struct {
		Action, Branch   string
		Wait, Run, Retry sim.Span
		Fail             bool
	}
	if err := readJSON(r, &sent); err != nil {
		return nil, err
	}
	op, err := c.platform.Start(Task{
		ProjectID: r.PathValue("project_id"), Action: sent.Action, Branch: sent.Branch,
		Wait: time.Duration(sent.Wait), Run: time.Duration(sent.Run),
		Fail: sent.Fail, Retry: time.Duration(sent.Retry),
	})
	return operationAnswer{op}, err
}

func (c *control) renameBranch(r *http.Request) (any, error) {
	var sent struct{ Name string }
	if err := readJSON(r, &sent); err != nil {
		return nil, err
	}
	project, branch := r.PathValue("project_id"), r.PathValue("branch_id")
	return map[string]string{"renamed": branch, "name": sent.Name}, c.platform.RenameBranch(project, branch, sent.Name)
}

func (c *control) failOperation(r *http.Request) (any, error) {
	var sent struct{ Retry sim.Span }
	if r.ContentLength != 0 {
		if err := readJSON(r, &sent); err != nil {
			return nil, err
		}
	}
	project, operation := r.PathValue("project_id"), r.PathValue("operation_id")
	op, err := c.platform.Fail(project, operation, time.Duration(sent.Retry))
	return operationAnswer{op}, err
}

func (c *control) lose(r *http.Request) (any, error) {
	project, operation := r.PathValue("project_id"), r.PathValue("operation_id")
	if operation == "" {
		return map[string]string{"vanished": project}, c.platform.LoseProject(project)
	}
	return map[string]string{"vanished": operation}, c.platform.Lose(project, operation)
}
