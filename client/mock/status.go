package mock

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// StatusPath is the service's public status page, which needs no key. Faults hit it by its name only.
const StatusPath = ControlPath + "/status"

// state is a state of the status page, as its vendor numbers them.
type state int

const (
	operational state = 100
	partlyDown  state = 400
	down        state = 500
)

// String returns the page's name of the state.
func (s state) String() string {
	return map[state]string{
		operational: "Operational", partlyDown: "Partial Service Disruption", down: "Service Disruption",
	}[s]
}

// of returns a part of the page in the state, with the regions that it contains.
func (s state) of(name string, containers []any) map[string]any {
	return map[string]any{"name": name, "status": s.String(), "status_code": int(s), "containers": containers}
}

// readStatus returns the status page: the state of each region. With the fault lies, it says that all works.
func (c *control) readStatus(r *http.Request) (any, error) {
	outages := c.platform.Outages()
	if varies(r, fault.Lies, "") {
		outages = nil
	}
	databases, overall := []any{}, operational
	for _, region := range c.platform.Regions() {
		state := operational
		for _, outage := range outages {
			if outage.Region == region {
				state = max(state, stateOf(outage))
			}
		}
		overall = max(overall, state)
		databases = append(databases, state.of(containerOf(region), nil))
	}
	parts := []any{
		overall.of("Database Connectivity", databases),
		operational.of("Console API", []any{}),
	}
	incidents := []any{}
	for _, outage := range outages {
		incidents = append(incidents, map[string]any{
			"name": cmp.Or(outage.Error, "Operations fail"), "datetime_open": outage.Since.UTC().Format(time.RFC3339Nano),
			"containers_affected": []any{map[string]any{"name": containerOf(outage.Region)}},
		})
	}
	return map[string]any{"result": map[string]any{
		"status_overall": map[string]any{"status": overall.String(), "status_code": int(overall), "updated": c.platform.Now()},
		"status":         parts, "incidents": incidents,
		"maintenance": map[string]any{"active": []any{}, "upcoming": []any{}},
	}}, nil
}

func stateOf(outage sim.Outage) state {
	if outage.Share == 0 || outage.Share == 1 {
		return down
	}
	return partlyDown
}

// containerOf returns the page's name of a region, such as AWS us-east-2 for aws-us-east-2.
func containerOf(region string) string {
	cloud, name, found := strings.Cut(region, "-")
	if !found {
		return region
	}
	if slices.Contains([]string{"aws", "gcp"}, cloud) {
		cloud = strings.ToUpper(cloud)
	}
	return cloud + " " + name
}
