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
		Long: "wait prints a line for each operation when it ends, and exits when all have ended. Without\n" +
			"ids, it waits for the operations of --project that began in the last 24 hours and are\n" +
			"unfinished now. Without --project, it asks each project for the operations.\n\n" +
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

// waiter waits for operations, and writes how each of them ended.
type waiter struct {
	*source

	out      *output[line]
	projects []string // that may have the operations, in the order of the search
	wanted   []*line  // the last state of each; without project and status until it was found
	ended    int
	failed   bool // an operation ended in another way than finished or skipped
}

func waitFor(ctx context.Context, from *source, ids []string, timeout time.Duration) error {
	w := &waiter{source: from, out: newOutput(from.script, from.process.Stdout, operationLayout("result", from.times))}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		w.wanted = append(w.wanted, new(w.line("", "", &models.Operation{ID: id})))
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(timeout, forever))
	defer cancel()
	err := w.begin(within)
	for err == nil && len(w.wanted) > 0 {
		err = w.round(within)
	}
	switch {
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		return w.late(timeout)
	case err == nil && w.failed:
		return errSaid
	}
	return err
}

// begin lists the projects. Without ids, it lists their unfinished operations.
func (w *waiter) begin(ctx context.Context) error {
	l := newLister(w.source, history{since: waitBack})
	if err := l.begin(ctx); err != nil {
		return err
	}
	w.projects = slices.Sorted(maps.Keys(w.names))
	if len(w.wanted) > 0 {
		return nil
	}
	all, _, err := l.load(ctx)
	if err = cmp.Or(err, l.missing(l.process.Clock())); err != nil {
		return err
	}
	for _, one := range all {
		if !one.Done() {
			one.event = ""
			w.wanted = append(w.wanted, &one)
		}
	}
	if len(w.wanted) == 0 {
		w.say("no unfinished operation began in the last 24 hours")
	}
	return nil
}

// round reads each operation and writes those that have ended. Then it pauses.
func (w *waiter) round(ctx context.Context) error {
	var trouble error
	for _, l := range slices.Clone(w.wanted) {
		w.showProgress()
		err := w.read(ctx, l)
		switch {
		case err != nil && permanent(err):
			return err
		case err != nil:
			trouble = err
		case l.Done():
			if err := w.finish(l); err != nil {
				return err
			}
		}
	}
	if trouble == nil {
		w.report("")
	}
	if len(w.wanted) == 0 {
		return nil
	}
	w.showProgress()
	return sleep(ctx, max(w.script.interval, models.RetryAfterOf(trouble)))
}

func (w *waiter) showProgress() {
	first, status := w.wanted[0], "not read yet"
	if first.Status != "" {
		status = first.action() + " " + first.status() + " " + first.took()
	}
	w.progress(fmt.Sprintf("%d of %d ended · %s %s", w.ended, w.ended+len(w.wanted), first.ID, status))
}

// read reads the state of an operation. Until it was found, all projects are asked for it.
func (w *waiter) read(ctx context.Context, l *line) error {
	projects := w.projects
	if l.project != "" {
		projects = []string{l.project}
	}
	var failed error
	for _, project := range projects {
		op, err := w.API.Operation(ctx, project, l.ID)
		switch kind := models.KindOf(err); {
		case err == nil:
			*l = w.line("", project, &op)
			// The others are probably operations of the same project.
			at := slices.Index(w.projects, project)
			w.projects[0], w.projects[at] = w.projects[at], w.projects[0]
			return nil
		case kind == models.KindUnauthorized, ctx.Err() != nil:
			return err
		case kind == models.KindNotFound:
			continue
		case !permanent(err):
			w.report(fmt.Sprintf("%v; retrying", err))
		}
		failed = err
	}
	if failed == nil && l.project == "" {
		failed = w.unknown(ctx, l.ID)
	}
	if failed == nil {
		gone := *l.Operation
		gone.Gone = true
		l.Operation = &gone
	}
	return failed
}

// unknown reports that no project has an operation, unless a project that the user named cannot be read itself, or the
// list of projects is not complete.
func (w *waiter) unknown(ctx context.Context, id string) error {
	for _, project := range w.script.projects {
		if _, err := w.API.Operations(ctx, project, models.PageRequest{Limit: 1}); err != nil {
			return err
		}
	}
	if len(w.script.projects) == 0 && w.partial != "" {
		return fmt.Errorf("%s is not an operation of the known projects, and there may be more: %s", id, w.partial)
	}
	w.say("%s is not an operation of %s", id, cmp.Or(strings.Join(w.script.projects, ", "), "any project"))
	return nil
}

// finish writes how an operation ended.
func (w *waiter) finish(l *line) error {
	result := string(l.Status)
	if l.Gone {
		result = "gone"
	}
	w.failed = w.failed || result != string(models.StatusFinished) && result != string(models.StatusSkipped)
	w.ended++
	w.wanted = slices.DeleteFunc(w.wanted, func(one *line) bool { return one == l })
	return w.write(l, result)
}

// write writes a line. The wait goes on if the reader of the output is gone.
func (w *waiter) write(l *line, result string) error {
	w.hide()
	l.event = result
	w.out.write(*l)
	if err := w.out.Flush(); !readerGone(err) {
		return err
	}
	return nil
}

// late writes what has not ended in time, and returns the error for the exit code.
func (w *waiter) late(timeout time.Duration) error {
	if len(w.wanted) == 0 {
		w.say("could not list the unfinished operations within %s", style.Every(timeout))
		return errTimeout
	}
	for _, l := range w.wanted {
		l.now = w.line("", l.project, l.Operation).now // it was running until now
		if err := w.write(l, "timeout"); err != nil {
			return err
		}
	}
	w.say("not ended after %s: %d of %d operations", style.Every(timeout), len(w.wanted), len(w.wanted)+w.ended)
	return errTimeout
}
