package naming

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// A branch is no longer listed if two whole lists in a row lack it that are a minute apart and younger than its
// operation. Nothing else proves it.
func TestNoLongerListed(t *testing.T) {
	t.Parallel()
	type answer struct {
		after time.Duration // the operation began
		has   bool
		cut   bool
	}
	lacks := func(after time.Duration) answer { return answer{after: after} }
	for _, c := range []struct {
		answers []answer
		gone    bool
	}{
		{[]answer{lacks(time.Hour)}, false},
		{[]answer{lacks(10 * time.Second), lacks(70 * time.Second)}, true},
		{[]answer{lacks(10 * time.Second), lacks(69 * time.Second)}, false},
		{[]answer{lacks(10 * time.Second), lacks(40 * time.Second), lacks(70 * time.Second)}, true},
		{[]answer{lacks(-time.Second), lacks(60 * time.Second)}, false},
		{[]answer{lacks(time.Second), lacks(62 * time.Second)}, false}, // times of operations have no fractions
		{[]answer{lacks(2 * time.Second), lacks(62 * time.Second)}, true},
		{[]answer{lacks(10 * time.Second), {after: 40 * time.Second, has: true}, lacks(80 * time.Second)}, false},
		{[]answer{lacks(10 * time.Second), lacks(80 * time.Second), {after: 90 * time.Second, has: true}}, false},
		{[]answer{lacks(10 * time.Second), {after: 80 * time.Second, cut: true}}, false},
		{[]answer{{after: 10 * time.Second, cut: true}, lacks(80 * time.Second)}, false},
	} {
		l, began := newList(), epoch()
		l.see("br-a", began)
		for _, a := range c.answers {
			r := &reading{got: map[string]Name{}, began: began, asOf: began.Add(a.after), damaged: a.cut}
			if a.has {
				r.got["br-a"] = Name{Name: "main"}
			}
			l.receive(r)
		}
		if gone := l.entries["br-a"].Gone; gone != c.gone {
			t.Errorf("%+v: no longer listed: %t", c.answers, gone)
		}
	}
}

// A list has a limit: listed entries stay, and of the others those that began last.
func TestBound(t *testing.T) {
	t.Parallel()
	l, began := newList(), epoch()
	for round := range 40 {
		r := &reading{got: map[string]Name{}, began: began, asOf: began.Add(time.Hour + time.Duration(round)*2*apart)}
		for i := range 400 {
			id := fmt.Sprint("br-", round, "-", i)
			l.see(id, began.Add(time.Duration(round)*time.Minute))
			r.got[id] = Name{Name: id}
		}
		l.receive(r)
	}
	if len(l.entries) != mostListed || l.entries["br-39-0"] == nil || l.entries["br-38-0"] == nil || l.entries["br-0-0"] != nil {
		t.Errorf("%d entries are kept", len(l.entries))
	}
	for i := range 2 * mostSought {
		l.see(fmt.Sprint("br-never-", i), began)
	}
	if len(l.sought) > mostSought {
		t.Errorf("%d are looked for", len(l.sought))
	}
}

// crowd is a service whose projects have many branches.
type crowd struct{ branches int }

// Branches implements [Service].
func (c crowd) Branches(_ context.Context, project string, r models.PageRequest) (page models.Page[models.Branch], err error) {
	page.Cursor = r.Cursor
	for i := range c.branches {
		id := fmt.Sprint(project, "-", r.Cursor, i)
		page.Items = append(page.Items, models.Branch{ID: id, Name: id})
	}
	page.Next = r.Cursor + "x"
	return page, nil
}

// Endpoints implements [Service].
func (c crowd) Endpoints(context.Context, string) (page models.Page[models.Endpoint], err error) {
	return page, nil
}

// drive answers all that is due, and returns how many requests that took.
func drive(p *poll.Poller, now time.Time) (requests int) {
	for {
		due, _ := p.Next(now)
		if len(due) == 0 {
			return requests
		}
		for _, r := range due {
			requests++
			p.Receive(r.Do(context.Background()), now)
		}
	}
}

// driveFor drives a poller for a time, once a second, and returns how many requests that took.
func driveFor(p *poll.Poller, seconds int) (requests int) {
	for range seconds {
		requests += drive(p, p.Now().Add(time.Second))
	}
	return requests
}

