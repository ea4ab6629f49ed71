package client

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"pgtower/models"
)

// Route is what a request without a key shows of the way to the service.
type Route struct {
	// Proxy is the host of the proxy between, or empty.
	Proxy string
	// Addrs are what the host's name resolved to; none where it was not looked up.
	Addrs []string
	// TLS is the protocol's version, such as "TLS 1.3", or empty over plain http.
	TLS string
	// CertificateEnds is when the service's certificate does, or zero.
	CertificateEnds time.Time
	// HTTP is the protocol's version, such as "HTTP/2.0", or empty without an answer.
	HTTP string
	// Status is that of the answer. The API itself answers 401 to a request without a
	// key (section 7).
	Status int
	// ContentType is the answer's, cleaned.
	ContentType string
	// Skew is how far the service's clock is ahead of [Options].Clock, as [Client.Skew].
	Skew models.Opt[time.Duration]
	// Took is from the request to its answer, in which connecting is included.
	Took time.Duration
}

// Probe asks the service for its projects once, without a key, and says how it was
// reached. The route is filled as far as it was followed when a [*models.Error] ended it;
// an answer of whatever status is none. Options.Key is not used.
func Probe(ctx context.Context, o Options) (Route, error) {
	base, err := ParseBaseURL(o.BaseURL)
	if err != nil {
		return Route{}, err
	}
	timeouts := o.Timeouts.orDefaults()
	t := newTransport(base, timeouts, o.RootCAs)
	defer t.CloseIdleConnections()
	c := &Client{base: base, userAgent: o.UserAgent}
	a := &attempt{call: call{doing: "reach the service", method: http.MethodGet, path: []string{"projects"}}}

	ctx, cancel := context.WithTimeout(ctx, timeouts.Whole)
	defer cancel()
	seen := &resolved{}
	req, err := c.request(httptrace.WithClientTrace(ctx, seen.trace()), a.call, models.Secret{})
	if err != nil {
		return Route{}, a.failure(&models.Error{Kind: models.KindInvalid, Err: err})
	}
	a.uri = req.URL.RequestURI()
	var r Route
	if t.Proxy != nil { // as it is over plain http
		if proxy, err := t.Proxy(req); err == nil && proxy != nil {
			r.Proxy = proxy.Host
		}
	}
	began := o.Clock()
	resp, err := t.RoundTrip(req)
	r.Took = o.Clock().Sub(began)
	r.Addrs = seen.addresses()
	if err != nil {
		return r, a.failure(c.transportError(ctx, err))
	}
	defer resp.Body.Close() //nolint:errcheck // nothing of the body is wanted
	c.describe(&r, resp, began)
	return r, nil
}

func (c *Client) describe(r *Route, resp *http.Response, began time.Time) {
	r.HTTP, r.Status, r.ContentType = resp.Proto, resp.StatusCode, c.safe(resp.Header.Get("Content-Type"))
	if resp.TLS != nil {
		r.TLS = tls.VersionName(resp.TLS.Version)
		if len(resp.TLS.PeerCertificates) > 0 {
			r.CertificateEnds = resp.TLS.PeerCertificates[0].NotAfter
		}
	}
	o, dated := offsetOf(resp.Header, began, began.Add(r.Took))
	r.Skew = models.Opt[time.Duration]{Value: o.middle(), Known: dated}
}

// resolved collects what a name resolved to. A connection that lost a race may go on
// after the request has ended.
type resolved struct {
	mu    sync.Mutex
	addrs []string
}

func (s *resolved) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{DNSDone: func(info httptrace.DNSDoneInfo) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, a := range info.Addrs {
			s.addrs = append(s.addrs, fmt.Sprint(a.IP))
		}
	}}
}

func (s *resolved) addresses() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addrs
}
