package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

const (
	forever   = time.Duration(math.MaxInt64)
	few       = 2 // up to so many operations are looked for one by one
	mostAlone = 5 // how many of them are requested at once
)

// Wait returns the command that waits for operations.
func Wait(o *Options, rules WaitOptions) (Run, error) {
	if err := cmp.Or(rules.check(len(o.Projects) > 0), o.check()); err != nil {
		return nil, err
	}
	return func(ctx context.Context, from *Source) error { return newWaiter(from, rules).wait(ctx) }, nil
}

// waiter waits for operations, and writes how each of them ended. It reads with the loop of a lister, and its ends are
// conditions over what that has read.
type waiter struct {
	*lister

	rules    WaitOptions
	out      *output[line]
	projects []string   // that may have the operations
	wanted   []*awaited // that have not ended
	lacking  []want     // what has not come yet
	ended    map[string]bool
	failed   bool // an operation ended in another way than finished or skipped, or never came

	start  time.Time // when the wait began
	known  time.Time // as of when everything is known
	came   time.Time // when the last of what was lacking came
	open   bool      // operations that come are waited for, too
	looked bool      // what there was when the wait began is known
	busy   time.Time // until when something is known to have been unfinished, by the service's clock
	alone  error     // why an operation cannot be read on its own, or nil
	err    error     // why the wait ends
}

// awaited is an operation to wait for.
type awaited struct {
	line

	asOf    time.Time         // when it was read, or zero
	refused map[string]denial // by project, why it was not read there
}

// denial is an answer without an operation.
type denial struct {
	asOf time.Time
	err  error
}

func newWaiter(from *Source, rules WaitOptions) *waiter {
	byID := len(rules.IDs) > 0
	return &waiter{
		lister: newLister(from, Listing{Follow: byID}), // what has an id is waited for from the beginning, also without an answer
		rules:  rules, lacking: rules.wants(), open: !byID, ended: map[string]bool{},
		out: newOutput(from.options, from.process.Stdout, operationLayout("result", from.times)),
	}
}

// wait waits. The error decides about the exit code.
func (w *waiter) wait(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, cmp.Or(w.rules.Timeout, forever))
	defer cancel()
	err := w.begin(within)
	for _, step := range []func(time.Time) bool{w.look, w.step} {
		if err == nil {
			err = w.run(within, w.receive, step)
			err = cmp.Or(err, w.err)
		}
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
	w.listed = w.from.process.Clock()
	projects, err := w.from.listProjects(ctx, maxTries)
	if err != nil {
		return err
	}
	if w.from.unlisted != nil { // the wait goes on for the other lists
		w.from.say("%v", w.from.unlisted)
		w.from.partial, w.from.unlisted = w.from.unlisted.Error(), nil
	}
	w.start = w.from.process.Clock()
	w.answered = w.start
	w.setProjects(projects)
	slices.SortFunc(projects, func(a, b models.Project) int {
		return cmp.Or(b.ChangedAt().Compare(a.ChangedAt()), cmp.Compare(a.ID, b.ID))
	})
	for i := range projects {
		if !models.NoID(projects[i].ID) {
			w.projects = append(w.projects, projects[i].ID)
		}
	}
	w.projects = slices.Compact(w.projects)
	return nil
}

// want adds an operation to wait for.
func (w *waiter) want(project string, op *models.Operation) *awaited {
	l := &awaited{line: w.from.line("", project, op), refused: map[string]denial{}}
	w.wanted = append(w.wanted, l)
	return l
}

// look has the lister load what there is, and reports whether that is known, as far as it can be read. Operations with ids
// are enough.
func (w *waiter) look(now time.Time) bool {
	if w.floor.IsZero() && !w.from.present(now).IsZero() {
		w.floor = w.byService(w.start).Add(-w.back())
	}
	w.err = w.blocked(now)
	if w.err != nil || !w.searched(now) {
		return w.err != nil
	}
	if w.open {
		w.err = w.missing(now)
	}
	w.looked, w.open = true, w.open && len(w.lacking) > 0 || w.rules.Idle > 0
	w.poller.SetPaused(false)
	w.poller.SetRange(feed.Range{Since: w.byService(w.start), Most: feed.MostLoaded, Asked: true})
	return true
}

