package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/internal/driver"
	"pgtower/internal/faultserver"
	"pgtower/models/control"
)

// told is a line of operations --follow --json.
type told struct {
	Event, ID, Status string
	Project           string `json:"project_id"`
	Since, Until      time.Time
}

// busyAccount is a mock in each of whose projects an operation runs, while a command tells what happens.
type busyAccount struct {
	*mock.Server

	t        *testing.T
	projects []string
	began    time.Time       // following, by the mock's clock
	rest     []byte          // of what was printed, without the end of its line
	printed  *os.File        // what was not read yet
	last     map[string]told // the last line of each operation
	gaps     map[told]bool   // that are told and not filled
}

// newBusyAccount returns an account whose clock is ahead of this computer's.
func newBusyAccount(t *testing.T, projects int, ahead time.Duration) *busyAccount {
	t.Helper()
	server, err := mock.New(mock.Options{
		Seed: 7, Clock: time.Now, Start: time.Now().Add(ahead), Projects: projects, Operations: 300, Live: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &busyAccount{Server: server, t: t, last: map[string]told{}, gaps: map[told]bool{}}
	list, err := server.Projects("", "", "", projects)
	if err != nil || len(list) != projects {
		t.Fatalf("%d projects, %v", len(list), err)
	}
	for i := range list {
		b.projects = append(b.projects, list[i].ID)
		b.start(list[i].ID, 3*time.Hour, false)
	}
	return b
}

func (b *busyAccount) start(project string, run time.Duration, fail bool) {
	b.t.Helper()
	task := mock.Task{ProjectID: project, Action: "create_branch", Run: run, Fail: fail}
	if _, err := b.Start(task); err != nil {
		b.t.Fatal(err)
	}
}

// burst starts operations in a third of the projects.
func (b *busyAccount) burst(first, size int) {
	b.t.Helper()
	for i := range len(b.projects) / 3 {
		for n := range size {
			b.start(b.projects[(first+3*i)%len(b.projects)], time.Duration(2+n%3*9)*time.Second, n%7 == 3)
		}
	}
}

// source returns what the command has with the default flags.
func (b *busyAccount) source() *Source {
	b.t.Helper()
	o := &Options{JSON: true, Interval: 5 * time.Second, PageSize: 100, Budget: 5}
	api := clientOf(b.t, b.Server, client.Options{Clock: time.Now, Transport: transport(func(r *http.Request) (*http.Response, error) {
		time.Sleep(100 * time.Millisecond)
		return faultserver.InProcess{Handler: b.Server}.RoundTrip(r)
	})})
	files := driver.NewFiles(b.t, "")
	var err error
	if b.printed, err = os.Open(files.Out.Name()); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = b.printed.Close() })
	now := func() time.Time { return time.Now().Add(api.Skew().Value) }
	process := Process{Clock: time.Now, Stdout: files.Out, Stderr: files.Err}
	return NewSource(process, o, control.Connection{API: api, Skew: api.Skew}, now)
}

// follow runs the command until it is stopped.
func (b *busyAccount) follow() (stop func()) {
	b.t.Helper()
	from, ended := b.source(), make(chan error)
	ctx, cancel := context.WithCancel(b.t.Context())
	b.began = b.Now()
	go func() { ended <- listOperations(ctx, from, Listing{Follow: true}) }()
	return func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			b.t.Error(err)
		}
		time.Sleep(time.Minute) // for the requests in flight
	}
}

// read takes in the lines that were told since it was called last. The last one may be being written.
func (b *busyAccount) read() {
	b.t.Helper()
	text, err := io.ReadAll(b.printed)
	if err != nil {
		b.t.Fatal(err)
	}
	text = append(b.rest, text...)
	end := bytes.LastIndexByte(text, '\n') + 1
	b.rest = bytes.Clone(text[end:])
	for line := range strings.Lines(string(text[:end])) {
		var one told
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			b.t.Fatal(err)
		}
		b.take(one)
	}
}

// take takes in a line: an operation is added once, and a gap that is filled was told.
func (b *busyAccount) take(one told) {
	b.t.Helper()
	gap := told{Project: one.Project, Since: one.Since, Until: one.Until}
	_, before := b.last[one.ID]
	switch {
	case one.Event == "gap" && !b.gaps[gap]:
		b.gaps[gap] = true
	case one.Event == "filled" && b.gaps[gap]:
		delete(b.gaps, gap)
	case one.Event == "added" && !before, one.Event == "changed" && before:
		b.last[one.ID] = one
	default:
		b.t.Fatalf("after %v: %+v", b.Now().Sub(b.began), one)
	}
}

