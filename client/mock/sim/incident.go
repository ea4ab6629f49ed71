package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Incident makes operations fail, besides those that fail by chance.
type Incident struct {
	// Region, Project and Action select the operations that it hits: by their region, the name of their project, and their
	// action. Empty is any.
	Region, Project, Action string
	// From is when it begins, relative to the start of the platform; negative is before. For is how long it lasts. It hits
	// operations that are created meanwhile. If For is 0, it hits all, also those before From.
	From, For time.Duration
	// Share is the share of the operations that fail, 0 for all.
	Share float64
	// Error is the reason that the live service gives, empty for one of its usual ones.
	Error string
}

// incidentHelp explains the syntax of an incident.
const incidentHelp = "such as 'region=aws-us-west-2 from=-10m for=30m p=0.7': " +
	"region=, project=NAME or action= say which operations fail, " +
	"from= when it begins, for= how long it lasts (without it, always), p= which share fails"

// ParseIncident parses an incident: words with values, as [incidentHelp] explains.
func ParseIncident(text string) (i Incident, err error) {
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "region":
			i.Region = value
		case "project":
			i.Project = value
		case "action":
			i.Action = value
		case "from":
			i.From, err = time.ParseDuration(value)
		case "for":
			i.For, err = time.ParseDuration(value)
		case "p":
			i.Share, err = strconv.ParseFloat(value, 64)
		default:
			return i, fmt.Errorf("incident: unknown word %q: use region, project, action, from, for or p", name)
		}
		if err != nil || value == "" {
			return i, fmt.Errorf("incident: %s: write it as %s", word, incidentHelp)
		}
	}
	return i, i.check()
}

func (i *Incident) check() error {
	switch {
	case i.Region+i.Project+i.Action == "":
		return errors.New("incident: add region=, project= or action=: " + incidentHelp)
	case i.Share < 0 || i.Share > 1:
		return errors.New("incident: p must be above 0 and up to 1")
	case i.For < 0:
		return errors.New("incident: for must be longer than 0")
	}
	return nil
}

// demoIncidents returns the incidents of [Options.DemoIncidents]: a region that fails for a while, a project that always
// fails, and a bad deploy in the past.
func demoIncidents(projects []*project) (out []Incident) {
	const region, always = 1, 3 // of projects that are busy
	if len(projects) > region {
		out = append(out, Incident{
			Region: projects[region].record.RegionID,
			From:   -12 * time.Minute, For: 30 * time.Minute, Share: 0.6,
			Error: "no free capacity in the region",
		})
	}
	if len(projects) > always {
		out = append(out, Incident{
			Project: projects[always].record.Name, Action: applyConfig,
			Error: "could not apply the roles: role \"web_anon\" is in use",
		})
	}
	return append(out, Incident{
		Action: startCompute, From: -3 * time.Hour, For: 40 * time.Minute, Share: 0.5,
		Error: "postgres exited with status 1",
	})
}

// checks adds recent checks that an incident of the demo hits. They show the incident also in projects with few operations.
func (p *project) checks(i *Incident) {
	const checks, apart = 6, 2 * time.Minute
	rng := newRand(p.key, 1<<43)
	b := &builder{project: p, rng: rng}
	for n := range checks {
		created := p.opened.Add(time.Duration(n-checks)*apart + between(rng, time.Second, time.Minute))
		if !i.hits(p, checkAvailability, created, p.opened) {
			continue
		}
		number := startedNumber + int64(len(p.started))
		compute := b.compute(anywhere)
		op := &operation{
			id: UUID(p.key, number), number: number, created: created.Truncate(time.Microsecond),
			action: checkAvailability, branch: compute.branch, endpoint: compute.endpoint,
			lifecycle: drawLifecycle(rng, checkAvailability, p.live),
		}
		b.suffer(op)
		p.started = append(p.started, op)
	}
}

// hits reports whether an incident hits an operation of a project with an action and a time of creation.
func (i *Incident) hits(p *project, action string, instant, start time.Time) bool {
	from := start.Add(i.From)
	return (i.Region == "" || i.Region == p.record.RegionID) &&
		(i.Project == "" || i.Project == p.record.Name) &&
		(i.Action == "" || i.Action == action) &&
		(i.For == 0 || !instant.Before(from) && instant.Before(from.Add(i.For)))
}

// suffer makes an operation fail if an incident hits it.
func (b *builder) suffer(op *operation) {
	for i := range b.incidents {
		incident := &b.incidents[i]
		if !incident.hits(b.project, op.action, op.created, b.opened) {
			continue
		}
		if incident.Share > 0 && b.rng.Float64() >= incident.Share {
			continue
		}
		op.lifecycle = lifecycle{wait: op.wait, end: failed}
		for range maxAttempts {
			op.attempts = append(op.attempts, between(b.rng, time.Second, 4*time.Second))
		}
		op.reason = incident.Error
		return
	}
}