// searched reports whether what there is was looked for. A few ids are not looked for by pages of many projects, which would
// be as many requests again.
func (w *waiter) searched(now time.Time) bool {
	unread := func(l *awaited) bool { return l.asOf.IsZero() }
	switch {
	case w.open, len(w.wanted) > few, len(w.projects) <= few:
		return !w.open && !slices.ContainsFunc(w.wanted, unread) || w.loadOn(now)
	}
	w.poller.SetPaused(true)
	w.tellTrouble(now)
	w.ask()
	return !slices.ContainsFunc(w.wanted, func(l *awaited) bool { return unread(l) && len(l.refused) < len(w.where(l)) })
}

// back returns how long before the wait began to look by pages: not at all for a few ids, which are read one by one where the
// newest pages do not have them.
func (w *waiter) back() time.Duration {
	if !w.open && len(w.wanted) <= few {
		return 0
	}
	return max(waitBack, w.rules.AppearWithin)
}

// blocked returns why nothing can be read until the user changes something, or nil. A name that does not exist any more may
// exist again, as on a laptop that wakes up.
func (w *waiter) blocked(now time.Time) error {
	span := w.poller.Span(now)
	if span.LastResponse.IsZero() && models.BlockOf(span.Err) == models.NameBlock {
		return models.Doing(span.Err, "list operations")
	}
	return w.lister.blocked(now)
}

// byService returns a time of this computer's clock by the service's.
func (w *waiter) byService(at time.Time) time.Time {
	return w.from.now().Add(at.Sub(w.from.process.Clock()))
}

// deadline returns until when what is not there yet may come.
func (w *waiter) deadline() time.Time { return w.start.Add(w.rules.AppearWithin) }

// receive takes an answer in.
func (w *waiter) receive(a feed.Answer, now time.Time) {
	w.poller.Receive(a, now)
	switch {
	case a.Err != nil && a.ID != "":
		w.miss(a)
	case a.ID != "":
		w.alone = nil
		w.see(a.Project, &a.Operation, a.AsOf)
	case a.Err == nil:
		for i := range a.Page.Items {
			w.see(a.Project, &a.Page.Items[i], a.AsOf)
		}
	}
}

// see takes the state of an operation in. It may be one to wait for.
func (w *waiter) see(project string, op *models.Operation, asOf time.Time) {
	unfinished := w.rules.unfinished(op, w.byService(asOf))
	w.wasBusy(op, unfinished, asOf)
	l := w.find(op.ID)
	switch {
	case l == nil && w.isNew(op, unfinished):
		l = w.want(project, op)
		w.lacking = slices.DeleteFunc(w.lacking, func(one want) bool { return one.met(op) })
		w.came = asOf
	case l == nil, asOf.Before(l.asOf) && !op.UpdatedAt.After(l.UpdatedAt): // that answer came late
		return
	}
	l.line, l.asOf = w.from.line("", project, op), asOf
	if at := slices.Index(w.projects, project); at > 0 { // the other operations are probably of the same project
		w.projects[0], w.projects[at] = w.projects[at], w.projects[0]
	}
}

func (w *waiter) find(id string) *awaited {
	if i := slices.IndexFunc(w.wanted, func(l *awaited) bool { return l.ID == id }); i >= 0 {
		return w.wanted[i]
	}
	return nil
}

// isNew reports whether an operation that was not waited for is one to wait for from now on.
func (w *waiter) isNew(op *models.Operation, unfinished bool) bool {
	if !w.open || !w.rules.match(op) || w.ended[op.ID] && !unfinished {
		return false
	}
	// Without these options, what has ended already is of no interest.
	recent := w.byService(w.start).Add(-w.rules.AppearWithin - blur)
	return unfinished || w.rules.Idle+w.rules.AppearWithin > 0 && !op.CreatedAt.Before(recent)
}

// wasBusy notes until when an operation is known to have been unfinished.
func (w *waiter) wasBusy(op *models.Operation, unfinished bool, asOf time.Time) {
	at := changedAt(op).Add(blur / 2)
	if unfinished {
		at = w.byService(asOf)
	}
	if at.After(w.busy) {
		w.busy = at
	}
}

