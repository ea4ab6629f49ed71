//go:build unix

package e2e

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/internal/termtest"
)

// The standard library logs unsolicited responses to stderr, where the screen is.
func TestScreenWithoutUnsolicitedResponses(t *testing.T) {
	t.Parallel()
	s := faultserver.Start(t, func(conn net.Conn, r *http.Request) {
		body := `{"projects":[{"id":"p1","name":"unasked"}]}`
		if strings.HasSuffix(r.URL.Path, "/operations") {
			body = `{"operations":[{"id":"o1","status":"finished"}]}`
		}
		faultserver.Stall(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%sHTTP/1.1 200 owned\r\n\r\n", len(body), body))(conn, r)
	})
	p := start(t, termtest.Options{
		Args: []string{"--interval", "1s"}, Env: []string{"PGTOWER_BASE_URL=" + s.URL(), "PGTOWER_API_KEY=napi_unasked-test"},
	})
	p.Sees("● live, every 1s", "unasked", "finished")
	asked := len(s.Asked())
	p.until("further requests", func() bool { return len(s.Asked()) > asked+1 })
	if p.showed("owned") > 0 || p.showed("Unsolicited") > 0 {
		t.Errorf("on the screen:\n%s", p.Screen())
	}
	p.quit()
}

// GODEBUG makes the standard library log requests, including keys.
func TestKeyIsNotWrittenByDebugging(t *testing.T) {
	t.Parallel()
	authority := faultserver.NewAuthority(t, time.Now())
	cert := certificate(authority, "console.example", time.Now().Add(time.Hour))
	at := newService(t, goodKey)
	at.TLS, at.EnableHTTP2 = &tls.Config{Certificates: []tls.Certificate{cert}}, true
	at.StartTLS()
	s := newShell(t, "SSL_CERT_FILE="+authority.File(), "PGTOWER_API_KEY="+goodKey, "PGTOWER_BASE_URL="+at.base(),
		"GODEBUG=http2debug=2,netdns=go+2,inittrace=1")
	for _, args := range [][]string{{"doctor"}, {"login"}} {
		o := s.run(goodKey+"\n", args...)
		o.neverKey()
		o.ends(o.code, "init pgtower/keystore/keyenv") // so GODEBUG was read
	}
	if !slices.Equal(at.keys(), []string{goodKey}) {
		t.Errorf("the keys %q were sent", at.keys())
	}
}
