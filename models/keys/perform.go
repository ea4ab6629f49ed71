package keys

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"pgtower/models"
)

// Performer performs the steps of flows, and decides nothing.
type Performer struct {
	Service Service
	Journal Journal // nil: there is none
	Store   Store
	Clock   func() time.Time     // this computer's, which never goes back
	Now     func() models.Moment // bounds the present by the service's clock; nil: nothing does
	Held    error                // why nothing is to be sent now, or nil; see [poll.Poller.Change]
	// Check returns why a new key could not be kept as pgtower's own, or nil.
	Check    func(ctx context.Context) error
	Verify   func(ctx context.Context, secret models.Secret) error
	HandOver func(ctx context.Context, made *models.CreatedAPIKey) (maybe bool, err error)
}

// Begin returns the flow of a change. Nothing has happened yet.
func (p *Performer) Begin(c Change) Flow { return Begin(c, newRequestID()) }

// Perform performs the next task of a flow, and returns the flow as it is then.
func (p *Performer) Perform(ctx context.Context, f Flow) Flow {
	f.start(p.instant())
	for step, ok := f.next(); ok; step, ok = f.next() {
		f.told(step, p.do(ctx, &f, step), p.instant())
	}
	return f
}

func (p *Performer) instant() Instant {
	now := Instant{Clock: p.Clock()}
	if p.Now != nil {
		now.Moment = p.Now()
	}
	return now
}

func (p *Performer) do(ctx context.Context, f *Flow, s Step) (a Answer) {
	switch s.Act {
	case doCheck:
		if p.Check != nil {
			a.Err = p.Check(ctx)
		}
	case doWrite:
		if p.Journal != nil {
			a.Err = p.Journal.Write(s.Record)
		}
	case doSend:
		return p.send(ctx, f, s.Record.RequestID)
	case doRemember:
		memory, err := p.Store.Change(s.Remember)
		a.Memory, a.Err = &memory, err
	case doVerify:
		a.Err = p.Verify(ctx, f.Made.Key)
	case doHandOver:
		a.Maybe, a.Err = p.HandOver(ctx, &f.Made)
	}
	return a
}

// send sends the request with the id of its record.
func (p *Performer) send(ctx context.Context, f *Flow, id string) (a Answer) {
	if p.Held != nil {
		return Answer{Err: p.Held}
	}
	ctx = models.WithRequestID(ctx, id)
	if f.Revoke {
		_, a.Err = p.Service.RevokeAPIKey(ctx, f.Key)
		return a
	}
	a.Made, a.Err = p.Service.CreateAPIKey(ctx, f.Key.Name, f.Key.Reach())
	return a
}

// Decided writes what lists decided to the journal. It returns why some of it is not written, or nil.
func (p *Performer) Decided(records []Record) (failed error) {
	for _, r := range records {
		if p.Journal != nil {
			failed = cmp.Or(failed, p.Journal.Write(r))
		}
	}
	return failed
}

// Take adds to a list that was read what is remembered by now, and what the journal has: another program may have begun a
// rotation, or left a change open. sent has the ids of the requests of this process, which [Changes] decides. The errors
// are why something is missing: then the list proves less.
func (p *Performer) Take(list *Listed, sent map[string]bool) (unknown []error) {
	var err error
	list.Memory, err = p.Store.Load()
	if err != nil {
		unknown = append(unknown, err)
	}
	if list.Memory.Learn(list.Keys) {
		list.Memory, err = p.Store.Change(func(m *Memory) { m.Learn(list.Keys) })
		if err != nil {
			unknown = append(unknown, notRemembered(err))
		}
	}
	if p.Journal == nil {
		return unknown
	}
	open, err := p.Journal.Open()
	if err != nil {
		unknown = append(unknown, fmt.Errorf("cannot read the journal: %w", err))
	}
	list.Begun = map[string]bool{}
	for _, r := range open {
		if r.Change != Revoke {
			list.Begun[r.Name] = true
		}
	}
	list.Left = decideOpen(open, list, &list.Memory, sent)
	list.Open = slices.DeleteFunc(open, func(r Record) bool { return sent[r.RequestID] || list.Left.has(&r) })
	return unknown
}

func notRemembered(err error) error { return fmt.Errorf("the rotation is not remembered: %w", err) }

// has reports whether a list decided a change.
func (d *Decided) has(r *Record) bool {
	return slices.ContainsFunc(d.Records, func(decided Record) bool { return decided.RequestID == r.RequestID })
}

// newRequestID returns a random UUID.
func newRequestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
