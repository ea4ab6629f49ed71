package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/projects"
	"pgtower/ui/style"
)

// script is the settings of a command that prints what the service has, without the dashboard.
type script struct {
	settings

	csv      bool
	filter   string
	projects []string // ids; none: all projects
}

const formsHelp = "\n\nIn a terminal it prints a table, otherwise tab-separated fields. --json prints one object a line,\n" +
	"with the field names of the API."

func newScript() *script { return &script{settings: defaults()} }

// addScriptFlags adds the flags for the connection and the demo, and others of the dashboard by their names.
func (s *script) addScriptFlags(f *pflag.FlagSet, names ...string) {
	s.addFlags(f, slices.Concat(connectionFlags, names, []string{"demo", "demo-seed", "demo-time"})...)
	f.BoolVar(&s.json, "json", false, "print one JSON object a line")
}

// addOperationsFlags adds the flags of a command that reads operations, and others of the dashboard by their names.
func (s *script) addOperationsFlags(f *pflag.FlagSet, names ...string) {
	s.addScriptFlags(f, append(names, "interval", "page-size", "budget", "time")...)
	f.StringArrayVar(&s.projects, "project", nil, "`ID` of a project to read; repeat it for several projects")
}

// addFormFlags adds the flags for what is printed.
func (s *script) addFormFlags(f *pflag.FlagSet) {
	f.StringVar(&s.filter, "filter", "", "print only what matches this filter, such as status:failed")
	f.BoolVar(&s.csv, "csv", false, "print CSV")
}

// load resolves the settings and checks the ids.
func (s *script) load(f *pflag.FlagSet, p Process) error {
	if s.json && s.csv {
		return usagef("--json and --csv cannot be combined")
	}
	for _, id := range s.projects {
		if !isID(id) {
			return usagef("--project: must be a project id, not %q; repeat --project for several projects", id)
		}
	}
	return s.resolve(f, p)
}

// isID reports whether a text can be an id of the service.
func isID(text string) bool { return text != "" && !strings.ContainsAny(text, ",/?# \t\r\n") }

// source is the connection of a command without a screen, with its messages to the user.
type source struct {
	ui.Connection

	process Process
	script  *script
	now     func() time.Time // by the service's clock
	times   moments
	names   map[string]string // of the listed projects, by id
	partial string            // why there may be more projects, or empty
	trouble bool              // it was reported, and is not over
	drawn   bool              // the cursor is on the line that shows the progress
}

// scriptCommand completes a command that reads the service.
func (p Process) scriptCommand(
	cmd *cobra.Command, s *script, flags func(*pflag.FlagSet), load func(*pflag.FlagSet, Process) error,
	run func(context.Context, *source) error,
) *cobra.Command {
	return p.withSettings(cmd, flags, load, func(ctx context.Context) error { return p.withSource(ctx, s, run) })
}

