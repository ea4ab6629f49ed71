package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

// waitTimeout is how long wait waits if nothing else is asked for.
const waitTimeout = 10 * time.Minute

func (p Process) waitCommand() *cobra.Command {
	s, timeout := newScript(), waitTimeout
	return p.withSettings(&cobra.Command{
		Use:   "wait [OPERATION_ID...]",
		Short: "Wait until operations have ended",
		Long: "wait waits until the operations have ended, and prints a line for each when it does. Without\n" +
			"ids it waits for what is unfinished now among the newest operations of the projects that\n" +
			"--project names. Without --project, the operations are looked for in all projects.\n\n" +
			"Exit codes: 0 if all finished or were skipped, 1 if one failed, was cancelled or is gone,\n" +
			"3 if the API key was refused, 4 if it took longer than --timeout." + formsHelp,
		Example: "  pgtower wait --project floral-king-961888 --timeout 5m\n" +
			"  pgtower wait 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51 && echo done",
		Args: cobra.ArbitraryArgs,
	}, func(f *pflag.FlagSet) {
		s.addScriptFlags(f, "interval", "page-size", "budget", "time")
		f.StringArrayVar(&s.projects, "project", nil, "`ID` of the project of the operations; may be repeated")
		f.DurationVar(&timeout, "timeout", waitTimeout, "how long to wait at most, 0 for any time")
		f.BoolVar(&s.json, "json", false, "print a line of JSON for each")
	}, func(f *pflag.FlagSet, p Process) error {
		if err := s.resolve(f, p); err != nil {
			return err
		}
		if f.NArg()+len(s.projects) == 0 {
			return usagef("wait for what? Name operations, or with --project a project")
		}
		return checkProjects(s.projects)
	}, func(ctx context.Context, cmd *cobra.Command) error {
		return p.withSource(ctx, s, func(ctx context.Context, from *source) error {
			return waitFor(ctx, from, cmd.Flags().Args(), timeout)
		})
	})
}

// awaited is an operation that is waited for.
type awaited struct {
	id       string
	projects []string // where it may be
	sought   bool
	line     line // as it was last read; without an operation if it was not
}

// waiter waits for operations, and writes how each of them ended.
type waiter struct {
	*engine

	out    *output[line]
	wanted []*awaited
	all    bool // what is unfinished is wanted, once the projects are read
	ended  int
	failed bool  // one of them did not finish
	err    error // why something cannot be waited for
}

func waitFor(ctx context.Context, from *source, ids []string, timeout time.Duration) error {
	e, err := newEngine(ctx, from, maxTries)
	if err != nil {
		return err
	}
	w := &waiter{
		engine: e, all: len(ids) == 0,
		out: newOutput(from.process.Stdout, from.script.form, operationColumns("result"),
			from.script.times(from.script.settings.times), from.now),
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		one := &awaited{id: id, projects: e.poller.Projects()}
		if w.wanted = append(w.wanted, one); len(from.script.projects) > 0 {
			w.seek(one)
		}
	}
	began := from.process.Clock()
	late := func(now time.Time) bool { return timeout > 0 && now.Sub(began) >= timeout }
	err = e.run(ctx, w.take, func(now time.Time) bool {
		done := w.look()
		return done || w.err != nil || late(now)
	})
	w.hide()
	if err = errors.Join(err, w.err); err != nil {
		return err
	}
	return w.sum(timeout)
}

// seek asks for an operation that need not be among the newest.
func (w *waiter) seek(one *awaited) {
	one.sought = true
	for _, project := range one.projects {
		w.poller.Seek(feed.Key{Project: project, ID: one.id})
	}
}

// take takes in an answer. An operation is not where the service says so.
func (w *waiter) take(a feed.Answer, now time.Time) error {
	w.poller.Take(a, now)
	if a.ID == "" || a.Err == nil || !hopeless(a.Err) {
		return nil
	}
	for _, one := range w.wanted {
		if one.id == a.ID {
			w.drop(one, a.Project, a.Err)
		}
	}
	return nil
}

