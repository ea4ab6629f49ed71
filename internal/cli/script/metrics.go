package script

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/internal/metrics"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/keys"
	"pgtower/models/poll"
)

// MetricsOptions are the settings of a command that serves metrics.
type MetricsOptions struct {
	Listen      string // host:port
	AllowRemote bool   // other machines may read them
	Window      time.Duration
}

// Metrics returns the command that follows operations, and serves metrics of them.
func Metrics(o *Options, options MetricsOptions) (Run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return options.run, nil
}

// run serves metrics until it is interrupted, or cannot go on. They are served from the beginning: a service that does
// not answer is seen in them.
func (o *MetricsOptions) run(ctx context.Context, from *Source) error {
	listener, err := metrics.Listen(ctx, o.Listen, o.AllowRemote)
	if errors.Is(err, metrics.ErrRemote) {
		return exit.Usagef("--listen: %w; if that is wanted, add --allow-remote", err)
	}
	if err != nil {
		return exit.Usagef("--listen: %w", err)
	}
	_, err = fmt.Fprintln(from.process.Stdout, listener.URL())
	if err != nil {
		_ = listener.Close() // nothing uses it yet
		return err
	}
	from.process.Stdout = nil // it need not be read any more
	m := newMeter(from, o.Window)
	ctx, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	handler := m.set.Handler(log.New(from.process.Stderr, "pgtower: ", 0))
	go func() {
		defer cancel()
		served <- listener.Serve(ctx, handler)
	}()
	err = m.follow(ctx)
	cancel()
	if failed := <-served; failed != nil {
		return failed
	}
	return err
}

// meter measures what a follower reads.
type meter struct {
	from     *Source
	set      *metrics.Set
	window   time.Duration
	lister   *lister
	failures metrics.Failures
	whole    map[string]bool // the projects of which all of a window was read
	gaps     map[openGap]bool
	keys     *keyLists
	replaced map[models.ListID]metrics.KeyList // the keys that are being replaced, of the lists that were read
	shown    time.Time                         // when the metrics were last published
}

func newMeter(from *Source, window time.Duration) *meter {
	m := &meter{
		from: from, set: metrics.New(window), window: window, whole: map[string]bool{}, gaps: map[openGap]bool{},
		lister: newLister(from, Listing{Follow: true}), replaced: map[models.ListID]metrics.KeyList{},
	}
	from.loop.Hear = m.hear
	return m
}

// hear notes that the service answered, and counts the request.
func (m *meter) hear(a poll.Answer) {
	m.from.hear(a)
	m.set.Requested(a.Err)
}

// follow measures until ctx ends.
func (m *meter) follow(ctx context.Context) error {
	m.keys = newKeyLists(m.from, m.keysEvery, func(list *keys.Listed, a poll.Answer) { m.heardKeys(ctx, list, a) })
	if err := m.lister.begin(ctx); err != nil {
		return err
	}
	return m.lister.follow(ctx, 0, m.measure)
}

// measure updates the metrics with an answer and its events.
func (m *meter) measure(a feed.Answer, events []*feed.Event, now time.Time) error {
	m.learn(a)
	m.set.Tell(events, m.followed)
	m.noteGaps(events)
	m.putKeys()
	m.show(now)
	return nil
}

// putKeys has the loop read the lists of keys that the key reaches. A command about some projects reads none.
func (m *meter) putKeys() {
	if len(m.from.options.Projects) == 0 {
		m.keys.put(m.from.Account.KeyLists())
	}
}

// keysEvery returns how often each list is read: once a minute, or more rarely if that would be more than a twentieth of the requests.
func (m *meter) keysEvery() time.Duration {
	const least, share = time.Minute, 20
	budget := max(1, m.from.options.Budget)
	return max(least, time.Duration(share*len(m.keys.ids))*time.Second/time.Duration(budget))
}

// heardKeys updates the rotations of a list. A list that is refused is dropped. One that cannot be read now stays: it has the time
// of its last read.
func (m *meter) heardKeys(ctx context.Context, list *keys.Listed, a poll.Answer) {
	switch {
	case a.Err == nil:
		m.from.completeList(ctx, list)
		m.replaced[list.Of] = m.rotations(list, a.AsOf)
	case !models.Passing(a.Err) && models.Answered(a.Err):
		delete(m.replaced, list.Of)
	}
}

