package client

import (
	"context"
	"net/http"

	"pgtower/models"
	"pgtower/models/status"
)

// maxStatus is the maximum length of a status page, in bytes.
const maxStatus = 1 << 20

// StatusPage is the public status page of a service. It has a client of its own without a key.
type StatusPage struct{ client *Client }

// NewStatusPage returns the page at Options.BaseURL. It uses neither Options.Key nor Options.Transport.
func NewStatusPage(o Options) (*StatusPage, error) {
	base, err := models.ParseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	o.Key, o.ReadOnly, o.Timeouts = models.Secret{}, true, o.Timeouts.orDefaults()
	if o.Steady == nil {
		o.Steady = o.Clock
	}
	transport := newTransport(base, o.Timeouts, o.RootCAs)
	transport.DisableKeepAlives = true // it is asked seldom
	o.Transport = transport
	c := &Client{options: o, base: base, maxBody: maxStatus, longBodies: make(chan struct{}, longBodies), route: routeOf(base)}
	c.keys.Store(&keys{})
	return &StatusPage{c}, nil
}

// Read reads the page. A refusal is never [models.KindUnauthorized], as it is not about the user's key.
func (p *StatusPage) Read(ctx context.Context) (status.Page, error) {
	var page status.Page
	k := call{doing: "read the status page", method: http.MethodGet}
	failure := p.client.do(ctx, k, func(doc []byte) (err error) {
		page, err = status.Parse(doc)
		return err
	})
	if failure == nil {
		return page, nil
	}
	if failure.Kind == models.KindUnauthorized {
		failure.Kind = models.KindForbidden
	}
	return status.Page{}, failure
}