// Projects that are no longer wanted make room for others. If all are wanted, the names of seen operations are kept.
func TestRoom(t *testing.T) {
	t.Parallel()
	p := poll.New(100)
	n := New(p, crowd{1000})
	drive(p, epoch())
	for i := range 30 {
		n.Look(map[string]bool{fmt.Sprint("p", i): true})
		driveFor(p, 10)
		if n.count > mostNames {
			t.Fatalf("%d names are kept after %d projects", n.count, i+1)
		}
	}
	if n.Book()["p29"].Branches == nil || n.Book()["p28"].Branches == nil || n.Book()["p0"].Branches != nil {
		t.Error("not those are kept that were looked at last")
	}
	wanted := map[string]bool{}
	for i := range 30 {
		wanted[fmt.Sprint("q", i)] = false
	}
	n.Ask(wanted)
	for id := range wanted {
		n.See(id, &models.Operation{BranchID: id + "-0", CreatedAt: p.Now()})
	}
	driveFor(p, 60)
	for id := range wanted {
		if n.Book().Branch(id, id+"-0").Name == "" {
			t.Errorf("the branch of an operation in %s has no name", id)
		}
	}
	if n.count > mostNames {
		t.Errorf("%d names are kept", n.count)
	}
}

// refusing is a service that tells no names: it knows only the specification.
type refusing struct{}

// Branches implements [Service].
func (refusing) Branches(context.Context, string, models.PageRequest) (page models.Page[models.Branch], err error) {
	return page, refusal(404)
}

// Endpoints implements [Service].
func (refusing) Endpoints(context.Context, string) (page models.Page[models.Endpoint], err error) {
	return page, refusal(404)
}

// A service that tells no names is asked by a few requests an hour, however many projects there are.
func TestUntold(t *testing.T) {
	t.Parallel()
	p := poll.New(5)
	n := New(p, refusing{})
	drive(p, epoch())
	wanted := map[string]bool{}
	for i := range 500 {
		wanted[fmt.Sprint("p", i)] = true
	}
	n.Look(wanted)
	if waiting := n.Waiting(); waiting != 500 {
		t.Errorf("%d projects are waited for", waiting)
	}
	asked := driveFor(p, 59*60)
	if asked == 0 || asked > 30 || n.Waiting() != 0 {
		t.Errorf("%d requests within an hour, and %d projects are waited for", asked, n.Waiting())
	}
	if asked += driveFor(p, 120); asked > 60 {
		t.Errorf("%d requests within an hour and a minute", asked)
	}
}

// failing is a service that fails at branches.
type failing struct{ refusing }

// Branches implements [Service].
func (failing) Branches(context.Context, string, models.PageRequest) (page models.Page[models.Branch], err error) {
	return page, refusal(503)
}

// A list that fails again and again is tried every five minutes.
func TestRest(t *testing.T) {
	t.Parallel()
	p := poll.New(5)
	n := New(p, failing{})
	drive(p, epoch())
	n.Look(map[string]bool{"p": false})
	if asked := driveFor(p, 3600); asked < 10 || asked > 20 {
		t.Errorf("%d requests within an hour", asked)
	}
}

// tellOne is a service with one branch in every project.
type tellOne struct{ crowd }

// Branches implements [Service].
func (tellOne) Branches(_ context.Context, _ string, _ models.PageRequest) (page models.Page[models.Branch], err error) {
	page.Items = []models.Branch{{ID: "br-a", Name: "main", Default: models.Opt[bool]{Value: true, Known: true}}, {ID: "br-b", Name: "unseen"}}
	return page, nil
}

// Names of an earlier run are known before anything is read, and are read again like all others. What is no longer listed
// is looked for again only for a younger operation.
func TestKept(t *testing.T) {
	t.Parallel()
	run := func(now time.Time, began time.Time, kept []Kept) (*Names, int) {
		p := poll.New(5)
		n := New(p, tellOne{})
		drive(p, now)
		n.Restore(kept)
		if name := n.Book().Branch("p", "br-old"); name.Gone != (kept != nil) {
			t.Errorf("at first: %+v", name)
		}
		n.Look(map[string]bool{"p": false})
		n.See("p", &models.Operation{BranchID: "br-a", CreatedAt: began})
		n.See("p", &models.Operation{BranchID: "br-old", CreatedAt: began})
		return n, driveFor(p, 600)
	}
	now, began := epoch(), epoch().Add(-time.Hour)
	n, asked := run(now, began, nil)
	want := map[string]Name{"br-a": {Name: "main", Default: true}, "br-old": {Gone: true}}
	kept := n.Kept()
	if asked != 2 || len(kept) != len(want) {
		t.Fatalf("%d requests, kept %+v", asked, kept)
	}
	for _, k := range kept {
		if k.Project != "p" || k.Name != want[k.ID] || k.Lacked.IsZero() == k.Name.Gone {
			t.Errorf("kept %+v", k)
		}
	}
	if _, asked := run(now.Add(time.Hour), began, kept); asked != 1 {
		t.Errorf("%d requests with what is remembered", asked)
	}
	if _, asked := run(now.Add(time.Hour), now.Add(time.Hour), kept); asked != 3 {
		t.Errorf("%d requests for a younger operation", asked)
	}
}
