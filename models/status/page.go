// Package status reads the public status page of a service: what it says of the service's parts in each region. It is
// asked only while there is a reason, and without a key. What it does not say is unknown.
package status

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Code is the state of a part of a service.
type Code int

// The states that are known. Others are shown as they are.
const (
	Works       Code = 100
	Maintenance Code = 200
	Slow        Code = 300
	PartlyDown  Code = 400
	Down        Code = 500
	Security    Code = 600
)

// String returns the words of the state.
func (c Code) String() string {
	switch c {
	case Works:
		return "works"
	case Maintenance:
		return "planned maintenance"
	case Slow:
		return "slow"
	case PartlyDown:
		return "partly down"
	case Down:
		return "down"
	case Security:
		return "security event"
	}
	return fmt.Sprintf("in state %d", int(c))
}

// Page is what a status page said.
type Page struct {
	Parts     []Part
	Incidents []Incident
}

// Part is a part of the service in a region, such as its Console API; Region is empty where it is of none.
type Part struct {
	Name, Region string
	Code         Code
}

// known reports whether the state of the part could be read.
func (p Part) known() bool { return p.Code > 0 }

// Incident is an open incident, as the vendor tells it.
type Incident struct {
	Name    string
	Opened  time.Time // or zero, if that is unknown
	Regions []string  // empty: all
}

// errBroken is the error of a page that cannot be read.
var errBroken = errors.New("its answer is not that of a status page")

const (
	maxText = 200   // characters of a name
	maxAll  = 5_000 // parts, and incidents
)

// document is a page as it is sent.
type document struct {
	Result *struct {
		Status    []component       `json:"status"`
		Incidents []json.RawMessage `json:"incidents"`
	} `json:"result"`
}

type component struct {
	Name       string      `json:"name"`
	Code       json.Number `json:"status_code"`
	Containers []struct {
		Name string      `json:"name"`
		Code json.Number `json:"status_code"`
	} `json:"containers"`
}

// Parse reads a page. An error means that what it says is unknown: a broken one may come with any status.
func Parse(doc []byte) (Page, error) {
	var read document
	if err := json.Unmarshal(doc, &read); err != nil || read.Result == nil || len(read.Result.Status) == 0 {
		return Page{}, errBroken
	}
	var out Page
	for _, entry := range read.Result.Status {
		if len(entry.Containers) == 0 {
			out.add(entry.Name, "", entry.Code)
		}
		for _, container := range entry.Containers {
			out.add(entry.Name, regionOf(container.Name), container.Code)
		}
	}
	for _, raw := range read.Result.Incidents {
		out.addIncident(raw)
	}
	if !slices.ContainsFunc(out.Parts, Part.known) {
		return Page{}, errBroken
	}
	return out, nil
}

// add adds a part. Its code is 0 if its state cannot be read.
func (p *Page) add(name, region string, code json.Number) {
	number, err := code.Int64()
	if err != nil || number < 0 || number >= 1000 {
		number = 0
	}
	if len(p.Parts) < maxAll {
		p.Parts = append(p.Parts, Part{Name: clean(name), Region: region, Code: Code(number)})
	}
}

// addIncident adds an incident, as far as it can be read.
func (p *Page) addIncident(raw json.RawMessage) {
	var read struct {
		Name       string            `json:"name"`
		Opened     string            `json:"datetime_open"`
		Containers []json.RawMessage `json:"containers_affected"`
	}
	if json.Unmarshal(raw, &read) != nil || len(p.Incidents) == maxAll {
		return
	}
	entry := Incident{Name: clean(read.Name)}
	opened, err := time.Parse(time.RFC3339, read.Opened)
	if err == nil {
		entry.Opened = opened
	}
	for _, container := range read.Containers {
		if region := regionOf(nameOf(container)); region != "" {
			entry.Regions = append(entry.Regions, region)
		}
	}
	p.Incidents = append(p.Incidents, entry)
}

// nameOf returns the name of a container, which is a text or an object with it.
func nameOf(raw json.RawMessage) (name string) {
	var object struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(raw, &name) != nil && json.Unmarshal(raw, &object) == nil {
		return object.Name
	}
	return name
}

// regionOf returns the region of a container: AWS us-east-2 is aws-us-east-2.
func regionOf(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(clean(name))), "-")
}

func clean(text string) string {
	out := []rune(models.Clean(text))
	return string(out[:min(len(out), maxText)])
}

// Claim is what a page says of regions, or of the service.
type Claim struct {
	Region string   // the worst of those that were asked about; empty: the service as a whole
	Asked  []string // the regions that were asked about
	Others int      // how many of them have trouble besides this one
	Code   Code     // 0: the page does not tell of it
	Parts  []string
	Since  time.Time // when the incident there was opened, or zero if that is unknown
	// Incident is the name of an open incident there while all parts work, or "". Region is empty if it names none.
	Incident string
}

// Of returns what the page says of regions: of the worst one, or of the first if all are alike. Without any, it is of all.
func (p *Page) Of(regions ...string) Claim {
	if len(regions) == 0 {
		return p.whole()
	}
	var claims []Claim
	for _, region := range regions {
		claims = append(claims, p.claimOf(region))
	}
	worst := slices.MaxFunc(claims, Claim.compare)
	for _, c := range claims {
		if c.Trouble() && c.Region != "" && c.Region != worst.Region {
			worst.Others++
		}
	}
	worst.Asked = regions
	return worst
}

