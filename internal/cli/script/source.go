// Package script has the commands that work without the dashboard: they print what the service has, wait for operations, and
// change API keys.
package script

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/ui/style"
)

// Options are the settings of a command.
type Options struct {
	JSON, CSV bool
	Fields    []string // that JSON has, in this order; none: all
	Filter    string
	Projects  []string        // ids or names, and ids once they were read; none: all projects
	Key       account.Options // what the user says about the key
	Pinned    []string        // ids of projects that are read first
	Interval  time.Duration   // between two polls
	Since     moment.Time     // since when a filter without a time is searched
	PageSize  int
	Budget    int    // requests a second
	Times     string // how the table shows times, see [style.TimesNames]
	Views     Views
}

// check returns what is wrong with the options, as an [exit.UsageError].
func (o *Options) check() error {
	if o.JSON && o.CSV {
		return exit.Usagef("--json and --csv cannot be combined")
	}
	for _, text := range o.Projects {
		if !models.MayName(text) {
			return exit.Usagef("--project: must be the id or the name of a project, not %q", text)
		}
	}
	return nil
}

// isPinned reports whether a project is read first.
func (o *Options) isPinned(project *models.Project) bool {
	return slices.Contains(o.Pinned, project.ID)
}

// count returns how many flags are given.
func count(flags ...bool) (given int) {
	for _, set := range flags {
		if set {
			given++
		}
	}
	return given
}

