package apikeys

import (
	"context"
	"maps"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// request reads a list off the UI's goroutine, and records the uses that it shows. Its fields are as of the request.
type request struct {
	list      models.ListID
	service   Service
	performer *keys.Performer
	sent      map[string]bool // the ids of this process's requests for changes
	uses      keys.Uses       // see [listing]; so are changes and began
	changes   int
	began     time.Time
	asked     time.Time // by the clock that never goes back
	clock     func() time.Time
	skew      time.Duration // how far the service's clock is ahead of that

	watcher *keys.Watcher
	place   keys.ListPlace
	options keys.AuditOptions
}

// newRequest returns the request for a list, as things are now.
func (p *Page) newRequest(list *keyList, now time.Time) *request {
	options := p.auditOptions()
	options.Revocations = maps.Clone(options.Revocations)
	return &request{
		list: list.id, service: p.service, performer: p.performer(), sent: p.keys.SentIDs(),
		uses: list.uses, changes: p.rotations.changes,
		asked: p.options.Steady(), began: now, clock: p.session.Now, skew: p.session.Skew,
		watcher: p.options.Watcher, options: options,
		place: keys.PlaceOf(p.options.Host, p.account.Identity().ID, list.id),
	}
}

// read is a [poll.Call]. It returns a [listing].
func (r *request) read(ctx context.Context) (any, error) {
	list, err := r.service.APIKeys(ctx, r.list)
	if err != nil {
		return nil, err
	}
	used := r.uses.Raise(list) // without answers that came since the request
	answer := keys.NewListed(r.list, list, r.asked)
	r.performer.Take(&answer, r.sent) // if it cannot read the journal, the next change reports that
	l := newListing(answer, r.clock().Add(r.skew))
	l.began, l.uses, l.changes = r.began, used, r.changes
	r.watch(&l)
	return l, nil
}

// watch records the uses that a list shows, and finds the events.
func (r *request) watch(l *listing) {
	options := r.options
	options.Open = keys.OpenKeys(l.answer.Open)
	audit := keys.NewAudit([]*keys.Together{l.found}, options)
	l.usages, l.events, l.unkept = r.watcher.Take(keys.Sight{Place: r.place, List: &l.answer, Audit: audit})
	l.found.Usages = l.usages
}
