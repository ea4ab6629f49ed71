package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"pgtower/client"
	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/ui/style"
)

const forever = time.Duration(math.MaxInt64)

// Wait returns the command that waits for operations.
func Wait(o *Options, rules WaitOptions) (Run, error) {
	if err := cmp.Or(rules.check(len(o.Projects) > 0), o.check()); err != nil {
		return nil, err
	}
	return func(ctx context.Context, from *Source) error { return newWaiter(from, rules).run(ctx) }, nil
}

// waiter waits for operations, and writes how each of them ended. Its times are by the service's clock.
type waiter struct {
	from  *Source
	rules WaitOptions

	out      *output[line]
	projects []string        // that may have the operations, in the order of the search
	wanted   []*line         // the last state of each; without project and status until it was found
	lacking  []want          // what has not come yet
	past     map[string]bool // ids of operations whose end was written
	ended    int             // how many operations have ended
	failed   bool            // an operation ended in another way than finished or skipped, or never came

	began     time.Time       // when the wait began
	rounds    int             // that have read all projects
	asOf      time.Time       // when this round began
	reached   bool            // the service has answered
	searching bool            // this round reads all projects, for operations that are not known yet
	searched  time.Time       // when the last such round without an error began
	fresh     map[string]bool // ids of operations that need no request of their own in this round
	busy      time.Time       // until when something is known to have been unfinished
	large     int             // the length of all pages of a walk but the first
}

func newWaiter(from *Source, rules WaitOptions) *waiter {
	return &waiter{
		from: from, rules: rules, past: map[string]bool{}, lacking: rules.wants(),
		large: longestPage,
		out:   newOutput(from.options, from.process.Stdout, operationLayout("result", from.times)),
	}
}

// run waits. The error decides about the exit code.
func (w *waiter) run(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, cmp.Or(w.rules.Timeout, forever))
	defer cancel()
	err := w.begin(within)
	for err == nil {
		var trouble error
		trouble, err = w.round(within)
		if err != nil || w.done(trouble) {
			break
		}
		w.showProgress()
		err = client.Sleep(within, max(w.pause(), models.RetryAfterOf(trouble)))
	}
	switch {
	case errors.Is(err, errNothing):
		w.from.say("%v", err)
		return nil
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		return w.late()
	case err == nil && w.failed:
		return exit.ErrSaid
	}
	return err
}

// begin reads what to wait for, and the projects.
func (w *waiter) begin(ctx context.Context) error {
	for _, id := range slices.Compact(slices.Sorted(slices.Values(w.rules.IDs))) {
		if id == standardInput {
			if err := w.readInput(ctx); err != nil {
				return err
			}
			break
		}
		w.want("", &models.Operation{ID: id})
	}
	projects, err := w.from.listProjects(ctx, maxTries)
	if err != nil {
		return err
	}
	if w.from.unlisted != nil {
		w.from.say("%v", w.from.unlisted)
	}
	for i := range projects {
		if project := &projects[i]; !models.NoID(project.ID) {
			w.from.name(project)
		}
	}
	w.projects = slices.Sorted(maps.Keys(w.from.names))
	w.began = w.from.now()
	return nil
}

// want adds an operation to wait for.
func (w *waiter) want(project string, op *models.Operation) {
	l := w.from.line("", project, op)
	w.wanted = append(w.wanted, &l)
}

// round reads what is new and each operation, and writes those that have ended. trouble is why something could not be
// read; the next round may succeed.
func (w *waiter) round(ctx context.Context) (trouble, err error) {
	w.asOf, w.fresh = w.from.now(), map[string]bool{}
	w.searching = w.rules.Idle > 0 || len(w.lacking) > 0
	for _, one := range w.walks() {
		if !w.searching && w.readAll("") {
			break
		}
		switch err := w.walk(ctx, one); {
		case err == nil:
			w.reached = true
		case ctx.Err() != nil, models.KindOf(err) == models.KindUnauthorized:
			return nil, err
		case w.searching && (!w.passing(err) || w.rounds == 0):
			return nil, fmt.Errorf("incomplete: cannot read %s: %w", cmp.Or(w.from.names[one.project], one.project), err)
		case w.passing(err):
			trouble = err
			w.skip(one.project)
			w.from.report(fmt.Sprintf("%v; retrying", err))
		}
	}
	w.rounds++
	if w.searching && trouble == nil {
		w.searched = w.asOf
	}
	for _, l := range slices.Clone(w.wanted) {
		if w.fresh[l.ID] {
			continue
		}
		w.showProgress()
		switch err := w.read(ctx, l); {
		case err != nil && !w.passing(err):
			return nil, err
		case err != nil:
			trouble = err
		}
	}
	if trouble == nil {
		w.from.report("")
	}
	return trouble, w.judge(trouble)
}

