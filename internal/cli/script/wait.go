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

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/shell"
	"pgtower/ui/style"
)

const (
	forever   = time.Duration(math.MaxInt64)
	few       = 2 // up to so many operations are looked for one by one
	mostAlone = 5 // how many of them are requested at once
)

// Wait returns the command that waits for operations.
func Wait(o *Options, rules WaitOptions) (Run, error) {
	if err := cmp.Or(rules.check(len(o.Projects) > 0), o.check(), o.checkFields(operationFields("result"))); err != nil {
		return nil, err
	}
	return func(ctx context.Context, from *Source) error { return newWaiter(from, rules).wait(ctx) }, nil
}

// waiter waits for operations, and writes how each of them ended. It reads with the loop of a lister, and decides by what that
// has read. It uses no [feed.Follower], which forgets operations that ended: then older ones that run are read one by one.
type waiter struct {
	*lister

	rules    WaitOptions
	branches branches
	out      *output[line]
	projects []string   // that may have the operations
	wanted   []*awaited // that have not ended
	lacking  []want     // what has not come yet
	ended    map[string]bool
	failed   bool // an operation ended in another way than finished or skipped, or never came

	start  time.Time // when the wait began
	told   time.Time // when the user was last told what the wait is for
	looked bool      // the operations that existed then are known
	open   bool      // operations that come are waited for, too
	known  time.Time // as of when everything is known
	busy   time.Time // until when something is known to have been unfinished, by the service's clock
	err    error     // why the wait ends
}

// awaited is an operation to wait for.
type awaited struct {
	line

	asOf   time.Time            // when it was read, or zero
	absent map[string]time.Time // by project: when it last had no such operation, or refused to tell
	err    error                // why one refused
}

func (l *awaited) found() bool { return !l.asOf.IsZero() }

func newWaiter(from *Source, rules WaitOptions) *waiter {
	named := len(rules.IDs) > 0
	w := &waiter{
		lister: newLister(from, Listing{Follow: named}), // an operation with an id is waited for without an answer, too
		rules:  rules, branches: branches{}, open: !named, ended: map[string]bool{},
		out: newOutput(from.options, from.process.Stdout, operationLayout("result", from.times)),
	}
	w.receive = w.update
	return w
}

// wait waits. The error decides about the exit code.
func (w *waiter) wait(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, cmp.Or(w.rules.Timeout, forever))
	defer cancel()
	err := w.begin(within)
	for goes := err == nil; goes; {
		err = w.run(within, w.step)
		err = cmp.Or(err, w.err)
		if goes = err == nil && !w.failed; goes {
			goes, err = w.goOn(within)
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
	if w.rules.Linked != "" {
		w.from.say("%s", w.rules.linkText(w.from.options.Projects))
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(w.rules.IDs))) {
		if id == standardInput {
			if err := w.readInput(ctx); err != nil {
				return err
			}
			break
		}
		w.want("", &models.Operation{ID: id})
	}
	w.from.recallProjects()
	w.listed = w.from.process.Clock()
	projects, err := w.from.listProjects(ctx, maxTries)
	if err != nil {
		return err
	}
	if w.from.unlisted != nil { // the wait goes on for the other lists
		w.from.say("%v", w.from.unlisted)
		w.from.partial, w.from.unlisted = w.from.unlisted.Error(), nil
	}
	w.from.Account.Detach()
	w.setProjects(projects)
	w.projects = slices.Sorted(maps.Keys(w.from.names))
	w.start = w.from.process.Clock()
	w.told = w.start
	if err := w.findBranches(ctx); err != nil {
		return err
	}
	w.lacking = w.rules.wants()
	w.answered = w.from.process.Clock()
	return nil
}

// want adds an operation to wait for.
func (w *waiter) want(project string, op *models.Operation) {
	w.wanted = append(w.wanted, &awaited{line: w.from.line("", project, op), absent: map[string]time.Time{}})
}

