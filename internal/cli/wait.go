package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

const (
	waitTimeout = 10 * time.Minute // by default
	waitBack    = 24 * time.Hour   // how far back wait looks for unfinished operations
	forever     = time.Duration(math.MaxInt64)
)

// operationID matches a UUID.
var operationID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func (p Process) waitCommand() *cobra.Command {
	s, timeout := newScript(), waitTimeout
	var ids []string
	return p.scriptCommand(&cobra.Command{
		Use:   "wait [OPERATION_ID...]",
		Short: "Wait until operations have ended",
		Long: "wait waits until the operations have ended, and prints a line for each when it does. Without\n" +
			"ids it waits for what is unfinished now in the projects that --project names, of what began\n" +
			"in the last 24 hours. Without --project, the operations are searched for in all projects.\n\n" +
			"Exit codes: 0 if all finished or were skipped, 1 if one failed, was cancelled or is gone,\n" +
			"3 if the API key was refused, 4 if it took longer than --timeout." + formsHelp,
		Example: "  pgtower wait --project floral-king-961888 --timeout 5m\n" +
			"  pgtower wait 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51 && echo done",
		Args: cobra.ArbitraryArgs,
	}, s, func(f *pflag.FlagSet) {
		s.addOperationsFlags(f)
		f.Var((*duration)(&timeout), "timeout", "maximum time to wait; 0: no limit")
	}, func(f *pflag.FlagSet, p Process) error {
		if ids = f.Args(); len(ids)+len(s.projects) == 0 {
			return usagef("nothing to wait for: give operation ids, or --project")
		}
		for _, id := range f.Args() {
			if !operationID.MatchString(id) {
				return usagef("must be an operation id such as 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51, not %q", id)
			}
		}
		return s.load(f, p)
	}, func(ctx context.Context, from *source) error { return waitFor(ctx, from, ids, timeout) })
}

// awaited is an operation to wait for.
type awaited struct {
	id       string
	projects []string // that may have it
	refused  error    // why it cannot be read in one of them
	sought   bool     // the poller asks for it by its id
	line     line     // its last state; without a status until it was read
}

// waiter waits for operations, and writes how each of them ended.
type waiter struct {
	*engine

	out    *output[line]
	wanted []*awaited
	all    bool // wait for all that is unfinished, which is known once the projects are read
	ended  int
	failed bool  // an operation ended in another way than finished or skipped
	err    error // why waiting is impossible
}

func waitFor(ctx context.Context, from *source, ids []string, timeout time.Duration) error {
	s := from.script
	w := &waiter{
		engine: newEngine(from), all: len(ids) == 0,
		out: newOutput(s, from.process.Stdout, operationLayout("result", from.times)),
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		w.wanted = append(w.wanted, &awaited{id: id, line: w.line("", "", &models.Operation{ID: id})})
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(timeout, forever))
	defer cancel()
	if w.all {
		w.poller.Keep(from.now().Add(-waitBack))
	}
	err := w.begin(within, maxTries)
	if err == nil {
		for _, one := range w.wanted {
			one.projects = slices.Sorted(maps.Keys(w.names))
		}
		err = w.run(within, w.take, w.done)
	}
	w.hide()
	switch late := within.Err() != nil && ctx.Err() == nil; {
	case w.err != nil:
		return w.err
	case err != nil && !late:
		return err
	}
	return w.result(timeout)
}

// take passes an answer to the poller, and drops the projects that do not have an operation.
func (w *waiter) take(a feed.Answer, now time.Time) {
	w.poller.Take(a, now)
	for _, one := range w.wanted {
		if one.id == a.ID && a.Err != nil && permanent(a.Err) {
			one.drop(a.Project, a.Err)
		}
	}
}

// drop removes a project from those that may have the operation.
func (one *awaited) drop(project string, why error) {
	one.projects = slices.DeleteFunc(one.projects, func(id string) bool { return id == project })
	if models.KindOf(why) != models.KindNotFound {
		one.refused = why
	}
}