// withSource connects with the key that the dashboard would use, and calls run.
func (p Process) withSource(ctx context.Context, s *script, run func(context.Context, *source) error) error {
	clock := s.clock(p.Clock)
	accounts, err := newAccounts(&s.settings, clock, p.Getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer accounts.close()
	defer cancel()
	accounts.authenticators[0].sources.Terminal = p.terminal()
	profile := accounts.all[0]
	from := &source{process: p, script: s, now: profile.Clock, names: map[string]string{}}
	from.Connection, err = profile.Authenticator.Open(ctx, profile.BaseURL)
	switch {
	case errors.Is(err, ui.ErrNoKey):
		return usagef("no API key for %s: run pgtower login, or set PGTOWER_API_KEY", profile.Host)
	case err != nil:
		return usageError{err}
	}
	if from.now == nil {
		from.now = func() time.Time { return clock().Add(from.Skew().Value) }
	}
	from.times = moments{style.TimesOf(s.times, time.Local, false), from.now}
	defer from.hide()
	return run(ctx, from)
}

// filterTime returns the time by which a filter matches, in the zone of the times that are shown.
func (from *source) filterTime() time.Time { return from.times.In(from.now()) }

// say prints a message on standard error.
func (from *source) say(format string, args ...any) {
	from.hide()
	from.process.warn(format, args...)
}

// progress shows a line on the terminal, until the next one or a message replaces it.
func (from *source) progress(text string) {
	if stderr := from.process.Stderr; term.IsTerminal(int(stderr.Fd())) {
		from.hide()
		from.drawn = true
		_, _ = fmt.Fprint(stderr, style.Cut(text, widthOf(stderr)-1))
	}
}

// hide removes the progress line.
func (from *source) hide() {
	if from.drawn {
		from.drawn = false
		_, _ = fmt.Fprint(from.process.Stderr, "\r\x1b[K")
	}
}

const (
	maxTries  = 3               // of a request, by a command that ends by itself
	firstWait = 2 * time.Second // before the second try; each later wait is twice as long
	maxWait   = time.Minute     // between tries, and for a rate limit by a command that ends by itself
)

// transient are the kinds of errors that may be gone at the next try.
var transient = []models.Kind{
	models.KindLocked, models.KindRateLimited, models.KindServer, models.KindUnreachable, models.KindTimeout,
	models.KindCutOff, models.KindStalled,
}

// permanent reports whether another try would fail in the same way.
func permanent(err error) bool { return !slices.Contains(transient, models.KindOf(err)) }

// retry calls get until it succeeds or has failed tries times, 0 for no limit. Without a limit it reports when trouble
// begins and ends; otherwise the caller reports the error.
func retry[T any](ctx context.Context, from *source, tries int, get func() (T, error)) (T, error) {
	for try, wait := 1, firstWait; ; try, wait = try+1, min(2*wait, maxWait) {
		got, err := get()
		after := models.RetryAfterOf(err)
		switch {
		case err == nil:
			from.report("")
			return got, nil
		case permanent(err):
			return got, err
		case try == tries, tries > 0 && after > maxWait:
			if after > 0 {
				err = fmt.Errorf("%w; try again in %s", err, style.Every(after.Round(time.Second)))
			}
			return got, err
		}
		pause := cmp.Or(after, wait)
		text := fmt.Sprintf("%s; next try in %s", err, style.Every(pause.Round(time.Second)))
		if tries > 0 {
			from.progress(text)
		} else {
			from.report(text)
		}
		for ; pause > 0; pause -= checkInterval {
			if tries == 0 && hungUp(from.process.Stdout) {
				return got, errReaderGone
			}
			if err := sleep(ctx, min(pause, checkInterval)); err != nil {
				return got, err
			}
		}
	}
}

// errReaderGone is the error of a write to a pipe without a reader, before it is made.
var errReaderGone = &fs.PathError{Op: "write", Path: "the standard output", Err: syscall.EPIPE}

// sleep waits, and returns an error if ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// report reports trouble with the service, once until it is over, or that it is over where what is empty.
func (from *source) report(what string) {
	switch {
	case what != "" && !from.trouble:
		from.say("%s", what)
	case what == "" && from.trouble:
		from.say("the service responds again")
	}
	from.trouble = what != ""
}

// listProjects returns the projects whose operations are wanted. If --project names them, the list is read for their
// names only.
func (from *source) listProjects(ctx context.Context, tries int) ([]models.Project, error) {
	all, err := retry(ctx, from, tries, func() ([]models.Project, error) {
		all, partial, err := projects.Read(ctx, from.API)
		if from.partial = partial; err == nil && partial != "" {
			from.say("there may be more projects: %s", partial)
		}
		return all, err
	})
	wanted := from.script.projects
	if len(wanted) == 0 || models.KindOf(err) == models.KindUnauthorized || ctx.Err() != nil {
		return all, err
	}
	if err != nil {
		from.say("the names of projects are missing: %v", err)
	}
	var chosen []models.Project
	for _, id := range wanted {
		project := models.Project{ID: id}
		if i := slices.IndexFunc(all, func(p models.Project) bool { return p.ID == id }); i >= 0 {
			project = all[i]
		} else if i := slices.IndexFunc(all, func(p models.Project) bool { return p.Name == id }); i >= 0 {
			return nil, usagef("--project: %s is the name of a project; its id is %s", id, all[i].ID)
		}
		chosen = append(chosen, project)
	}
	return chosen, nil
}