// step decides what has ended, and whether all has.
func (w *waiter) step(now time.Time) bool {
	w.err = cmp.Or(w.err, w.blocked(now))
	if w.err == nil && !w.looked {
		w.looked = w.look(now)
	}
	if w.err != nil || !w.looked {
		return w.err != nil
	}
	if span := w.span(); span.Unread+len(span.Without) == 0 && !span.Since.After(w.floor) {
		w.known = cmp.Or(span.AsOf, now)
		w.floor = w.byService(w.known).Add(-blur) // nothing is missing before
	}
	w.open = w.rules.Idle > 0 || w.open && len(w.lacking) > 0
	w.reportTrouble(now)
	w.err = w.judge()
	switch {
	case w.err != nil:
		return true
	case w.done():
		if w.outage(now) == "" { // the trouble is over, however short that is ago
			w.unreadable = w.span().Without
			w.tellProjects()
		}
		return true
	}
	w.ask()
	w.showProgress()
	w.tellHolding(now)
	return false
}

// look looks for the operations that exist already: the recent ones, or those with the ids that are waited for. It reports
// whether it is done. A few ids are looked for one by one: pages of many projects would be as many requests again.
func (w *waiter) look(now time.Time) bool {
	isFew := !w.open && len(w.wanted) <= few
	if w.floor.IsZero() && !w.from.present(now).IsZero() {
		w.floor = w.byService(w.start)
		if !isFew {
			w.floor = w.floor.Add(-max(waitBack, w.rules.AppearWithin))
		}
	}
	lost := slices.ContainsFunc(w.wanted, func(l *awaited) bool { return !l.found() && len(l.absent) < len(w.where(l)) })
	switch {
	case isFew && len(w.from.options.Projects) == 0:
		if lost {
			w.poller.Pause()
			w.reportTrouble(now)
			w.ask()
			return false
		}
		w.poller.Resume()
	case !w.open && !lost:
	case !w.loadOn(now):
		return false
	case w.open:
		w.err = w.missing(now)
	}
	w.poller.SetRange(feed.Range{Since: w.byService(w.start), Most: feed.MostLoaded, Asked: true})
	return true
}

// byService returns a time of this computer's clock by the service's.
func (w *waiter) byService(instant time.Time) time.Time {
	return w.from.now().Add(instant.Sub(w.from.process.Clock()))
}

// deadline returns until when an operation that does not exist yet may come.
func (w *waiter) deadline() time.Time { return w.start.Add(w.rules.AppearWithin) }

// update updates the operations with an answer.
func (w *waiter) update(a feed.Answer, _ time.Time) {
	switch {
	case a.Err != nil:
		w.miss(a)
	case a.ID != "":
		w.alone = nil
		w.see(a.Project, &a.Operation, a.AsOf)
	}
	for i := range a.Page.Items {
		w.see(a.Project, &a.Page.Items[i], a.AsOf)
	}
}

// see updates what is known with an operation, which may be one to wait for.
func (w *waiter) see(project string, op *models.Operation, asOf time.Time) {
	unfinished, busy := w.rules.unfinished(op, w.byService(asOf)), changedAt(op).Add(blur/2)
	if unfinished {
		busy = w.byService(asOf)
	}
	if busy.After(w.busy) {
		w.busy = busy
	}
	w.branches.see(op)
	i := slices.IndexFunc(w.wanted, func(l *awaited) bool { return l.ID == op.ID })
	if i < 0 && w.isNew(op, unfinished) {
		i = len(w.wanted)
		w.want(project, op)
		w.lacking = slices.DeleteFunc(w.lacking, func(wish want) bool { return wish.met(op) })
	}
	if i < 0 || asOf.Before(w.wanted[i].asOf) && !op.UpdatedAt.After(w.wanted[i].UpdatedAt) { // it came late
		return
	}
	l := w.wanted[i]
	l.line, l.asOf, l.err = w.from.line("", project, op), asOf, nil
	if index := slices.Index(w.projects, project); index > 0 { // the other operations are probably of the same project
		w.projects[0], w.projects[index] = w.projects[index], w.projects[0]
	}
}

// isNew reports whether an operation that was not waited for is one to wait for from now on.
func (w *waiter) isNew(op *models.Operation, unfinished bool) bool {
	if !w.open || !w.rules.match(op) || w.ended[op.ID] && !unfinished {
		return false
	}
	// Without these options, an operation that has ended already is of no interest.
	recent := w.byService(w.start).Add(-w.rules.AppearWithin - blur)
	return unfinished || w.rules.Idle+w.rules.AppearWithin > 0 && !op.CreatedAt.Before(recent)
}

