package account

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// Load makes all requests that are due, and those that follow from their answers. A failed one is not repeated. Once all
// lists are there, it waits only for [patience]. The error is that of a refused key or of ctx, or why a list was not
// asked for.
func (a *Account) Load(ctx context.Context, s Service, loop *poll.Loop) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the requests whose answers are not waited for
	a.Attach(loop.Poller, s)
	for _, source := range a.sources() {
		loop.Retry(source.Subject)
	}
	last := map[poll.Subject]error{} // of each subject's last answer
	var listed, ended time.Time
	err := loop.Run(ctx, func(got poll.Answer, now time.Time) error {
		last[got.Subject] = got.Err
		return refused(got, now)
	}, func(now time.Time) bool {
		ended = now
		return a.waited(&listed, now) || !a.awaits(loop, last, now)
	})
	if err == nil && !a.Settled() && !a.listed() {
		return loop.Held(ended)
	}
	return err
}

// awaits reports whether a request is in flight, or is to be made at now. One that failed with its last error is not repeated,
// unless it was canceled.
func (a *Account) awaits(loop *poll.Loop, last map[poll.Subject]error, now time.Time) bool {
	paused := loop.Paused().After(now)
	for _, source := range a.sources() {
		s := source.Subject
		canceled := models.KindOf(last[s]) == models.KindCanceled
		open := loop.Due(s) && last[s] == nil || canceled
		if open && !paused || loop.Freshness(s).Busy {
			return true
		}
	}
	return false
}

// waited reports whether all lists have been there for [patience] at now. It keeps in listed since when they are.
func (a *Account) waited(listed *time.Time, now time.Time) bool {
	if listed.IsZero() && a.listed() {
		*listed = now
	}
	return !listed.IsZero() && now.Sub(*listed) >= patience
}

// Identify makes the first requests: those about the key, and for the first page of its list. The error is why the key
// cannot be used, or why that is unknown, such as for a project key whose project is unknown.
func (a *Account) Identify(ctx context.Context, s Service, loop *poll.Loop) error {
	if err := a.askOnce(ctx, s, loop); err != nil {
		return err
	}
	if a.Kind() == models.ProjectKey {
		if err := a.askOnce(ctx, s, loop); err != nil {
			return err
		}
		return a.Err()
	}
	if a.key.auth.known() || a.key.personal || a.key.ofOrg {
		return nil
	}
	for _, l := range a.current() {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// recognition is how long [Account.Recognize] waits for answers: its callers can do without them.
const recognition = 5 * time.Second

// Recognize asks for the kind of the key and the organizations that it reaches, and reads no list of projects. The error
// is that of a refused key, or of ctx. Without an answer, the kind stays unknown.
func (a *Account) Recognize(ctx context.Context, s Service, loop *poll.Loop) error {
	within, cancel := context.WithTimeout(ctx, recognition)
	defer cancel()
	err := a.askOnce(within, s, loop, Auth, Organizations)
	if within.Err() != nil {
		return ctx.Err()
	}
	return err
}

// patience is how long to wait for answers about the key once its lists are there.
const patience = time.Second

// askOnce asks once for each subject that was not asked for yet, of some kinds or of all, and for nothing that follows
// from the answers. Once the lists are there, it waits only for [patience].
func (a *Account) askOnce(ctx context.Context, s Service, loop *poll.Loop, kinds ...string) error {
	a.poll = loop.Poller
	subjects := []poll.Subject{} // never nil: nothing else is asked for
	for _, source := range a.sources() {
		tried := !loop.Freshness(source.Subject).Tried.IsZero()
		if !tried && (len(kinds) == 0 || slices.Contains(kinds, source.Kind)) {
			subjects = append(subjects, source.Subject)
		}
	}
	a.only = subjects
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.Attach(loop.Poller, s)
	var listed time.Time
	err := loop.Run(ctx, refused, func(now time.Time) bool { return a.waited(&listed, now) || len(a.only) == 0 })
	a.only = nil
	return err
}

// refused returns the error of an answer if it refuses the key.
func refused(got poll.Answer, _ time.Time) error {
	if models.KindOf(got.Err) == models.KindUnauthorized {
		return got.Err
	}
	return nil
}

// listed reports whether all lists that are known to exist have been answered to their end, and one of them was read.
func (a *Account) listed() bool {
	return !a.Read().IsZero() && !slices.ContainsFunc(a.current(), (*list).open)
}
