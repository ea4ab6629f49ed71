package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
)

// summaryLines is the most lines of a summary: as much as a chat shows at once.
const summaryLines = 12

// Summary returns the report in a few lines of text, for a chat: counts, where failures lie together, and the errors with the most
// failures. What does not fit is counted.
func (r *Report) Summary() string {
	lines := []string{"Report of " + r.Of + ", " + r.times(r.Since, r.Until), r.counts() + r.places()}
	if r.Status != nil {
		lines = append(lines, r.status())
	}
	var last []string
	if past := r.past(); past != "" {
		last = append(last, past)
	}
	if r.Clock != "" {
		last = append(last, "The span is "+r.Clock+".")
	}
	last = append(last, r.completeness())
	if n := len(r.missing()); n > 0 {
		last = append(last, fmt.Sprintf("Not all was read: the report names %s.", models.Plural(n, "reason")))
	}
	groups := r.groups()
	room := summaryLines - len(lines) - len(last)
	rest := groups[min(len(groups), room):]
	if len(rest) > 0 {
		rest = groups[room-1:]
	}
	for _, g := range groups[:len(groups)-len(rest)] {
		lines = append(lines, fmt.Sprintf("%s × %s: %s; %s", models.Count(g.Failed), g.Value, models.Plural(g.Projects, "project"), g.Sentence(r.moment)))
	}
	if len(rest) > 0 {
		failures := 0
		for _, g := range rest {
			failures += g.Failed
		}
		lines = append(lines, fmt.Sprintf("%s with %s", models.Plural(failures, "failure"), models.Plural(len(rest), "other error")))
	}
	return strings.Join(append(lines, last...), "\n") + "\n"
}

// groups returns the failures by their errors, those with the most first.
func (r *Report) groups() []incident.Group {
	return incident.Groups(incident.Errors, slices.Values(r.where(failed)), r.Pasts, r.groupSpan())
}

// past says as of when states are, if that is later than the span: the service tells no earlier ones.
func (r *Report) past() string {
	if r.Now.Sub(r.Until) <= time.Minute {
		return ""
	}
	return "All states are as of " + stampUTC(r.Now) + ", not of the end of the span: what has ended or was tried again since is shown so."
}

// document is a report as JSON. Times are those of the service's clock.
type document struct {
	Of    string     `json:"of"`
	Since time.Time  `json:"since"`
	Until time.Time  `json:"until"`
	AsOf  time.Time  `json:"as_of"` // of all states
	About []fact     `json:"about,omitempty"`
	Count counts     `json:"counts"`
	At    []location `json:"places"`
	Page  *page      `json:"status_page,omitempty"`

	Groups     []group     `json:"groups"`
	Unfinished []operation `json:"unfinished"`
	Recovered  []operation `json:"recovered"`
	Untimed    []operation `json:"untimed"`
	Keys       []keyEvent  `json:"api_keys"` // what was seen of them: there may be more
	Clock      string      `json:"clock,omitempty"`
	Complete   string      `json:"complete"`
	Missing    []string    `json:"missing"`
}

type keyEvent struct {
	At   time.Time `json:"at"`
	ID   int64     `json:"id"`
	Name string    `json:"name"`
	What string    `json:"what"`
}

type fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type counts struct {
	Operations int `json:"operations"`
	Failed     int `json:"failed"`
	Unfinished int `json:"unfinished"`
	Finished   int `json:"finished"`
	Recovered  int `json:"recovered"`
	Dropped    int `json:"cancelled_or_skipped"`
}

type location struct {
	By              string     `json:"by"`
	Value           string     `json:"value"`
	Name            string     `json:"name"`
	Failed          int        `json:"failed"`
	Ended           int        `json:"ended"`
	FailedElsewhere int        `json:"failed_elsewhere"`
	EndedElsewhere  int        `json:"ended_elsewhere"`
	From            *time.Time `json:"from"`  // they ended after that; null: they are of the whole report
	Until           *time.Time `json:"until"` // and not after that
	Since           *time.Time `json:"since"`
	Last            *time.Time `json:"last"` // failure
	Open            bool       `json:"since_or_before"`
}

type page struct {
	Name string     `json:"name"`
	Says string     `json:"says"`
	AsOf *time.Time `json:"as_of"`
}

type group struct {
	Error      string      `json:"error"`
	Failed     int         `json:"failed"`
	Projects   int         `json:"projects"`
	First      *time.Time  `json:"first"`
	Last       *time.Time  `json:"last"`
	Seen       string      `json:"seen"`
	Operations []operation `json:"operations"`
}

// operation is an operation as the API sends it, with the name of its project.
type operation struct {
	Project   string          `json:"project"`
	Operation json.RawMessage `json:"operation"`
}

// JSON returns the report as JSON: everything of [Report.Text] but what is drawn.
func (r *Report) JSON() ([]byte, error) {
	d := document{
		Of: r.Of, Since: r.Since.UTC(), Until: r.Until.UTC(), AsOf: r.Now.UTC(), Complete: r.completeness(), Clock: r.Clock,
		Missing: append([]string{}, r.missing()...), Unfinished: operations(r.where(unfinished)),
		Recovered: operations(r.whereEnded(recovered)), Untimed: operations(r.Untimed), At: []location{}, Groups: []group{},
		Count: counts{
			len(r.Operations), len(r.where(failed)), len(r.where(unfinished)), len(r.where(finished)), len(r.where(recovered)),
			len(r.where(dropped)),
		},
	}
	for _, f := range r.About {
		d.About = append(d.About, fact(f))
	}
	for _, c := range r.Places() {
		from, until := r.minutes(&c)
		d.At = append(d.At, location{
			c.By.String(), c.Value, r.label(c.By, c.Value), c.Failed, c.Ended, c.FailedElsewhere, c.EndedElsewhere,
			instant(from), instant(until), instant(c.Since), instant(c.Last), c.Open,
		})
	}
	if s := r.Status; s != nil {
		d.Page = &page{Name: s.Name, Says: "unknown"}
		if s.Known() {
			d.Page.Says, d.Page.AsOf = s.Claim.Text(stampUTC, ""), instant(s.AsOf)
		}
	}
	for _, g := range r.groups() {
		list := r.whereEnded(func(o incident.Operation) bool { return failed(o) && incident.Errors.Of(o) == g.Value })
		d.Groups = append(d.Groups, group{
			g.Value, g.Failed, g.Projects, instant(g.First), instant(g.Last), g.Sentence(r.moment), operations(list),
		})
	}
	d.Keys = []keyEvent{}
	for _, e := range r.Keys {
		d.Keys = append(d.Keys, keyEvent{e.At.UTC(), e.ID, e.Key, e.What})
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

func operations(list []incident.Operation) []operation {
	out := []operation{}
	for _, o := range list {
		out = append(out, operation{o.Name, o.JSON()})
	}
	return out
}

// instant returns a time, or nil if it is unknown.
func instant(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