// drop notes that an operation cannot be found in a project.
func (w *waiter) drop(one *awaited, project string, why error) {
	one.projects = slices.DeleteFunc(one.projects, func(id string) bool { return id == project })
	if len(one.projects) == 0 && models.KindOf(why) != models.KindNotFound {
		w.err = why
	}
}

// look writes what has ended, and reports whether nothing else is waited for.
func (w *waiter) look() bool {
	trying := slices.ContainsFunc(w.poller.Unreadable(), w.trying)
	read := w.poller.Coverage().Unread == 0 && !trying
	if w.all && read {
		w.all = false
		w.collect()
	}
	for _, one := range w.wanted {
		for _, project := range slices.Clone(one.projects) {
			f := w.poller.Feed(project)
			if row, ok := f.Find(one.id); ok {
				one.projects, one.line = []string{project}, w.line("", project, f.At(row))
			} else if err := w.poller.Err(project); err != nil && hopeless(err) {
				w.drop(one, project, err)
			}
		}
		if read && !one.sought && one.line.op == nil {
			w.seek(one)
		}
	}
	w.wanted = slices.DeleteFunc(w.wanted, w.tell)
	w.show()
	return len(w.wanted) == 0 && !w.all
}

// collect waits for all that is unfinished.
func (w *waiter) collect() {
	if ids := w.poller.Unreadable(); len(ids) > 0 {
		w.err = w.poller.Err(ids[0])
		return
	}
	all := w.poller.Timeline().Rows()
	for i := range all.Len() {
		if op := all.At(i); !op.Done() {
			w.wanted = append(w.wanted, &awaited{id: op.ID, projects: []string{all.ProjectAt(i)}, sought: true})
		}
	}
	if len(w.wanted) == 0 {
		w.say("nothing is unfinished")
	}
}

// tell writes how an operation ended, and reports whether it did.
func (w *waiter) tell(one *awaited) bool {
	l := &one.line
	switch {
	case len(one.projects) == 0 && w.err == nil:
		l.op, l.event = &models.Operation{ID: one.id, Gone: true}, "gone"
	case l.op == nil || !l.op.Done():
		return false
	case l.op.Gone:
		l.event = "gone"
	default:
		l.event = string(l.op.Status)
	}
	if l.op.Gone || l.op.Status != models.StatusFinished && l.op.Status != models.StatusSkipped {
		w.failed = true
	}
	w.ended++
	w.write(*l)
	return true
}

// write writes a line. A reader that is gone changes nothing about what is waited for.
func (w *waiter) write(l line) {
	w.hide()
	if err := errors.Join(w.out.write(l), w.out.Flush()); err != nil && !errors.Is(err, syscall.EPIPE) {
		w.err = err
	}
}

// sum is what came of it: an error for what did not finish, which was written.
func (w *waiter) sum(timeout time.Duration) error {
	for _, one := range w.wanted {
		if one.line.op == nil {
			one.line.op = &models.Operation{ID: one.id}
		}
		one.line.event = "timeout"
		w.write(one.line)
	}
	switch {
	case w.err != nil:
		return w.err
	case len(w.wanted) > 0 || w.all:
		w.say("not ended after %s: %d of %d operations", style.Every(timeout), len(w.wanted), len(w.wanted)+w.ended)
		return errTimeout
	case w.failed:
		return errSaid
	}
	return nil
}

// show says on a terminal how far it is.
func (w *waiter) show() {
	if len(w.wanted) == 0 {
		return
	}
	text := fmt.Sprintf("%d of %d ended", w.ended, w.ended+len(w.wanted))
	if l := w.wanted[0].line; l.op != nil {
		text += fmt.Sprintf(" · %s of %s: %s %s", l.op.Action.Title(), w.name(l.project), l.status(), l.took())
	}
	w.progress(text)
}
