package mock

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
)

// ControlPath is where the control surface begins, beside the API.
const ControlPath = "/_mock"

// control is the control surface of a server.
type control struct {
	server   *Server
	requests atomic.Uint64
	routes   http.Handler
}

func newControl(s *Server) http.Handler {
	c := &control{server: s}
	paths := map[string]methods{}
	for _, h := range c.handles() {
		if paths[h.path] == nil {
			paths[h.path] = methods{}
		}
		paths[h.path][h.method] = h.do
	}
	index := methods{http.MethodGet: c.index}
	paths[""], paths["/{$}"] = index, index
	c.routes = mount(ControlPath, paths)
	return c
}

// ServeHTTP answers one request. None is counted as one to the API, nor hit by a fault.
func (c *control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := requestID(r, ^c.server.platform.seed, c.requests.Add(1))
	r = r.WithContext(withCall(r.Context(), call{requestID: id}))
	if why := foreign(r); why != "" {
		newProblem(http.StatusForbidden, "the control surface is for programs on this machine: %s", why).write(w, r)
		return
	}
	c.routes.ServeHTTP(w, r)
}

// foreign says why a request may be the doing of a web page: browsers tell the origin of
// what changes anything and, of the rest, whether a page asked for it (only a user's own
// request, typed as an address, is of the site none); a name that was made to resolve to
// this machine is in Host.
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
	if strings.EqualFold(host, "localhost") {
		return ""
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err == nil && (ip.IsLoopback() || ip == listensOn(r)) {
		return ""
	}
	return "the Host header has to be localhost, a loopback address or the one that it listens on"
}

// listensOn returns the address that the request came in at, if it came over a network.
func listensOn(r *http.Request) netip.Addr {
	if tcp, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
