package client

import (
	"bufio"
	"context"
	"crypto/x509"
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

// proxy is an HTTP proxy that connects every tunnel to one server, and records what it receives unencrypted.
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

// The variables of the child that uses a proxy. The standard library reads those of the proxy once per process, so each
// case needs its own.
const (
	envChildBase = "PGTOWER_TEST_CHILD_BASE"
	envChildCA   = "PGTOWER_TEST_CHILD_CA"
)

// The child process of askThrough: it lists operations once.
func TestProxyChild(t *testing.T) {
	t.Parallel()
	base := os.Getenv(envChildBase)
	if base == "" {
		t.Skip("is run by askThrough")
	}
	pool := x509.NewCertPool()
	authority, _ := os.ReadFile(os.Getenv(envChildCA))
	pool.AppendCertsFromPEM(authority)
	err := listOperations(t.Context(), connect(t, Options{BaseURL: base, RootCAs: pool}))
	if err != nil {
		t.Fatalf("%v. %s", err, models.AdviceOf(err))
	}
}

// askThrough lists operations in a child with a proxy, and returns its output.
func askThrough(t *testing.T, proxy, base, ca string, env ...string) (said string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestProxyChild$", "-test.v")
	cmd.Env = append(os.Environ(), "HTTPS_PROXY="+proxy, "HTTP_PROXY="+proxy, "NO_PROXY=", envChildBase+"="+base, envChildCA+"="+ca)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// An unusable proxy is an error, and never bypassed.
func TestProxyThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	answers := func(status string) string {
		return "http://" + listen(t, func(conn net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, "HTTP/1.1 "+status+"\r\nContent-Length: 0\r\n\r\n")
			_ = conn.Close()
		})
	}
	// talks answers anything with the same bytes.
	talks := func(bytes string) string {
		return listen(t, func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = io.WriteString(conn, bytes)
			if bytes != "" {
				_, _ = conn.Read(make([]byte, 4096)) // it does not hang up before the answer is read
			}
			_ = conn.Close()
		})
	}
	const badAddress = "HTTPS_PROXY is not a valid proxy address"
	for name, c := range map[string]struct{ proxy, says, advice string }{
		"not an address":     {"%zz", badAddress, hintProxyAddress},
		"half an address":    {"http://someone:pr0xy-secret@[::1", badAddress, hintProxyAddress},
		"no host":            {"http://", badAddress, hintProxyAddress},
		"no kind of a proxy": {"ftp://proxy.example:21", badAddress, hintProxyAddress},
		"no port of 16 bits": {"http://proxy.example:99999", badAddress, hintProxyAddress},
		"wants a password":   {answers("407 Proxy Authentication Required"), "the proxy refused (status 407)", hintProxyLogin},
		"forbids":            {answers("403 Forbidden"), "the proxy refused (status 403)", hintProxyRefused},
		"knows no CONNECT":   {answers("405 Method Not Allowed"), "the proxy refused (status 405)", hintProxyRefused},
		"legal reasons":      {answers("451 Unavailable"), "the proxy refused (status 451)", hintProxyRefused},
		"no content":         {answers("204 No Content"), "the proxy refused (status 204)", hintProxyRefused},
		"does not implement": {answers("501 Not Implemented"), "the proxy refused (status 501)", hintProxyRefused},
		"a sign-in page":     {answers("302 Found\r\nLocation: http://portal.example/"), "the proxy refused (status 302)", hintProxyPortal},
		"a network's portal": {answers("511 Network Authentication Required"), "the proxy refused (status 511)", hintProxyPortal},
		"fails":              {answers("502 Bad Gateway"), "the proxy could not connect (status 502)", hintProxyFailed},
		"is overloaded":      {answers("429 Too Many Requests"), "the proxy could not connect (status 429)", hintProxyFailed},
		"not HTTP":           {"http://" + talks("220 mail.example ESMTP\r\n"), "malformed HTTP", hintNoProxy},
		"hangs up":           {"http://" + talks(""), "EOF", hintProxyGone},
		"SOCKS refuses":      {"socks5://" + talks("\x05\x00\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"), "not allowed by ruleset", hintProxyRefused},
		"SOCKS wants a name": {"socks5://" + talks("\x05\xff"), "authentication", hintProxyLogin},
		"SOCKS fails":        {"socks5://" + talks("\x05\x00\x05\x04\x00\x01\x00\x00\x00\x00\x00\x00"), "host unreachable", hintProxyFailed},
		"not SOCKS":          {"socks5://" + talks("HTTP/1.1 400 Bad Request\r\n\r\n"), "unexpected protocol version", hintNoProxy},
		"is not there":       {"127.0.0.1:1", "connection refused", hintProxyGone},
		"is nowhere":         {"http://no-such-host.invalid:3128", "no-such-host.invalid", hintProxyName},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, err := askThrough(t, c.proxy, "https://console.example/", "")
			if err == nil || !strings.Contains(said, c.says) || !strings.Contains(said, c.advice) || strings.Contains(said, "pr0xy-secret") {
				t.Errorf("%v, %s", err, said)
			}
		})
	}
}

// If the connection fails, a proxy setting without effect is named, as the user may rely on it.
func TestProxySettingsWithoutEffect(t *testing.T) {
	t.Parallel()
	const unset, nowhere = "HTTPS_PROXY=", "https://no-such-host.invalid/"
	for name, c := range map[string]struct {
		env   []string
		names string
	}{
		"for all":            {[]string{unset, "HTTP_PROXY=", "ALL_PROXY=socks5://127.0.0.1:1"}, "ALL_PROXY is set, but has no effect here"},
		"for all, small":     {[]string{unset, "HTTP_PROXY=", "all_proxy=socks5://127.0.0.1:1"}, "all_proxy is set, but has no effect here"},
		"for http":           {[]string{unset, "http_proxy=", "HTTP_PROXY=127.0.0.1:1"}, "HTTP_PROXY is set, but has no effect here"},
		"two spellings":      {[]string{"HTTPS_PROXY=127.0.0.1:1", "https_proxy=127.0.0.1:2"}, "https_proxy has no effect, as HTTPS_PROXY is set, too"},
		"the same spelling":  {[]string{"HTTPS_PROXY=127.0.0.1:1", "https_proxy=127.0.0.1:1"}, ""},
		"a malformed second": {[]string{"HTTPS_PROXY=", "https_proxy=%zz"}, "https_proxy is not a valid proxy address"},
		"nothing":            {[]string{unset, "HTTP_PROXY="}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clear := []string{"https_proxy=", "http_proxy=", "all_proxy=", "ALL_PROXY="}
			said, err := askThrough(t, "", nowhere, "", append(clear, c.env...)...)
			if err == nil || !strings.Contains(said, c.names) || c.names == "" && strings.Contains(said, "effect") {
				t.Errorf("%v, %s", err, said)
			}
		})
	}
}

// The key goes to the service through a tunnel and never to the proxy; requests to this machine use no proxy.
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
	ca := authority.File()

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
			said, err := askThrough(t, address, c.base, ca)
			if (err != nil) != (c.says != "") || !strings.Contains(said, c.says) || strings.Contains(said, "pr0xy-secret") {
				t.Errorf("%v, %s", err, said)
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
