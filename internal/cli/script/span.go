package script

import (
	"context"
	"errors"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/poll"
)

// hear notes that the service answered, if it did: then its clock is known, or never will be.
func (from *Source) hear(a poll.Answer) {
	from.answered = from.answered || a.Err == nil || models.Answered(a.Err)
}

// present converts a time of this computer's clock to the present by the service's clock, in the zone of the times that are
// shown. It is zero before the first answer. A connection without Skew has the service's clock.
func (from *Source) present(instant time.Time) moment.Now {
	now := from.times.In(from.now().Add(instant.Sub(from.process.Clock())))
	dated := from.Skew != nil && from.Skew().Known
	switch {
	case !from.answered && !dated:
		return moment.Now{}
	case from.Skew == nil, dated:
		return moment.ByService(now)
	}
	return moment.ByComputer(now)
}

// errNotYet returns the error of a flag with a time that is still to come.
func errNotYet(flag string, given moment.Time) error {
	return exit.Usagef("%s: %s is still to come", flag, given)
}

// locate waits for the first answer, which has the service's clock. By that clock, it evaluates the times that the user gave, as
// of when the command began. Without an answer, the error is that of the requests. The answer itself is handled by the next
// step: its operations are news for --follow.
func (l *lister) locate(ctx context.Context) error {
	if err := l.run(ctx, l.unheard); err != nil {
		return err
	}
	l.present = l.from.present(l.listed)
	switch {
	case !l.present.IsZero():
		return l.setSpan()
	case hungUp(l.from.process.Stdout):
		return errReaderGone
	}
	return l.silence(l.from.process.Clock())
}

// unheard reports whether to stop waiting for an answer. It shows why there is none yet.
func (l *lister) unheard(now time.Time) bool {
	if !l.from.present(l.listed).IsZero() {
		return true
	}
	if l.Follow {
		l.reportTrouble(now)
	} else if now.Sub(l.listed) > quick {
		l.showProgress(now)
	}
	return l.stopped(now) || hungUp(l.from.process.Stdout)
}

// silence returns why nothing was read.
func (l *lister) silence(now time.Time) error {
	l.from.hide()
	span := l.poller.Span(now)
	if span.Err != nil {
		return span.Err
	}
	return errors.New("the service limits the requests until " + l.from.times.Clock(span.Next))
}

// setSpan computes the span by the service's clock.
func (l *lister) setSpan() error {
	// The service's clock is known within half a second.
	l.began = l.present.Time().Add(-time.Second / 2)
	l.setDefaults(l.from.options.Filter != "", l.filterSince())
	if l.Since.IsZero() {
		return nil
	}
	since := l.Since.At(l.present)
	if since.After(l.present.Time()) {
		return errNotYet("--since", l.Since)
	}
	l.floor = since.Add(-l.Margin)
	return nil
}

// sayClock tells since when operations are listed, if the service's clock is not known.
func (l *lister) sayClock() {
	note := l.present.Note()
	if note != "" && !l.floor.IsZero() {
		l.from.say("since %s, %s", l.from.times.At(l.floor), note)
	}
}