// miss handles the error of an operation, or of the newest page of a project. After an error that passes, it is read again.
func (w *waiter) miss(a feed.Answer) {
	page, err := a.ID == "", a.Err
	if page {
		_, err = w.poller.Err(a.Project)
	}
	switch passing := models.Passing(err); {
	case !models.Answered(err), passing && (page || models.KindOf(err) == models.KindRateLimited): // it is reported as trouble
		return
	case passing:
		w.alone = err
		return
	case page && w.open:
		if w.looked { // see [lister.missing]
			w.err = fmt.Errorf("incomplete: cannot read %s: %w", w.named(a.Project), err)
		}
		return
	}
	for _, l := range w.wanted {
		if !page && l.ID != a.ID || !slices.Contains(w.where(l), a.Project) {
			continue
		}
		l.absent[a.Project] = a.AsOf
		asked := page && !l.found() && slices.Contains(w.from.options.Projects, a.Project)
		if asked || models.KindOf(err) != models.KindNotFound {
			l.err = err
		}
	}
}

// judge writes the operations that have ended, and what has not come in time.
func (w *waiter) judge() error {
	for _, l := range slices.Clone(w.wanted) {
		if w.isGone(l) {
			if err := w.lose(l); err != nil {
				return err
			}
		}
		if !l.Gone && (!l.found() || w.rules.unfinished(l.Operation, w.byService(l.asOf))) {
			continue
		}
		if err := w.finish(l); err != nil {
			return err
		}
	}
	if len(w.lacking) > 0 && !w.known.Before(w.deadline()) {
		w.sayLacking(w.rules.AppearWithin)
		w.failed, w.lacking = true, nil
	}
	return nil
}

// isGone reports whether no project has an operation, or all refuse to tell. One that was never read may still come.
func (w *waiter) isGone(l *awaited) bool {
	for _, project := range w.where(l) {
		absent := l.absent[project]
		if !absent.After(l.asOf) || !l.found() && l.err == nil && absent.Before(w.deadline()) {
			return false
		}
	}
	return true
}

// lose marks an operation as gone, or returns why that is unknown.
func (w *waiter) lose(l *awaited) error {
	projects := w.from.options.Projects
	switch {
	case l.err != nil:
		return l.err
	case l.found():
	case len(projects) == 0 && w.from.partial != "":
		return fmt.Errorf("%s is not an operation of the known projects, and there may be more: %s", l.ID, w.from.partial)
	default:
		w.from.say("%s is not an operation of %s", l.ID, cmp.Or(l.project, strings.Join(projects, ", "), "any project"))
	}
	gone := *l.Operation
	gone.Gone = true
	l.Operation = &gone
	return nil
}

// where returns the projects that may have an operation.
func (w *waiter) where(l *awaited) []string {
	if l.project != "" {
		return []string{l.project}
	}
	return w.projects
}

// ask has the poller read the operations that no page shows, and no projects without an operation to wait for.
func (w *waiter) ask() {
	room, projects := mostAlone, map[string]bool{}
	for _, l := range w.wanted {
		for _, project := range w.where(l) {
			projects[project] = true
			if room > 0 && w.lacks(l, project) {
				w.poller.Look(feed.Key{Project: project, ID: l.ID})
				room--
			}
		}
	}
	w.poller.Watch(nil, projects)
	if !w.open && len(projects) < len(w.projects) {
		w.poller.Keep(projects)
		w.projects = slices.Sorted(maps.Keys(projects))
		w.unread = slices.DeleteFunc(slices.Clone(w.unread), func(id string) bool { return !projects[id] })
	}
}

// lacks reports whether an operation is to be read on its own in a project. One that was not found is read once, and once more
// when it should have come. One that was found is read if the newest page lacks it, and the poller does not read it again.
func (w *waiter) lacks(l *awaited, project string) bool {
	if !l.found() {
		absent := l.absent[project]
		return absent.IsZero() || absent.Before(w.deadline()) && !w.from.process.Clock().Before(w.deadline())
	}
	operations := w.poller.Feed(project)
	row, found := operations.Find(l.ID)
	return l.asOf.Before(operations.AsOf()) && (!found || operations.At(row).Done())
}

// done reports whether there is nothing left to wait for. With --fail-fast, that is so at the first failure.
func (w *waiter) done() bool {
	switch {
	case w.failed && w.rules.FailFast:
		return true
	case w.rules.Idle > 0:
		return len(w.wanted) == 0 && w.byService(w.known).Sub(w.busy) >= w.rules.Idle
	}
	return len(w.wanted)+len(w.lacking) == 0
}