// news returns the operations of a project that began since following began.
func (b *busyAccount) news(project string) (list []operation) {
	b.t.Helper()
	for cursor := ""; ; {
		page, next, err := b.Operations(project, cursor, 100)
		if err != nil {
			b.t.Fatal(err)
		}
		for i := range page {
			op := operation{page[i].ID, project, page[i].Status, b.time(page[i].CreatedAt), b.time(page[i].UpdatedAt)}
			if !op.created.After(b.began) {
				return list
			}
			list = append(list, op)
		}
		if cursor = next; next == "" {
			return list
		}
	}
}

func (b *busyAccount) time(text string) time.Time {
	b.t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		b.t.Fatal(err)
	}
	return at
}

// operation is one that the mock has.
type operation struct {
	id, project, status string
	created, updated    time.Time
}

// ended reports whether it is over, unless it is tried again.
func (o operation) ended() bool { return o.status == "finished" || o.status == "failed" }

// check returns how much of what is older than a time was not told: operations, their ends, and what gaps leave out. No
// such operation is neither told nor under a gap.
func (b *busyAccount) check(young time.Duration) (untold int) {
	b.t.Helper()
	untold, before := len(b.gaps), b.Now().Add(-young)
	for _, project := range b.projects {
		for _, op := range b.news(project) {
			line, found := b.last[op.id]
			late := !found && op.created.Before(before)
			if late && !b.covered(op) {
				b.t.Fatalf("%s began %v after following began, and neither it nor a gap was told", op.id, op.created.Sub(b.began))
			}
			stale := found && op.ended() && op.updated.Before(before) && line.Status != op.status
			if late || stale {
				untold++
			}
		}
	}
	return untold
}

// covered reports whether an operation lies under a gap that was told.
func (b *busyAccount) covered(op operation) bool {
	for gap := range b.gaps {
		if gap.Project == op.project && !op.created.Before(gap.Since) && !op.created.After(gap.Until) {
			return true
		}
	}
	return false
}

// TestFollowTellsAllOfABusyAccount has five bursts in a third of many projects, with the default flags: whatever begins is
// told, or the gap in which it lies. That takes at most as long as a round of all projects, and two intervals. In the end all
// is told as it ended, and each gap is filled.
func TestFollowTellsAllOfABusyAccount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]burstsOf{
		"30 projects":                    {projects: 30, sizes: []int{50, 100, 200, 300, 400}, slower: 1},
		"60 projects, its clock ahead":   {projects: 60, sizes: []int{50, 100, 150, 250, 400}, ahead: 3 * time.Hour, slower: 1},
		"120 projects, its clock behind": {projects: 120, sizes: []int{50, 60, 80, 100, 150}, ahead: -5 * time.Hour, slower: 1},
		"30 projects, the requests limited": {
			projects: 30, sizes: []int{50, 100, 200, 300, 400}, slower: 6,
			fault: "429 of list_operations p=0.3 retry-after=2 count=40",
		},
	} {
		if testing.Short() && c.fault == "" {
			continue // it runs the same code, for many more operations
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, c.test)
		})
	}
}

// burstsOf are bursts in a third of so many projects.
type burstsOf struct {
	projects int
	sizes    []int         // in each project
	ahead    time.Duration // of the account's clock
	fault    string        // that begins with the third burst
	slower   time.Duration // how much longer a round takes then
}

func (c burstsOf) test(t *testing.T) {
	const pause, step = 15 * time.Second, 5 * time.Second
	b := newBusyAccount(t, c.projects, c.ahead)
	time.Sleep(2 * time.Second)
	stop := b.follow()
	defer stop()
	// Each project is read within three seconds for each request a second, of which the poller uses nine in ten.
	const perProject = 3 * time.Second * 10 / (9 * 5)
	round := c.slower * time.Duration(c.projects) * perProject
	last := pause * time.Duration(len(c.sizes))
	for passed := step; ; passed += step {
		time.Sleep(step)
		c.burst(b, passed, pause)
		b.read()
		untold := b.check(round + 12*time.Second)
		if passed > last+round && untold == 0 {
			return
		}
		if passed > last+4*round {
			t.Fatalf("%v after the last burst, %d are not told", passed-last, untold)
		}
	}
}

// burst begins what is due when so much time has passed.
func (c burstsOf) burst(b *busyAccount, passed, pause time.Duration) {
	b.t.Helper()
	n := int(passed/pause) - 1
	if passed%pause != 0 || n >= len(c.sizes) {
		return
	}
	b.burst(7*n, c.sizes[n])
	if n != 2 || c.fault == "" {
		return
	}
	if _, err := b.Inject(c.fault); err != nil {
		b.t.Fatal(err)
	}
}
