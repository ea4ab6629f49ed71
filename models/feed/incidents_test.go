package feed

import (
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/incident"
)

// TestIncidentsOfThePlatformAreFound makes incidents in the platform, and compares what is claimed of the operations
// that the poller loaded with what was made: the groups' numbers and times, what was seen since the failures, where
// failures lie, and which of them are known once the first is acknowledged.
func TestIncidentsOfThePlatformAreFound(t *testing.T) {
	t.Parallel()
	for _, kind := range []incident.Dimension{incident.Regions, incident.Projects, incident.Actions, incident.Errors} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { checkIncident(t, drawTrouble(t, kind)) })
		})
	}
}

// trouble is an incident that was made: what fails is all that has a value from one time to another.
type trouble struct {
	*platform

	by       incident.Dimension // [incident.Errors]: noise only
	from, to time.Time
	made     []incident.Operation // as they end, those of a project oldest first
}

// hit is the value of each dimension that the incident hits.
var hit = map[incident.Dimension]string{
	incident.Regions: "region-1", incident.Projects: "p01", incident.Actions: "apply_config",
}

// placed returns an operation with what the platform does not know: its region, and an action by its number.
func placed(project string, op *models.Operation) incident.Operation {
	copied := *op
	if strings.HasSuffix(op.BranchID, "5") { // one in ten, in no order
		copied.Action = "apply_config"
	}
	copied.Error = ""
	if op.Status.Failed() {
		copied.Error = "no answer from host " + op.ID
	}
	where := "region-0"
	if project == "p02" || project == "p03" {
		where = "region-1"
	}
	return incident.Operation{Operation: &copied, Project: project, Region: where}
}

// drawTrouble makes an incident of a kind. A project fails always, the others for some minutes of the half hour.
func drawTrouble(t *rapid.T, by incident.Dimension) *trouble {
	m := &trouble{platform: &platform{lives: map[string][]life{}}, by: by}
	begins := epoch().Add(-30 * time.Minute)
	for _, name := range []string{"p00", "p01", "p02", "p03", "p04", "p05", "p06", "p07"} {
		m.born(name, 100, begins, 18*time.Second, 3*time.Second)
	}
	m.from = epoch().Add(-time.Duration(rapid.IntRange(10, 14).Draw(t, "minutes ago")) * time.Minute)
	m.to = m.from.Add(time.Duration(rapid.IntRange(8, 20).Draw(t, "minutes")) * time.Minute)
	if by == incident.Projects {
		m.from, m.to = begins, epoch().Add(time.Hour)
	}
	chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "noise"), 1))
	for _, name := range slices.Sorted(maps.Keys(m.lives)) {
		lives := m.lives[name]
		for i := range slices.Backward(lives) {
			m.decide(name, &lives[i], chance.IntN(300) == 0)
		}
	}
	return m
}

// decide makes an operation fail or not.
func (m *trouble) decide(name string, l *life, unlucky bool) {
	op := l.at(l.end)
	during := !l.born.Before(m.from) && l.born.Before(m.to)
	struck := during && m.by != incident.Errors && m.by.Of(placed(name, &op)) == hit[m.by]
	if struck || unlucky {
		l.as = models.StatusFailed
		op = l.at(l.end)
	}
	m.made = append(m.made, placed(name, &op))
}

func checkIncident(t *rapid.T, m *trouble) {
	r := newRun(t.Fatalf, m.platform, Options{Interval: 5 * time.Second, Budget: 20, PageSize: 200})
	r.check = false // of the poller's claims, which have their own tests
	r.until(at(120))
	now := at(0)
	all := func(yield func(incident.Operation) bool) {
		for project, op := range r.Timeline().All() {
			if !yield(placed(project, op)) {
				return
			}
		}
	}
	m.checkGroups(t, all)
	if m.by != incident.Errors {
		m.checkConcentration(t, all, now)
		m.checkAcknowledged(t, all)
	}
}