// miss takes in why an operation could not be read on its own.
func (w *waiter) miss(a feed.Answer) {
	l := w.find(a.ID)
	switch {
	case l == nil, !models.Answered(a.Err), models.KindOf(a.Err) == models.KindRateLimited: // see [lister.outage]
	case models.Passing(a.Err):
		w.alone = a.Err
	default:
		l.refused[a.Project] = denial{a.AsOf, a.Err}
	}
}

// step decides what has ended, and whether all has.
func (w *waiter) step(now time.Time) bool {
	w.advance(now)
	w.tellTrouble(now)
	w.err = cmp.Or(w.blocked(now), w.barred(now), w.judge())
	switch {
	case w.err != nil:
		return true
	case w.done():
		if w.outage(now) == "" { // it is over, however long
			w.unreadable = w.poller.Span(now).Without
			w.tellProjects()
		}
		return true
	}
	w.narrow()
	w.ask()
	w.showProgress()
	return false
}

// advance notes as of when everything is known: nothing is missing since the time before.
func (w *waiter) advance(now time.Time) {
	span := w.poller.Span(now)
	if span.Unread > 0 || len(span.Without) > 0 || span.Since.After(w.floor) {
		return
	}
	w.known = now
	if span.Projects > 0 {
		w.known = span.AsOf
	}
	w.floor = w.byService(w.known).Add(-blur)
	if w.rules.Idle == 0 && len(w.lacking) == 0 && !w.known.Before(w.came) {
		w.open = false
	}
}

// tellTrouble tells when trouble begins and when it ends.
func (w *waiter) tellTrouble(now time.Time) {
	if w.alone != nil {
		w.from.report(fmt.Sprintf("%v; retrying", w.alone))
		return
	}
	w.reportTrouble(now)
}

// barred returns why a project cannot be read in which operations may come, unless it is tried again.
func (w *waiter) barred(now time.Time) error {
	if !w.open {
		return nil
	}
	for _, project := range w.poller.Span(now).Without {
		if err := w.refusal(project); err != nil {
			return fmt.Errorf("incomplete: cannot read %s: %w", w.named(project), err)
		}
	}
	return nil
}

// refusal returns why a project cannot be read, unless that passes.
func (w *waiter) refusal(project string) error {
	_, err := w.poller.Err(project)
	if models.Passing(err) || models.BlockOf(err) == models.NameBlock {
		return nil
	}
	return err
}

// judge writes the operations that have ended, and what has not come in time. With --fail-fast, the first failure is
// an error.
func (w *waiter) judge() error {
	for _, l := range slices.Clone(w.wanted) {
		if err := w.isGone(l); err != nil {
			return err
		}
		if l.asOf.IsZero() && !l.Gone || w.rules.unfinished(l.Operation, w.byService(l.asOf)) {
			continue
		}
		if err := w.finish(l); err != nil {
			return err
		}
		if w.failed && w.rules.FailFast {
			return exit.ErrSaid
		}
	}
	if len(w.lacking) > 0 && !w.known.Before(w.deadline()) {
		w.sayLacking()
		w.failed, w.lacking = true, nil
		if w.rules.FailFast {
			return exit.ErrSaid
		}
	}
	return nil
}

// isGone marks an operation as gone if no project has it, or returns why that cannot be told. What was not read yet may
// still come.
func (w *waiter) isGone(l *awaited) error {
	found, early := !l.asOf.IsZero(), false
	var failed error
	for _, project := range w.where(l) {
		refusal, answer := w.refusal(project), l.refused[project]
		err := cmp.Or(refusal, answer.err)
		unnamed := found || refusal == nil || !slices.Contains(w.from.options.Projects, project)
		switch {
		case err == nil, refusal == nil && answer.asOf.Before(l.asOf):
			return nil
		case models.KindOf(err) != models.KindNotFound, !unnamed:
			failed = err
		default:
			early = early || !found && refusal == nil && answer.asOf.Before(w.deadline())
		}
	}
	if failed != nil || early {
		return failed
	}
	gone := *l.Operation
	gone.Gone = true
	l.Operation = &gone
	if found {
		return nil
	}
	if len(w.from.options.Projects) == 0 && w.from.partial != "" {
		return fmt.Errorf("%s is not an operation of the known projects, and there may be more: %s", l.ID, w.from.partial)
	}
	w.from.say("%s is not an operation of %s", l.ID, cmp.Or(l.project, strings.Join(w.from.options.Projects, ", "), "any project"))
	return nil
}

