package mock

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// ControlPath is where the control surface begins, beside the API.
const ControlPath = "/_mock"

// handle is one thing that the control surface does.
type handle struct {
	method, path, does string
	do                 endpoint
}

// controls returns the control surface. None of its requests is one to the API, nor hit by a fault.
func (s *Server) controls() http.Handler {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	const project, operation = "/projects/{project_id}", "/projects/{project_id}/operations/{operation_id}"
	help := &strings.Builder{}
	fmt.Fprintf(help, "The API is below %s. Here the mock is steered, without a key:\n\n", BasePath)
	paths := map[string]methods{}
	for _, h := range []handle{
		{get, "/clock", "the simulated time, when it began, and its speed", s.readClock},
		{post, "/clock", `{"speed": 10, "advance": "1d2h"}, or one of them`, s.setClock},
		{get, "/faults", "the faults that were not removed, spent ones included", s.listFaults},
		{post, "/faults", "add a fault: the body is its text", s.addFault},
		{del, "/faults", "remove all faults", s.clearFaults},
		{del, "/faults/{fault_id}", "remove a fault", s.removeFault},
		{post, project + "/operations", `{"action": "create_branch", "wait": "1s", "run": "5s", "fail": false}`, s.begin},
		{post, operation + "/fail", "make an operation that has not ended fail", s.failOperation},
		{del, operation, "make an operation vanish", s.loseOperation},
		{del, project, "make a project vanish", s.loseProject},
	} {
		if paths[h.path] == nil {
			paths[h.path] = methods{}
		}
		paths[h.path][h.method] = h.do
		fmt.Fprintf(help, "%-6s %s%s\n         %s\n", h.method, ControlPath, h.path, h.does)
	}
	fmt.Fprint(help, "\n", fault.Help)
	index := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(help.String())) // the client may be gone
	})
	paths[""] = methods{get: index}
	paths["/{$}"] = paths[""]
	routes := mount(ControlPath, paths)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := foreign(r); why != "" {
			newProblem(http.StatusForbidden, "the control surface is for programs on this machine: %s", why).write(w, r)
			return
		}
		routes.ServeHTTP(w, r)
	})
}

// foreign returns why a request may be the doing of a web page: browsers name the origin of what changes anything and,
// of the rest, whether a page asked for it (only a user's own request, typed as an address, is of the site none); a
// name that was made to resolve to this machine is in Host.
func foreign(r *http.Request) string {
	if site := r.Header.Values("Sec-Fetch-Site"); len(site) > 0 && !slices.Equal(site, []string{"none"}) {
		return "a request that a web page makes is refused"
	}
	if len(r.Header.Values("Origin")) > 0 {
		return "a request with an Origin header is refused"
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if strings.EqualFold(host, "localhost") || err == nil && (ip.IsLoopback() || ip == listensOn(r)) {
		return ""
	}
	return "the Host header must be localhost, a loopback address or the one that it listens on"
}

// listensOn returns the address that the request came in at, if it came over a network.
func listensOn(r *http.Request) netip.Addr {
	if tcp, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

func (s *Server) readClock(*http.Request) (any, error) {
	now, speed := s.Reading()
	return struct {
		Now   time.Time `json:"now"`
		Start time.Time `json:"start"`
		Speed float64   `json:"speed"`
	}{now, s.Started(), speed}, nil
}

// setClock changes what it changes together or not at all.
func (s *Server) setClock(r *http.Request) (any, error) {
	var change struct {
		Speed   float64
		Advance sim.Span
	}
	_, change.Speed = s.Reading() // where it is left out
	if err := readJSON(r, &change); err != nil {
		return nil, err
	}
	if err := s.Set(change.Speed, time.Duration(change.Advance)); err != nil {
		return nil, err
	}
	return s.readClock(r)
}

func (s *Server) listFaults(*http.Request) (any, error) {
	return map[string][]fault.Active{"faults": s.Faults()}, nil
}

// addFault takes the text of a fault, whatever content type it claims to have.
func (s *Server) addFault(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	added, err := s.faults.Add(strings.TrimSpace(string(body)))
	if err != nil {
		return nil, newProblem(http.StatusBadRequest, "%v", err)
	}
	return added, nil
}

func (s *Server) clearFaults(r *http.Request) (any, error) {
	s.faults.Clear()
	return s.listFaults(r)
}

func (s *Server) removeFault(r *http.Request) (any, error) {
	id, err := pathNumber(r, "fault_id")
	if err != nil {
		return nil, err
	}
	if !s.faults.Remove(id) {
		return nil, newProblem(http.StatusNotFound, "there is no such fault")
	}
	return s.listFaults(r)
}

func (s *Server) begin(r *http.Request) (any, error) {
	var sent struct {
		Action    string
		Wait, Run sim.Span
		Fail      bool
	}
	if err := readJSON(r, &sent); err != nil {
		return nil, err
	}
	op, err := s.Start(Task{
		ProjectID: r.PathValue("project_id"), Action: sent.Action,
		Wait: time.Duration(sent.Wait), Run: time.Duration(sent.Run), Fail: sent.Fail,
	})
	return operationAnswer{op}, err
}

func (s *Server) failOperation(r *http.Request) (any, error) {
	op, err := s.Fail(r.PathValue("project_id"), r.PathValue("operation_id"))
	return operationAnswer{op}, err
}

func (s *Server) loseOperation(r *http.Request) (any, error) {
	id := r.PathValue("operation_id")
	return map[string]string{"vanished": id}, s.Lose(r.PathValue("project_id"), id)
}

func (s *Server) loseProject(r *http.Request) (any, error) {
	id := r.PathValue("project_id")
	return map[string]string{"vanished": id}, s.LoseProject(id)
}