// checkGroups compares the groups of the dimension with what was made.
func (m *trouble) checkGroups(t *rapid.T, all iter.Seq[incident.Operation]) {
	span := incident.Span{Since: at(-1800), Window: 15 * time.Minute, Now: at(0)}
	for _, g := range incident.Groups(m.by, all, incident.PastsOf(all), span) {
		want := m.group(g.Value, span)
		got := incident.Group{Failed: g.Failed, Projects: g.Projects, First: g.First, Last: g.Last}
		for s := range g.Seen {
			got.Seen[s].Projects = g.Seen[s].Projects
		}
		if g.Failed > 0 && got != want {
			t.Fatalf("by %v, %q is %+v, made was %+v", m.by, g.Value, got, want)
		}
	}
}

// group returns what was made with a value, without the times of what was seen.
func (m *trouble) group(value string, span incident.Span) (g incident.Group) {
	worst := map[string]incident.State{}
	for _, o := range m.made {
		if !o.Status.Failed() || m.by.Of(o) != value {
			continue
		}
		g.Failed++
		if state, last := m.seenSince(o, span); last {
			known, has := worst[o.Project]
			if !has || state < known {
				worst[o.Project] = state
			}
		}
		if g.First.IsZero() || o.UpdatedAt.Before(g.First) {
			g.First = o.UpdatedAt
		}
		if o.UpdatedAt.After(g.Last) {
			g.Last = o.UpdatedAt
		}
	}
	for _, state := range worst {
		g.Seen[state].Projects++
	}
	g.Projects = len(worst)
	return g
}

// seenSince returns what was made of the work of a failure after it, and whether it is the last failure of its value
// there.
func (m *trouble) seenSince(f incident.Operation, span incident.Span) (state incident.State, last bool) {
	state = incident.NotTried
	if span.Now.Sub(f.UpdatedAt) < span.Window {
		state = incident.Failing
	}
	for _, o := range m.made {
		later := o.UpdatedAt.After(f.UpdatedAt)
		switch {
		case incident.WorkOf(o) != incident.WorkOf(f):
		case later && o.Status.Failed() && m.by.Of(o) == m.by.Of(f):
			return 0, false
		case later && o.Status == models.StatusFinished:
			state = incident.Worked
		case o.CreatedAt.After(f.UpdatedAt) && state == incident.NotTried:
			state = incident.TriedAgain
		}
	}
	return state, true
}

// checkConcentration wants the incident to be named first, with the numbers that were made. What ended is compared by the time.
func (m *trouble) checkConcentration(t *rapid.T, all iter.Seq[incident.Operation], now time.Time) {
	ended := slices.SortedFunc(all, func(a, b incident.Operation) int { return b.EndedAt().Compare(a.EndedAt()) })
	places := incident.Concentrated(slices.Values(ended), now, time.Time{}, nil, incident.Spans()...)
	if len(places) == 0 {
		t.Fatal("no place is found")
	}
	got := places[0]
	want := incident.Concentration{By: m.by, Value: hit[m.by], Span: got.Span, Since: got.Since, Last: got.Last, Quiet: got.Quiet, Open: got.Open}
	for _, o := range m.made {
		switch here, failed := want.Has(o), o.Status.Failed(); {
		case !o.EndedAt().After(now.Add(-got.Span)):
		case here && failed:
			want.Failed, want.Ended = want.Failed+1, want.Ended+1
			want.Last = later(want.Last, o.EndedAt())
		case here:
			want.Ended++
		case failed:
			want.FailedElsewhere, want.EndedElsewhere = want.FailedElsewhere+1, want.EndedElsewhere+1
		default:
			want.EndedElsewhere++
		}
	}
	want.Quiet = !want.Last.After(now.Add(-incident.Spans()[0]))
	if got != want {
		t.Fatalf("%+v; made was %+v", got, want)
	}
}

// checkAcknowledged acknowledges the first failure made: it is known wherever it happens, and no other one is.
func (m *trouble) checkAcknowledged(t *rapid.T, all iter.Seq[incident.Operation]) {
	first := m.made[slices.IndexFunc(m.made, func(o incident.Operation) bool { return o.Status.Failed() })]
	known := incident.Acknowledged{}
	known.Add(incident.FailureOf(first), first.EndedAt())
	for o := range all {
		same := o.Status.Failed() && incident.WorkOf(o) == incident.WorkOf(first)
		if known.Has(o) != same {
			t.Fatalf("after %+v was acknowledged, %+v is known: %v", first.Operation, o.Operation, !same)
		}
	}
}