// where returns the projects that may have an operation.
func (w *waiter) where(l *awaited) []string {
	if l.project != "" {
		return []string{l.project}
	}
	return w.projects
}

// narrow has only the projects of the operations read, once these are known.
func (w *waiter) narrow() {
	projects := map[string]bool{}
	for _, l := range w.wanted {
		projects[l.project] = true
	}
	if w.open || projects[""] || len(projects) == len(w.projects) {
		return
	}
	w.poller.Keep(projects)
	w.projects = slices.Sorted(maps.Keys(projects))
	w.unread = slices.DeleteFunc(slices.Clone(w.unread), func(id string) bool { return !projects[id] })
}

// ask has the operations read that no page tells of.
func (w *waiter) ask() {
	looked := map[string]bool{}
	room := mostAlone
	for _, l := range w.wanted {
		for _, project := range w.where(l) {
			if room > 0 && w.lacks(l, project) {
				w.poller.Look(feed.Key{Project: project, ID: l.ID})
				looked[project] = true
				room--
			}
		}
	}
	w.poller.Watch(nil, looked)
}

// lacks reports whether an operation is to be read on its own in a project: where it was not looked for, and once more after
// it should have come. One that was read before is, if neither the newest page tells of it nor the poller reads it again.
func (w *waiter) lacks(l *awaited, project string) bool {
	if l.asOf.IsZero() {
		asked := l.refused[project].asOf
		return asked.IsZero() || asked.Before(w.deadline()) && !w.from.process.Clock().Before(w.deadline())
	}
	operations := w.poller.Feed(project)
	row, found := operations.Find(l.ID)
	return l.asOf.Before(operations.AsOf()) && (!found || operations.At(row).Done())
}

// done reports whether there is nothing left to wait for.
func (w *waiter) done() bool {
	if len(w.wanted)+len(w.lacking) > 0 {
		return false
	}
	if w.rules.Idle > 0 {
		return w.byService(w.known).Sub(w.busy) >= w.rules.Idle
	}
	return !w.open
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
	ended := len(w.ended)
	w.from.progress(fmt.Sprintf("%d of %d ended · %s %s", ended, ended+len(w.wanted), first.ID, status))
}

// finish writes how an operation ended.
func (w *waiter) finish(l *awaited) error {
	result := string(l.Status)
	if l.Gone {
		result = "gone"
	}
	good := result == string(models.StatusFinished) || result == string(models.StatusSkipped)
	w.failed = w.failed || !good
	w.ended[l.ID] = true
	w.wanted = slices.DeleteFunc(w.wanted, func(one *awaited) bool { return one == l })
	return w.write(l.line, result)
}

// write writes a line. The wait goes on if the reader of the output is gone.
func (w *waiter) write(l line, result string) error {
	w.from.hide()
	l.event = result
	w.out.write(l)
	if err := w.out.Flush(); !ReaderGone(err) {
		return err
	}
	return nil
}

// sayLacking prints what has not come.
func (w *waiter) sayLacking() {
	after := ""
	if w.rules.AppearWithin > 0 {
		after = " within " + style.Every(w.rules.AppearWithin)
	}
	if w.lacking[0].flag == "" {
		w.from.say("no unfinished operation began in the last 24 hours, and none came%s", after)
		return
	}
	w.from.say("no operation came%s with %s", after, lackingText(w.lacking))
}

// late writes what has not ended in time, and returns the error for the exit code.
func (w *waiter) late() error {
	timeout := style.Every(w.rules.Timeout)
	for _, l := range w.wanted {
		l.now = w.from.line("", l.project, l.Operation).now // it was running until now
		if err := w.write(l.line, "timeout"); err != nil {
			return err
		}
	}
	switch {
	case len(w.wanted) > 0:
		w.from.say("not ended after %s: %d of %d operations", timeout, len(w.wanted), len(w.wanted)+len(w.ended))
	case !w.looked:
		w.from.say("could not list the unfinished operations within %s", timeout)
	case len(w.lacking) > 0:
		w.sayLacking()
	default:
		w.from.say("not idle for %s within %s", style.Every(w.rules.Idle), timeout)
	}
	return exit.ErrTimeout
}