// passing reports whether the next round may succeed: a name that does not exist any more may exist again, as on a laptop
// that wakes up.
func (w *waiter) passing(err error) bool {
	return models.Passing(err) || w.reached && models.BlockOf(err) == models.NameBlock
}

// judge writes the operations that have ended, and what has not come in time. With --fail-fast, the first failure is
// an error.
func (w *waiter) judge(trouble error) error {
	for _, l := range slices.Clone(w.wanted) {
		w.wasBusy(l.Operation)
		if w.unfinished(l.Operation) {
			continue
		}
		if err := w.finish(l); err != nil {
			return err
		}
		if w.failed && w.rules.FailFast {
			return exit.ErrSaid
		}
	}
	if trouble == nil && len(w.lacking) > 0 && !w.asOf.Before(w.deadline()) {
		w.sayLacking()
		w.failed, w.lacking = true, nil
		if w.rules.FailFast {
			return exit.ErrSaid
		}
	}
	return nil
}

// done reports whether there is nothing left to wait for.
func (w *waiter) done(trouble error) bool {
	if len(w.wanted) > 0 || len(w.lacking) > 0 {
		return false
	}
	return w.rules.Idle == 0 || trouble == nil && w.asOf.Sub(w.busy) >= w.rules.Idle
}

// pause returns how long to wait until the next round: for the interval, or until a deadline that comes before.
func (w *waiter) pause() time.Duration {
	d := w.from.options.Interval
	until := func(at time.Time) {
		if left := at.Sub(w.asOf); left > 0 && left < d {
			d = left
		}
	}
	if len(w.lacking) > 0 {
		until(w.deadline())
	}
	for _, l := range w.wanted {
		until(w.lastRetry(l.Operation))
	}
	if w.rules.Idle > 0 && len(w.wanted) == 0 {
		until(w.busy.Add(w.rules.Idle))
	}
	return d
}

func (w *waiter) showProgress() {
	if len(w.wanted) == 0 {
		w.from.progress("waiting for " + cmp.Or(lackingText(w.lacking), "the end of all operations"))
		return
	}
	first, status := w.wanted[0], "not read yet"
	if first.Status != "" {
		status = first.action() + " " + first.status() + " " + first.took()
	}
	w.from.progress(fmt.Sprintf("%d of %d ended · %s %s", w.ended, w.ended+len(w.wanted), first.ID, status))
}

// finish writes how an operation ended.
func (w *waiter) finish(l *line) error {
	result := string(l.Status)
	if l.Gone {
		result = "gone"
	}
	good := result == string(models.StatusFinished) || result == string(models.StatusSkipped)
	w.failed = w.failed || !good
	w.ended++
	w.past[l.ID] = true
	w.wanted = slices.DeleteFunc(w.wanted, func(one *line) bool { return one == l })
	return w.write(l, result)
}

// write writes a line. The wait goes on if the reader of the output is gone.
func (w *waiter) write(l *line, result string) error {
	w.from.hide()
	l.event = result
	w.out.write(*l)
	if err := w.out.Flush(); !ReaderGone(err) {
		return err
	}
	return nil
}

// late writes what has not ended in time, and returns the error for the exit code.
func (w *waiter) late() error {
	timeout := style.Every(w.rules.Timeout)
	for _, l := range w.wanted {
		l.now = w.from.line("", l.project, l.Operation).now // it was running until now
		if err := w.write(l, "timeout"); err != nil {
			return err
		}
	}
	switch {
	case len(w.wanted) > 0:
		w.from.say("not ended after %s: %d of %d operations", timeout, len(w.wanted), len(w.wanted)+w.ended)
	case w.rounds == 0:
		w.from.say("could not list the unfinished operations within %s", timeout)
	case len(w.lacking) > 0:
		w.sayLacking()
	default:
		w.from.say("not idle for %s within %s", style.Every(w.rules.Idle), timeout)
	}
	return exit.ErrTimeout
}
