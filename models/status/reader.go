package status

import (
	"context"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// Kind is the kind of the subject, see [poll.Subject].
const Kind = "status page"

// again is the time between two requests.
const again = time.Minute

// Source is the status page of a service.
type Source struct {
	Name string // by which users know it, such as neonstatus.com
	Host string // that is asked
	Read func(ctx context.Context) (Page, error)
}

// Reader asks a status page while it is wanted, at most once a minute.
type Reader struct {
	source *Source // nil: nothing is asked
	poller *poll.Poller
	wanted bool
	page   Page
	asOf   time.Time // of the page; zero: it was not read
	err    error     // why it is unknown what the page says now
}

// NewReader returns a reader that asks nothing yet.
func NewReader(p *poll.Poller, source *Source) *Reader { return &Reader{poller: p, source: source} }

// Use continues with the page of another service. What is known stays if it is the same one.
func (r *Reader) Use(source *Source) {
	if r.source == nil || source == nil || r.source.Name != source.Name || r.source.Host != source.Host {
		r.page, r.asOf, r.err = Page{}, time.Time{}, nil
	}
	r.source = source
}

// Want sets whether there is a reason to ask.
func (r *Reader) Want(expected bool) {
	if expected != r.wanted {
		r.wanted = expected
		r.put()
	}
}

// put puts the source of the page, if it is wanted.
func (r *Reader) put() {
	if !r.wanted || r.source == nil {
		r.poller.Put(r, "")
		return
	}
	s := poll.Source{
		Subject: poll.Subject{Kind: Kind, ID: r.source.Host}, Host: r.source.Host, Lane: poll.FollowUp, Rank: poll.Rest,
	}
	if tried := r.poller.Freshness(s.Subject).Tried; !tried.IsZero() {
		s.From = tried.Add(again)
	}
	r.poller.Put(r, "", s)
}

// Call implements [poll.Reader].
func (r *Reader) Call(poll.Subject, time.Time) (poll.Call, time.Time) {
	if !r.wanted || r.source == nil {
		return nil, time.Time{}
	}
	read := r.source.Read
	return func(ctx context.Context) (any, error) { return read(ctx) }, time.Time{}
}

// Receive implements [poll.Reader].
func (r *Reader) Receive(a poll.Answer, _ time.Time) {
	page, ok := a.Value.(Page)
	switch {
	case models.KindOf(a.Err) == models.KindCanceled, a.Late, r.source == nil || a.ID != r.source.Host:
	case a.Err == nil && ok:
		r.page, r.asOf, r.err = page, a.AsOf, nil
	default:
		r.err = a.Err
	}
	if !a.Late {
		r.put()
	}
}

// Statement is what a page says, or why that is unknown.
type Statement struct {
	Claim

	Name string    // of the page, by which users know it
	AsOf time.Time // of the claim
	Err  error     // why it is unknown what the page says now, or nil
}

// Says returns what the page says of regions, or of the service as a whole; false as long as it was not read.
func (r *Reader) Says(regions ...string) (s Statement, ok bool) {
	if r.source == nil || r.asOf.IsZero() && r.err == nil {
		return Statement{}, false
	}
	return Statement{Name: r.source.Name, Claim: r.page.Of(regions...), AsOf: r.asOf, Err: r.err}, true
}

// Text says it: "neonstatus.com: aws-eu-central-1 partly down since 18:58 (Database Connectivity)". See [Claim.Text].
func (s Statement) Text(since func(time.Time) string, about string) string {
	if s.Err != nil {
		return s.Name + ": unknown"
	}
	return s.Name + ": " + s.Claim.Text(since, about)
}

// Known reports whether the page says that there is trouble, or that there is none.
func (s Statement) Known() bool { return s.Err == nil && s.Code != 0 }
