package client

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

// proxy is an HTTP proxy that leads every tunnel to one server, and keeps what it was
// told in clear.
type proxy struct {
	target string
	mu     sync.Mutex
	heard  strings.Builder
}

func (p *proxy) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		p.mu.Lock()
		p.heard.WriteString(line)
		p.mu.Unlock()
		if err != nil {
			return
		}
		if line == "\r\n" {
			break
		}
	}
	if !strings.HasPrefix(p.said(), "CONNECT ") {
		_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
		return
	}
	to, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", p.target)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(to, in) }()
	_, _ = io.Copy(conn, to)
}

func (p *proxy) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heard.String()
}

// The variables of the child that asks through a proxy. The standard library reads
// those of the proxy once in the life of a process, so each case needs its own.
const (
	envChildBase = "PGTOWER_TEST_CHILD_BASE"
	envChildCA   = "PGTOWER_TEST_CHILD_CA"
)

func TestProxyChild(t *testing.T) {
	t.Parallel()
	base := os.Getenv(envChildBase)
	if base == "" {
		t.Skip("is run by TestProxyOfTheEnvironment")
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(os.Getenv(envChildCA)))
	err := listOperations(t.Context(), connect(t, Options{BaseURL: base, RootCAs: pool, Timeouts: Timeouts{Connect: 2 * time.Second}}))
	if err != nil {
		t.Fatal(err)
	}
}

// The key goes to the service through a tunnel and never to the proxy; what is on this
// machine is asked without any.
func TestProxyOfTheEnvironment(t *testing.T) {
	t.Parallel()
	authority := faultserver.NewAuthority(t, time.Now())
	cert := authority.Certificate(time.Now().AddDate(-1, 0, 0), time.Now().AddDate(1, 0, 0), "console.example")
	authorized := func(conn net.Conn, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+testKey {
			faultserver.JSON(200, emptyPage)(conn, r)
		}
	}
	secure, plain := faultserver.StartTLS(t, cert, authorized), faultserver.Start(t, authorized)
	host := func(s *faultserver.Server) string { _, after, _ := strings.Cut(s.URL(), "://"); return after }
	pemCA := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.DER()}))

	for name, c := range map[string]struct {
		base, heard, says string
	}{
		"https":         {base: "https://console.example/", heard: "CONNECT console.example:443 HTTP/1.1\r\n"},
		"loopback":      {base: plain.URL()},
		"another one":   {base: "https://elsewhere.example/", heard: "CONNECT elsewhere.example:443", says: models.KindTLS.String()},
		"loopback name": {base: strings.Replace(plain.URL(), "127.0.0.1", "localhost", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &proxy{target: host(secure)}
			address := "http://someone:pr0xy-secret@" + listen(t, p.serve)
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestProxyChild$", "-test.v")
			cmd.Env = append(os.Environ(), "HTTPS_PROXY="+address, "HTTP_PROXY="+address, "NO_PROXY=", envChildBase+"="+c.base, envChildCA+"="+pemCA)
			out, err := cmd.CombinedOutput()
			if (err != nil) != (c.says != "") || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "pr0xy-secret") {
				t.Errorf("%v, %s", err, out)
			}
			heard := p.said()
			if !strings.HasPrefix(heard, c.heard) || c.heard == "" && heard != "" {
				t.Errorf("the proxy heard %q", heard)
			}
			if strings.Contains(heard, testKey) || strings.Contains(heard, "\r\nAuthorization") {
				t.Errorf("the proxy heard the key: %q", heard)
			}
		})
	}
}
