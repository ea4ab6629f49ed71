package client

import (
	"context"
	"crypto/tls"
	"time"

	"pgtower/models"
)

// Route describes the connection to the service, as a request without a key finds it.
type Route struct {
	Proxy           string    // the host of the proxy, or empty
	Disobeyed       string    // which setting of a proxy has no effect, as a sentence, or empty
	TLS             string    // the protocol's version, such as "TLS 1.3", or empty over plain http
	CertificateEnds time.Time // when the service's certificate expires, or zero
	HTTP            string    // the protocol's version, such as "HTTP/2.0", or empty without a response
	// Status is that of the response. The API itself responds with 401 to a request without a key (section 7).
	Status int
	// Skew is how far the service's clock is ahead of [Options].Clock, as [Client.Skew].
	Skew models.Opt[time.Duration]
	Took time.Duration // from the request to its response, connecting included
}

// Probe requests the service's projects once, without Options.Key. A response with any status is a success. After a
// [*models.Error], the route is filled as far as it is known.
func Probe(ctx context.Context, o Options) (r Route, err error) {
	base, err := models.ParseBaseURL(o.BaseURL)
	if err != nil {
		return r, err
	}
	timeouts := o.Timeouts.orDefaults()
	t := newTransport(base, timeouts, o.RootCAs)
	defer t.CloseIdleConnections()
	c := &Client{base: base, options: o, route: routeOf(base)}
	r.Disobeyed = c.route.disobeyed
	c.keys.Store(&keys{})
	a := &attempt{call: get("reach the service", "projects")}

	ctx, cancel := context.WithTimeout(ctx, timeouts.Whole)
	defer cancel()
	ctx, connected := watched(ctx)
	req, err := c.request(ctx, a.call, models.Secret{})
	if err != nil {
		return r, a.failure(&models.Error{Kind: models.KindInvalid, Err: err})
	}
	a.uri = req.URL.RequestURI()
	if t.Proxy != nil { // not over plain http
		if proxy, err := t.Proxy(req); err == nil && proxy != nil {
			r.Proxy = proxy.Host
		}
	}
	began := o.Clock()
	resp, err := t.RoundTrip(req)
	received := o.Clock()
	r.Took = received.Sub(began)
	if err != nil {
		return r, a.failure(c.transportError(ctx, err, connected.Load()))
	}
	defer resp.Body.Close() //nolint:errcheck // the body is not needed
	r.HTTP, r.Status = resp.Proto, resp.StatusCode
	if resp.TLS != nil {
		r.TLS, r.CertificateEnds = tls.VersionName(resp.TLS.Version), resp.TLS.PeerCertificates[0].NotAfter
	}
	offset, dated := offsetOf(resp.Header, began, received)
	r.Skew = models.Opt[time.Duration]{Value: offset.middle(), Known: dated}
	return r, nil
}