// rotations returns the states of the keys of a list that are being replaced.
func (m *meter) rotations(list *keys.Listed, read time.Time) metrics.KeyList {
	together, replaced := keys.ReadTogether(list.Of, list.Keys, &list.Memory, 0), metrics.KeyList{Org: list.Of.Org, Read: read}
	audit := keys.NewAudit([]*keys.Together{together}, keys.AuditOptions{Own: m.from.own(), Open: keys.OpenKeys(list.Open)})
	for i := range together.Pairs {
		if _, phase, found := audit.Replaced(together.Pairs[i].Old); found {
			replaced.Rotations = append(replaced.Rotations, phase)
		}
	}
	return replaced
}

// knownKeys returns what is known of the lists that the key reaches, in their order.
func (m *meter) knownKeys() (lists []metrics.KeyList) {
	for _, id := range m.keys.ids {
		if list, read := m.replaced[id]; read {
			lists = append(lists, list)
		}
	}
	return lists
}

// openGap is a span of time in which operations of a project may be missing, in nanoseconds since 1970.
type openGap struct {
	project      string
	since, until int64
}

// noteGaps keeps the gaps that are open.
func (m *meter) noteGaps(events []*feed.Event) {
	for _, e := range events {
		gap := openGap{e.Project, e.Since.UnixNano(), e.Until.UnixNano()}
		switch e.Kind {
		case feed.Missing:
			m.gaps[gap] = true
		case feed.Filled:
			delete(m.gaps, gap)
		default:
		}
	}
}

// lacks reports whether operations of a project may be missing after a time, by the service's clock.
func (m *meter) lacks(project string, since time.Time) bool {
	for gap := range m.gaps {
		if gap.project == project && gap.until > since.UnixNano() {
			return true
		}
	}
	return false
}

// followed reports whether there may be more events of an operation.
func (m *meter) followed(project, id string) bool {
	operations := m.lister.poller.Feed(project)
	if operations == nil {
		return false
	}
	_, found := operations.Find(id)
	return found
}

// learn updates the project of an answer.
func (m *meter) learn(a feed.Answer) {
	operations := m.lister.poller.Feed(a.Project)
	if operations == nil || !operations.Loaded() {
		return
	}
	m.set.Known(a.Project, a.Change.Added)
	m.failures.Learn(a.Project, a.Change)
	if !m.whole[a.Project] {
		start := feed.WindowSince(m.read(operations), m.window)
		m.whole[a.Project] = !operations.CompleteSince().After(start)
	}
}

// read returns when the newest page of a project was read, by the service's clock.
func (m *meter) read(project *feed.Feed) time.Time {
	return project.AsOf().Add(m.from.now().Sub(m.from.process.Clock()))
}

// show publishes what is known, once a second at most.
func (m *meter) show(now time.Time) {
	const often = time.Second
	if since := now.Sub(m.shown); since >= 0 && since < often {
		return
	}
	m.shown = now
	present := metrics.Present{Projects: make([]metrics.Project, 0, len(m.lister.projects)+1), Keys: m.knownKeys()}
	for i := range m.lister.projects {
		project := &m.lister.projects[i]
		if !models.NoID(project.ID) {
			present.Projects = append(present.Projects, m.project(project, now))
		}
	}
	m.set.Show(present)
}

// project returns what is known of a project.
func (m *meter) project(project *models.Project, now time.Time) metrics.Project {
	measured := metrics.Project{ID: project.ID, Name: project.Name, Org: project.OrgID, Region: project.RegionID}
	if measured.Org != "" {
		measured.OrgName = m.from.Account.OrgName(measured.Org)
	}
	poller := m.lister.poller
	operations := poller.Feed(project.ID)
	_, err := poller.Err(project.ID)
	if operations.Loaded() {
		measured.Read, measured.Running = operations.AsOf(), operations.Unfinished()
		since := m.read(operations).Add(-m.window)
		complete := m.whole[project.ID] && !m.lacks(project.ID, since)
		measured.Failed = models.Opt[int]{Value: m.failures.Since(project.ID, since), Known: complete}
	}
	switch {
	case err != nil:
		measured.State = metrics.Unreadable
	case !operations.Loaded():
		measured.State = metrics.Unread
	case now.Sub(measured.Read) > poller.Options().Bound():
		measured.State = metrics.Late
	default:
		measured.State = metrics.Current
	}
	return measured
}