func (p *Page) claimOf(region string) Claim {
	var parts []Part
	for _, part := range p.Parts {
		if part.Region == region {
			parts = append(parts, part)
		}
	}
	return p.claim(region, parts)
}

// rank orders claims. What is unknown is worse than what works, and any trouble worse than planned maintenance.
func (c Claim) rank() int {
	switch {
	case c.Code > Maintenance:
		return int(c.Code)
	case c.Incident != "" && c.Region != "":
		return 4
	case c.Incident != "":
		return 3
	case c.Code == Maintenance:
		return 2
	case c.Code == 0:
		return 1
	}
	return 0
}

func (c Claim) compare(other Claim) int { return cmp.Compare(c.rank(), other.rank()) }

// whole returns what the page says of the service as a whole. If all of its troubles are of regions, the worst is named.
func (p *Page) whole() Claim {
	var regions []string
	for _, part := range p.Parts {
		if part.Code > Works {
			regions = append(regions, part.Region)
		}
	}
	if len(regions) == 0 || slices.Contains(regions, "") {
		return p.claim("", p.Parts)
	}
	for _, entry := range p.Incidents {
		regions = append(regions, entry.Regions...)
	}
	slices.Sort(regions)
	return p.Of(slices.Compact(regions)...)
}

// claim returns what is said of some parts: those of a region, or all.
func (p *Page) claim(region string, parts []Part) Claim {
	c, unread := Claim{Region: region}, false
	for _, part := range parts {
		c.Code = max(c.Code, part.Code)
		unread = unread || !part.known()
	}
	for _, part := range parts {
		if part.Code == c.Code && c.Code > Works && !slices.Contains(c.Parts, part.Name) {
			c.Parts = append(c.Parts, part.Name)
		}
	}
	open := slices.IndexFunc(p.Incidents, func(i Incident) bool { return i.named(region) != "" })
	if open < 0 {
		open = slices.IndexFunc(p.Incidents, func(i Incident) bool { return i.concerns(region) })
	}
	switch {
	case c.Code > Works:
		c.Since = p.since(region, c.Code > Maintenance)
	case c.Code == Works && open >= 0:
		i := p.Incidents[open]
		c.Incident, c.Since, c.Region = cmp.Or(i.Name, "without a name"), i.Opened, i.named(region)
	case c.Code == Works && unread:
		c.Code = 0
	}
	return c
}

// named returns a region that the incident names: the one that was asked about, or its only one; or "".
func (i *Incident) named(region string) string {
	switch {
	case region == "" && len(i.Regions) == 1:
		return i.Regions[0]
	case slices.Contains(i.Regions, region):
		return region
	}
	return ""
}

// concerns reports whether an incident may be of a region: it names that, or none.
func (i *Incident) concerns(region string) bool {
	return region == "" || len(i.Regions) == 0 || slices.Contains(i.Regions, region)
}

// since returns when the first incident of a region was opened, or of any without one. unnamed includes those that name no region.
func (p *Page) since(region string, unnamed bool) (first time.Time) {
	for _, entry := range p.Incidents {
		of := entry.concerns(region) && (unnamed || len(entry.Regions) > 0)
		if of && !entry.Opened.IsZero() && (first.IsZero() || entry.Opened.Before(first)) {
			first = entry.Opened
		}
	}
	return first
}

// Trouble reports whether the page tells of more than planned maintenance.
func (c Claim) Trouble() bool { return c.Code > Maintenance || c.Incident != "" }

// Text says it: "aws-eu-central-1 partly down since 18:58 (Database Connectivity)". since formats a time, and about is the region
// that is named just before it, or "".
func (c Claim) Text(since func(time.Time) string, about string) string {
	at := ""
	if !c.Since.IsZero() {
		at = " since " + since(c.Since)
	}
	switch {
	case c.Code == 0 && c.Region == "":
		return "unknown: a part of the page cannot be read"
	case c.Code == 0:
		return "unknown: the page does not tell of " + c.Region
	case c.Incident != "":
		return "incident" + c.in(about) + at + c.more() + ": " + c.Incident
	case c.Code == Works && len(c.Asked) == 2:
		return "no incident in " + c.Asked[0] + " and " + c.Asked[1]
	case c.Code == Works && len(c.Asked) > 2:
		return fmt.Sprintf("no incident in these %d regions", len(c.Asked))
	case c.Code == Works && c.Region != "" && c.Region == about:
		return "no incident there"
	case c.Code == Works:
		return "no incident" + c.in("")
	}
	text := c.Code.String() + at + c.more()
	if c.Region != "" && c.Region != about {
		text = c.Region + " " + text
	}
	if n := len(c.Parts) - 1; n == 0 {
		text += " (" + c.Parts[0] + ")"
	} else if n > 0 {
		text += fmt.Sprintf(" (%s, +%d)", c.Parts[0], n)
	}
	return text
}

// in names the region, unless that was done just before.
func (c Claim) in(about string) string {
	if c.Region == "" || c.Region == about {
		return ""
	}
	return " in " + c.Region
}

// more counts the other regions with trouble.
func (c Claim) more() string {
	if c.Others == 0 {
		return ""
	}
	return ", +" + models.Plural(c.Others, "more region")
}