// checkFields returns what is wrong with the fields of JSON for records with some fields.
func (o *Options) checkFields(names []string) error {
	names = append(slices.Clip(names), alwaysShown...)
	for _, name := range o.Fields {
		if !slices.Contains(names, name) {
			return exit.Usagef("--json: unknown field %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// Run is a command whose options were checked. Its error decides the exit code.
type Run func(ctx context.Context, from *Source) error

// Process is what a command uses of the process that it runs in.
type Process struct {
	Stdin, Stdout, Stderr *os.File
	Clock                 func() time.Time
	Steady                func() time.Time // a clock that never goes back, for claims about changes of keys; by default, Clock
}

// Source is the connection of a command, with its messages to the user.
type Source struct {
	control.Connection

	process Process
	loop    *poll.Loop    // makes all requests but changes
	lists   []keys.Listed // of API keys, as last read
	secrets secrets       // verifies and hands over new keys; nil: nothing does
	options *Options
	now     func() time.Time // by the service's clock, once it is known: see [Source.present]
	began   time.Time        // by [Process].Steady
	times   moments
	names   map[string]string // of the listed projects, by id
	orgs    query.Organizations
	regions map[string]string // of the listed projects, by id
	parts   *naming.Names     // of branches and computes
	reports bool              // the command prints names, as its report does
	partial string            // why there may be more projects, or empty
	// unlisted is why lists of projects are missing, or nil.
	unlisted   error
	answered   bool                   // the service did, at least once
	unrecorded bool                   // the outcome of a change is not in the journal
	open       atomic.Pointer[string] // a change whose outcome is unknown, and what to do about it; nil: none
	changes    keys.Changes           // what this command requested
	uses       keys.Uses              // of keys, as lists have shown them
	trouble    bool                   // it was reported, and is not over
	said       map[string]bool        // what is printed once
	seen       seen
	drawn      bool // the cursor is on the line that shows the progress
	remembered
}

// secrets is what commands need of the store of keys.
type secrets interface {
	Verify(ctx context.Context, key models.Secret) error
	Pipe(ctx context.Context, line string, key models.Secret) error
}

// NewSource returns the source of a command. now is the time by the service's clock.
func NewSource(p Process, o *Options, c control.Connection, now func() time.Time) *Source {
	if c.Account == nil {
		c.Account = account.New(o.Key)
	}
	if c.Memory == nil {
		c.Memory = &keys.Volatile{}
	}
	if c.Watcher == nil {
		c.Watcher = keys.NewWatcher(keys.Forgetful{})
	}
	if p.Steady == nil {
		p.Steady = p.Clock
	}
	from := &Source{
		Connection: c, loop: poll.NewLoop(poll.New(cmp.Or(o.Budget, poll.DefaultBudget)), p.Clock),
		secrets: c.KeyStore, process: p, began: p.Steady(), changes: keys.NewChanges(), options: o, now: now,
		names: map[string]string{}, said: map[string]bool{}, regions: map[string]string{},
		orgs:  query.Organizations{},
		times: moments{Times: style.TimesOf(o.Times, time.Local, false), now: now},
	}
	from.parts = naming.New(from.loop.Poller, c.API)
	from.loop.Hear = from.hear
	return from
}

// name keeps what the lines of operations show of their project.
func (from *Source) name(project *models.Project) {
	from.names[project.ID], from.regions[project.ID] = project.Name, project.RegionID
	from.orgs[project.ID] = project.Organization()
}

// facts returns what filters use of the listed projects.
func (from *Source) facts() query.Facts {
	return query.Facts{Names: from.names, Orgs: from.orgs, Regions: from.regions, Book: from.parts.Book()}
}

// Close removes the progress line, and waits for the programs of views.
func (from *Source) Close() {
	from.hide()
	from.seen.running.Wait()
}

// filterTime returns the time by which a filter matches, in the zone of the times that are shown.
func (from *Source) filterTime() time.Time { return from.times.In(from.now()) }

// say prints a message on standard error.
func (from *Source) say(format string, args ...any) {
	from.hide()
	_, _ = fmt.Fprintln(from.process.Stderr, "pgtower: "+models.Clean(fmt.Sprintf(format, args...)))
}

// sayOnce prints a message unless it was printed before, as by an earlier try.
func (from *Source) sayOnce(text string) {
	if !from.said[text] {
		from.said[text] = true
		from.say("%s", text)
	}
}

// progress shows a line on the terminal, until the next one or a message replaces it.
func (from *Source) progress(text string) {
	if stderr := from.process.Stderr; term.IsTerminal(int(stderr.Fd())) {
		from.hide()
		from.drawn = true
		_, _ = fmt.Fprint(stderr, style.Cut(text, widthOf(stderr)-1))
	}
}

// hide removes the progress line.
func (from *Source) hide() {
	if from.drawn {
		from.drawn = false
		_, _ = fmt.Fprint(from.process.Stderr, "\r\x1b[K")
	}
}

const (
	maxTries  = 5           // of a request, by a command that ends by itself
	ownTries  = 3           // of what fails alone while the service answers: the poller waits longer between them
	firstWait = time.Second // before the second try; each later wait is twice as long
	maxWait   = time.Minute // between tries, and for a rate limit by a command that ends by itself
)

// retry calls get until it succeeds or has failed tries times, 0 for no limit. Without a limit it reports when trouble
// begins and ends; otherwise the caller reports the error.
func retry[T any](ctx context.Context, from *Source, tries int, get func(context.Context) (T, error)) (T, error) {
	for try := 1; ; try++ {
		slow := time.AfterFunc(slowAfter, from.tellSlow)
		got, err := get(ctx)
		slow.Stop()
		wait := models.RetryAfterOf(err)
		switch {
		case err == nil:
			from.report("")
			return got, nil
		case !models.Passing(err), try == tries, tries > 0 && (wait > maxWait || timedOut(err)):
			return got, err
		}
		pause := cmp.Or(wait, models.Backoff(firstWait, maxWait, try))
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

// sleep waits, and returns an error if ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// slowAfter is how long an answer may take before the user is told. A service that sends a byte a second never times out as
// silent.
const slowAfter = 10 * time.Second

// tellSlow tells that an answer takes long.
func (from *Source) tellSlow() { from.tellBeside("the service is slow: still waiting for its answer") }

// TellOpen tells of a change whose outcome is unknown, before the program ends.
func (from *Source) TellOpen() {
	if open := from.open.Load(); open != nil {
		from.tellBeside(models.Clean(*open))
	}
}

// tellBeside prints a message from another goroutine than that of the command. So it changes nothing of the source.
func (from *Source) tellBeside(text string) {
	stderr, clear := from.process.Stderr, ""
	if stderr == nil {
		return
	}
	if term.IsTerminal(int(stderr.Fd())) {
		clear = "\r\x1b[K" // the progress line
	}
	_, _ = fmt.Fprintln(stderr, clear+"pgtower: "+text)
}

// timedOut reports whether an answer took as long as one may: another try would take as long again.
func timedOut(err error) bool {
	kind := models.KindOf(err)
	return kind == models.KindTimeout || kind == models.KindStalled
}

// errReaderGone is the error that a write to a pipe without a reader would have.
var errReaderGone = &fs.PathError{Op: "write", Path: "the standard output", Err: syscall.EPIPE}

// joined returns errors as one, in a line, or nil if there are none.
func joined(errs []error) (err error) {
	for _, next := range errs {
		err = both(err, next)
	}
	return err
}

// both returns two errors as one, in a line, or the one that there is.
func both(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return fmt.Errorf("%w; %w", first, second)
}

// ask asks for one subject, once.
func ask[T any](
	ctx context.Context, from *Source, subject poll.Subject, get func(context.Context, poll.Subject) (T, error),
) (T, error) {
	values, errs := poll.Ask(ctx, from.loop, []poll.Subject{subject}, get)
	return values[0], errs[0]
}

// interruptible returns what read returns, or an error if ctx ends first: then read goes on until the process ends.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	var got, none T
	var err error // like got, read only after done is closed
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = read()
	}()
	select {
	case <-done:
		return got, err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// report reports trouble with the service once, until it is over. An empty text reports that it is over.
func (from *Source) report(trouble string) {
	switch {
	case trouble != "" && !from.trouble:
		from.say("%s", trouble)
	case trouble == "" && from.trouble:
		from.say("the service responds again")
	}
	from.trouble = trouble != ""
}

// readProjects reads the lists of projects that the key reaches. With an error, some of them are missing.
func (from *Source) readProjects(ctx context.Context) ([]models.Project, error) {
	failed := from.Account.Load(ctx, from.API, from.loop)
	if failed != nil && !models.Passing(failed) {
		return nil, failed
	}
	if from.Account.NeedsProject() {
		return nil, exit.NewUsageError(fmt.Errorf("%w, with --project", from.Account.Trouble()))
	}
	err := cmp.Or(from.Account.Trouble(), failed)
	if from.Account.Read().IsZero() {
		return nil, err
	}
	return from.Account.Projects(), err
}

// listProjects returns the projects whose operations are wanted, as far as the lists of projects can be read.
func (from *Source) listProjects(ctx context.Context, tries int) ([]models.Project, error) {
	if len(from.options.Projects) > 0 {
		return from.chosen(ctx, tries)
	}
	read := from.readProjects
	if tries == 0 {
		read = from.readAnyProjects
	}
	from.unlisted = nil
	projects, err := retry(ctx, from, tries, read)
	if projects == nil {
		return nil, err
	}
	from.partial = from.Account.Partial()
	if from.partial != "" {
		from.say("there may be more projects: %s", from.partial)
	}
	from.unlisted = cmp.Or(err, from.unlisted)
	return projects, nil
}

// readAnyProjects is [Source.readProjects] for a command that never gives up: a list that cannot be read holds up no other one.
func (from *Source) readAnyProjects(ctx context.Context) ([]models.Project, error) {
	projects, err := from.readProjects(ctx)
	if projects != nil {
		from.unlisted, err = err, nil
	}
	return projects, err
}
