package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/models"
	"pgtower/ui"
	"pgtower/ui/projects"
	"pgtower/ui/style"
)

// script is a command that reads the service for people and programs, without the dashboard.
type script struct {
	settings

	csv      bool
	filter   string
	projects []string // whose operations, none for all
}

const formsHelp = "\n\nIn a terminal it prints a table, elsewhere fields with tabs between them. --json prints an\n" +
	"object a line, with the names of the API."

func newScript() *script { return &script{settings: defaults()} }

// addScriptFlags adds the flags of the dashboard that say what is read: of which service, and those that are named.
func (s *script) addScriptFlags(f *pflag.FlagSet, names ...string) {
	s.addFlags(f, slices.Concat(connectionFlags, names, []string{"demo", "demo-seed", "demo-time"})...)
	f.BoolVar(&s.json, "json", false, "print a line of JSON for each")
}

// addOperationsFlags is addScriptFlags for operations.
func (s *script) addOperationsFlags(f *pflag.FlagSet, names ...string) {
	s.addScriptFlags(f, append(names, "interval", "page-size", "budget", "time")...)
	f.StringArrayVar(&s.projects, "project", nil, "`ID` of a project whose operations are wanted; may be repeated")
}

// addFormFlags adds the flags that say what is written.
func (s *script) addFormFlags(f *pflag.FlagSet) {
	f.StringVar(&s.filter, "filter", "", "write only what matches this filter, such as status:failed")
	f.BoolVar(&s.csv, "csv", false, "print CSV")
}

// load resolves the settings, and refuses ids that cannot be.
func (s *script) load(f *pflag.FlagSet, p Process) error {
	if s.json && s.csv {
		return usagef("--json and --csv cannot be combined")
	}
	for _, id := range slices.Concat(s.projects, f.Args()) {
		if id == "" || strings.ContainsAny(id, "/?# \t\r\n") {
			return usagef("must be an id, not %q", id)
		}
	}
	return s.resolve(f, p)
}

// source is the service as a command without a screen asks it.
type source struct {
	ui.Connection

	process Process
	script  *script
	now     func() time.Time // by the service's clock
	times   moments
	said    bool // that it does not answer
	drawn   bool // the progress is on the line where the cursor is
}

// withSource runs what asks the service, with the key that the dashboard would use. A reader that goes away ends it
// quietly.
func (p Process) withSource(ctx context.Context, s *script, run func(context.Context, *source) error) error {
	signal.Ignore(syscall.SIGPIPE) // the error of the write says it, too
	if err := s.transport.open(); err != nil {
		return err
	}
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
	from := &source{process: p, script: s, now: profile.Clock}
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
	if err = run(ctx, from); err == nil || readerGone(err) {
		return nil
	}
	return scriptError{err}
}

// scriptError is an error without advice: that is for the dashboard.
type scriptError struct{ error }

func (e scriptError) Unwrap() error  { return e.error }
func (e scriptError) Advice() string { return "" }

// filterTime returns the time by which a filter matches, in the zone of the times that are shown.
func (from *source) filterTime() time.Time { return from.times.In(from.now()) }

// say writes a line about what goes on to where it disturbs no reader.
func (from *source) say(format string, args ...any) {
	from.hide()
	_, _ = fmt.Fprintln(from.process.Stderr, "pgtower: "+models.Clean(fmt.Sprintf(format, args...)))
}

// progress says on a terminal how far it is, on a line that the next one takes away.
func (from *source) progress(text string) {
	if stderr := from.process.Stderr; term.IsTerminal(int(stderr.Fd())) {
		from.hide()
		from.drawn = true
		_, _ = fmt.Fprint(stderr, style.Cut(text, widthOf(stderr)-1))
	}
}

// hide takes the progress away.
func (from *source) hide() {
	if from.drawn {
		from.drawn = false
		_, _ = fmt.Fprint(from.process.Stderr, "\r\x1b[K")
	}
}

const (
	// maxTries is how often a command that ends tries what may go well the next time.
	maxTries = 3
	// maxWait is for how long such a command waits for the service, and every one that does not for itself.
	maxWait = time.Minute
	// firstWait is how long the first wait is.
	firstWait = 2 * time.Second
)

// passing are the kinds of trouble that may be over the next time.
var passing = []models.Kind{
	models.KindLocked, models.KindRateLimited, models.KindServer, models.KindUnreachable, models.KindTimeout,
	models.KindCutOff, models.KindStalled,
}

// hopeless reports whether an error would be the same the next time.
func hopeless(err error) bool { return !slices.Contains(passing, models.KindOf(err)) }

// patiently asks until there is an answer, so many times, and says when the trouble begins and ends.
func patiently[T any](ctx context.Context, from *source, tries int, ask func() (T, error)) (T, error) {
	for try, wait := 1, firstWait; ; try, wait = try+1, min(2*wait, maxWait) {
		got, err := ask()
		retry := models.RetryAfterOf(err)
		switch {
		case err == nil:
			from.trouble("")
			return got, nil
		case hopeless(err):
			return got, err
		case try == tries, tries > 0 && retry > maxWait:
			if retry > 0 {
				err = fmt.Errorf("%w; try again in %s", err, style.Every(retry.Round(time.Second)))
			}
			return got, err
		}
		pause := cmp.Or(retry, wait)
		from.trouble(fmt.Sprintf("%s; next try in %s", err, style.Every(pause.Round(time.Second))))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return got, ctx.Err()
		}
	}
}

// trouble says once that the service has trouble, and once that it is over.
func (from *source) trouble(what string) {
	switch {
	case what != "" && !from.said:
		from.say("%s", what)
	case what == "" && from.said:
		from.say("the service responds again")
	}
	from.said = what != ""
}

// listProjects returns the projects whose operations are wanted. Where these are given, the list is only needed for
// their names.
func (from *source) listProjects(ctx context.Context, tries int) ([]models.Project, error) {
	all, err := patiently(ctx, from, tries, func() ([]models.Project, error) {
		all, partial, err := projects.Read(ctx, from.API)
		if err == nil && partial != "" {
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
		from.said = false // what answers from here on is not the list
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