// done writes what has ended, and reports whether there is nothing left to wait for.
func (w *waiter) done(now time.Time) bool {
	read, named := w.read(), len(w.script.projects) > 0
	if w.all && read && !w.poller.Backfilling(now) {
		w.all = false
		w.collect()
	}
	for _, one := range w.wanted {
		w.find(one)
		if (read || named) && !one.sought && one.line.Status == "" {
			one.sought = true
			for _, project := range one.projects {
				w.poller.Seek(feed.Key{Project: project, ID: one.id})
			}
		}
	}
	w.wanted = slices.DeleteFunc(w.wanted, w.finish)
	if len(w.wanted) > 0 {
		l, status := w.wanted[0].line, "not read yet"
		if l.Status != "" {
			status = l.action() + " " + l.status() + " " + l.took()
		}
		w.progress(fmt.Sprintf("%d of %d ended · %s %s", w.ended, w.ended+len(w.wanted), l.ID, status))
	}
	return w.err != nil || len(w.wanted) == 0 && !w.all
}

// find updates an operation from those that were read.
func (w *waiter) find(one *awaited) {
	for _, project := range slices.Clone(one.projects) {
		f := w.poller.Feed(project)
		if row, ok := f.Find(one.id); ok {
			one.projects, one.refused, one.line = []string{project}, nil, w.line("", project, f.At(row))
		} else if _, err := w.poller.Err(project); err != nil && permanent(err) {
			one.drop(project, err)
		}
	}
}

// collect adds all unfinished operations.
func (w *waiter) collect() {
	if ids := w.poller.Unreadable(); len(ids) > 0 {
		_, w.err = w.poller.Err(ids[0])
		return
	}
	all := w.poller.Timeline().Rows()
	for i := range all.Len() {
		if op, project := all.At(i), all.ProjectAt(i); !op.Done() {
			one := &awaited{id: op.ID, projects: []string{project}, sought: true, line: w.line("", project, op)}
			w.wanted = append(w.wanted, one)
		}
	}
	if len(w.wanted) == 0 {
		w.say("no unfinished operation began in the last 24 hours")
	}
}

// finish writes how an operation ended, and reports whether it did.
func (w *waiter) finish(one *awaited) bool {
	if len(one.projects) == 0 {
		unknown := one.line.Status == ""
		if unknown && len(w.script.projects) > 0 && !w.read() {
			return false // until the projects were read, they may not exist
		}
		if w.err = one.refused; w.err == nil && unknown {
			w.err = w.missingProject()
		}
		if w.err != nil {
			return false
		}
		if unknown {
			w.say("%s is not an operation of %s", one.id, cmp.Or(strings.Join(w.script.projects, ", "), "any project"))
		}
		op := *one.line.Operation
		op.Gone = true
		one.line.Operation = &op
	}
	switch status := one.line.Status; {
	case one.line.Gone:
		w.failed = true
		w.write(one, "gone")
	case one.line.Done():
		w.failed = w.failed || status != models.StatusFinished && status != models.StatusSkipped
		w.write(one, string(status))
	default:
		return false
	}
	w.ended++
	return true
}

// missingProject returns the error of a named project that does not exist, or nil.
func (w *waiter) missingProject() error {
	for _, id := range w.script.projects {
		if _, err := w.poller.Err(id); models.KindOf(err) == models.KindNotFound {
			return err
		}
	}
	return nil
}

// write writes a line. The wait goes on if the reader of the output is gone.
func (w *waiter) write(one *awaited, result string) {
	w.hide()
	one.line.event = result
	w.out.write(one.line)
	if err := w.out.Flush(); err != nil && !readerGone(err) {
		w.err = err
	}
}

// result writes what has not ended, and returns the error for the exit code.
func (w *waiter) result(timeout time.Duration) error {
	for _, one := range w.wanted {
		w.write(one, "timeout")
	}
	switch {
	case w.err != nil:
		return w.err
	case w.all:
		w.say("could not list the unfinished operations within %s", style.Every(timeout))
		return errTimeout
	case len(w.wanted) > 0:
		w.say("not ended after %s: %d of %d operations", style.Every(timeout), len(w.wanted), len(w.wanted)+w.ended)
		return errTimeout
	case w.failed:
		return errSaid
	}
	return nil
}
