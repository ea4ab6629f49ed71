package poll

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
)

// Loop drives a poller for programs without a screen. Its methods are not safe for concurrent use.
type Loop struct {
	*Poller

	// Hear gets each answer when it comes, before anything else; may be nil.
	Hear func(Answer)

	clock   func() time.Time
	answers chan Answer // also to requests that a run did not wait for
}

// mostFlights is more than a poller has in flight.
const mostFlights = 1000

// NewLoop returns a loop that drives a poller by a clock.
func NewLoop(p *Poller, clock func() time.Time) *Loop {
	return &Loop{Poller: p, clock: clock, answers: make(chan Answer, mostFlights)}
}

// checkInterval is how often a loop asks whether enough was read, if no answer comes.
const checkInterval = time.Second

// Run makes the requests that are due and gives their answers to the poller, until enough reports that enough was read.
// Then tell gets each answer. The error is that of tell, or of ctx. An answer that comes when enough was read is left to
// the next run.
func (l *Loop) Run(ctx context.Context, tell func(a Answer, now time.Time) error, enough func(now time.Time) bool) error {
	for {
		now := l.clock()
		if enough(now) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		requests, wait := l.Next(now)
		for _, r := range requests {
			go func() { l.answers <- r.Do(ctx) }()
		}
		select {
		case a := <-l.answers:
			now = l.clock()
			if l.Hear != nil {
				l.Hear(a)
			}
			if enough(now) {
				l.answers <- a
				return nil
			}
			if err := tell(l.Receive(a, now), now); err != nil {
				return err
			}
		case <-time.After(min(wait, checkInterval)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Ask asks for some subjects, each once, with one function. It returns their values and their errors, in the same order.
// If ctx is canceled, its error is that of all subjects without an answer.
func Ask[T any](
	ctx context.Context, l *Loop, subjects []Subject, get func(context.Context, Subject) (T, error),
) (values []T, errs []error) {
	o := &once{
		poller: l.Poller, subjects: subjects, answers: map[Subject]Answer{},
		get: func(ctx context.Context, s Subject) (any, error) { return get(ctx, s) },
	}
	defer l.Forget(o, "")
	o.put()
	failed := l.Run(ctx, ignore, o.done)
	values, errs = make([]T, len(subjects)), make([]error, len(subjects))
	for i, s := range subjects {
		a, answered := o.answers[s]
		errs[i] = a.Err
		if !answered {
			errs[i] = failed
		}
		values[i], _ = a.Value.(T)
	}
	return values, errs
}

func ignore(Answer, time.Time) error { return nil }

// once is a reader of subjects that are asked for once.
type once struct {
	poller   *Poller
	subjects []Subject
	get      func(context.Context, Subject) (any, error)
	answers  map[Subject]Answer
}

// open reports whether a subject was not answered yet.
func (o *once) open(s Subject) bool {
	_, answered := o.answers[s]
	return !answered
}

// done reports whether all subjects were answered.
func (o *once) done(time.Time) bool { return !slices.ContainsFunc(o.subjects, o.open) }

// put puts the sources that were not answered and are not in flight.
func (o *once) put() {
	var sources []Source
	for _, s := range o.subjects {
		if o.open(s) && !o.poller.Freshness(s).Busy {
			sources = append(sources, Source{Subject: s, Lane: User, Rank: First})
		}
	}
	o.poller.Put(o, "", sources...)
}

// Call implements [Reader].
func (o *once) Call(s Subject, _ time.Time) (Call, time.Time) {
	return func(ctx context.Context) (any, error) { return o.get(ctx, s) }, time.Time{}
}

// Receive implements [Reader]. A canceled request has no answer: it is made again.
func (o *once) Receive(a Answer, _ time.Time) {
	if models.KindOf(a.Err) == models.KindCanceled {
		o.put()
		return
	}
	o.answers[a.Subject] = a
}
