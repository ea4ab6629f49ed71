package client

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"pgtower/models"
)

// A change uses a new connection. A proxy may have closed an idle one: then the change would fail, and whether it was carried
// out would be unknown.
func TestChangesHaveAFreshConnection(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var opened atomic.Int32
			used := make(chan string, 100)
			srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				used <- r.Method + " " + r.RemoteAddr + " " + r.Proto
				writeJSON(w, emptyPage)
			}))
			srv.EnableHTTP2 = second
			srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					opened.Add(1)
				}
			}
			srv.StartTLS()
			t.Cleanup(srv.Close)
			c := connect(t, Options{BaseURL: srv.URL + "/api/v2", RootCAs: authorities(srv)})
			addresses := map[string]bool{}
			for range 3 {
				if err := listOperations(t.Context(), c); err != nil {
					t.Fatal(err)
				}
				read := <-used
				_, err := c.RevokeAPIKey(t.Context(), keyOf(1))
				wantKind(t, err, models.KindMalformed)
				change := <-used
				if addresses[change] || change[len("DELETE "):] == read[len("GET "):] {
					t.Errorf("%s has no connection of its own", change)
				}
				addresses[change] = true
			}
			if n := opened.Load(); n != 4 {
				t.Errorf("%d connections for three reads and three changes", n)
			}
		})
	}
}