func (w *waiter) showProgress() {
	if len(w.wanted) == 0 {
		w.from.progress("waiting for " + cmp.Or(w.lackingText(), "the end of all operations"))
		return
	}
	ended := len(w.ended)
	w.from.progress(fmt.Sprintf("%d of %d ended · %s", ended, ended+len(w.wanted), w.holds(w.wanted[0])))
}

// quietFor is the time between two messages of a wait without a terminal. A log shows by them what the wait is for.
const quietFor = time.Minute

// tellHolding tells now and then what the wait is for, if no progress is shown.
func (w *waiter) tellHolding(now time.Time) {
	if now.Sub(w.told) < quietFor || len(w.wanted) == 0 || term.IsTerminal(int(w.from.process.Stderr.Fd())) {
		return
	}
	w.told = now
	w.from.say("%d of %d ended · %s", len(w.ended), len(w.ended)+len(w.wanted), w.holds(w.wanted[0]))
}

// holds tells which operation is waited for, how long it takes, and how long those of its kind usually do, as far as that is
// known: "apply_config of billing · 12s of ~14s, usually 10s to 27s".
func (w *waiter) holds(l *awaited) string {
	if !l.found() {
		return l.ID + " is not read yet"
	}
	text := string(l.Action) + " of " + l.projectName()
	if name := w.branches.names[l.BranchID]; name != "" {
		text += ", " + name
	}
	took := l.Took(w.from.now())
	switch {
	case l.Status.Failed():
		return text + " · failed, may be tried again"
	case !took.Known:
		return text + " · " + string(l.Status)
	}
	text += " · " + style.Elapsed(took.Value)
	durations := w.poller.Timeline().Durations(l.Action)
	if expected, ok := durations.Expected(); ok {
		text += style.Expected(roughly(expected))
	}
	if shortest, longest, ok := durations.Usual(); ok {
		text += ", usually " + roughly(shortest) + " to " + roughly(longest)
	}
	return text
}

// roughly formats a duration in whole seconds, if it has one.
func roughly(d time.Duration) string {
	if d < time.Second {
		return style.Took(d)
	}
	return style.Elapsed(d)
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
	w.wanted = slices.DeleteFunc(w.wanted, func(entry *awaited) bool { return entry == l })
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

// sayLacking prints what has not come within some time.
func (w *waiter) sayLacking(within time.Duration) {
	term := withinText(within)
	if w.lacking[0].value == "" {
		w.from.say("no unfinished operation began in the last 24 hours, and none came%s", term)
		return
	}
	w.from.say("no operation came%s with %s", term, w.lackingText())
}

// lackingText names what has not come.
func (w *waiter) lackingText() string {
	var names []string
	for _, wish := range w.lacking {
		if wish.value == "" {
			return "an operation"
		}
		value := wish.value
		if flags[wish.flag] == "--branch" {
			value = w.branches.label(value)
		}
		names = append(names, flags[wish.flag]+" "+value)
	}
	return strings.Join(names, ", ")
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
		w.tellWhatToDo()
	case !w.looked && w.branches.missing != "":
		w.from.say("%s", w.missingText(w.rules.Timeout))
	case !w.looked:
		w.from.say("could not list the unfinished operations within %s", timeout)
	case len(w.lacking) > 0:
		w.sayLacking(w.rules.Timeout)
	default:
		w.from.say("not idle for %s within %s", style.Every(w.rules.Idle), timeout)
	}
	return exit.ErrTimeout
}

// mostNamed is how many operations are named after a timeout, and how many a line waits for again.
const mostNamed = 5

// tellWhatToDo tells what the wait was for, and how to go on waiting.
func (w *waiter) tellWhatToDo() {
	words, named := []string{"pgtower", "wait"}, map[string]bool{}
	for i, l := range w.wanted {
		if i < mostNamed {
			w.from.say("%s", w.holds(l))
		}
		if l.project != "" && !named[l.project] {
			words, named[l.project] = append(words, "--project", l.project), true
		}
	}
	if len(w.wanted) > mostNamed {
		w.from.say("the service goes on with them: call the command again, or give a longer --timeout")
		return
	}
	for _, l := range w.wanted {
		words = append(words, l.ID)
	}
	w.from.say("the service goes on with them: wait again with %s, or give a longer --timeout", shell.Line(words...))
}
