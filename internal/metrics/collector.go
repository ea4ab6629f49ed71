package metrics

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pgtower/models/keys"
)

// collector answers a scrape from the last [Present]. Without one, it has no samples.
type collector struct {
	load                                           func() *Present
	info, projects, running, failed, read          *prometheus.Desc
	gapsTold, gapsOpen, rotations, rotationsAsRead *prometheus.Desc
}

func newCollector(window time.Duration, load func() *Present) *collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("pgtower_"+name, help, labels, nil)
	}
	span := fmt.Sprintf("%d min", window/time.Minute)
	return &collector{
		load: load,
		info: desc("project_info", "What a project is called, and where it is.",
			"project", "name", "organization", "organization_name", "region"),
		projects: desc("projects", "Projects by how current they are: unread, current, late, unreadable.", "state"),
		running:  desc("operations_running", "Operations that had not ended when the project was last read.", "project"),
		failed: desc("operations_failed",
			"Operations that failed in the "+span+" before the project was last read, and have not finished since.", "project"),
		read:            desc("project_read_timestamp_seconds", "When the project was last read.", "project"),
		gapsTold:        desc("gaps_told_total", "Spans of time in which operations could not be read when they came."),
		gapsOpen:        desc("gaps_open", "Those of them that were not read later."),
		rotations:       desc("rotations", "API keys that are being replaced, by how far that is.", "organization", "state"),
		rotationsAsRead: desc("keys_read_timestamp_seconds", "When the list of API keys was last read.", "organization"),
	}
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		c.info, c.projects, c.running, c.failed, c.read, c.gapsTold, c.gapsOpen, c.rotations, c.rotationsAsRead,
	} {
		descs <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(samples chan<- prometheus.Metric) {
	now := c.load()
	if now == nil {
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		samples <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	read := false
	for i := range now.Projects {
		p := &now.Projects[i]
		if p.ID != otherLabel {
			gauge(c.info, 1, p.ID, text(p.Name), text(p.Org), text(p.OrgName), text(p.Region))
		}
		if p.Read.IsZero() {
			continue
		}
		read = true
		gauge(c.running, float64(p.Running), p.ID)
		gauge(c.read, seconds(p.Read), p.ID)
		if p.Failed.Known {
			gauge(c.failed, float64(p.Failed.Value), p.ID)
		}
	}
	for state, n := range now.states {
		gauge(c.projects, float64(n), stateNames[state])
	}
	if read {
		samples <- prometheus.MustNewConstMetric(c.gapsTold, prometheus.CounterValue, float64(now.told))
		gauge(c.gapsOpen, float64(now.open))
	}
	for i := range now.Keys {
		list := &now.Keys[i]
		gauge(c.rotationsAsRead, seconds(list.Read), list.Org)
		for phase, n := range phases(list.Rotations) {
			gauge(c.rotations, float64(n), list.Org, keys.Phase(phase).String())
		}
	}
}

// phases returns how many rotations are in each phase.
func phases(list []keys.Phase) (numbers [keys.CanGo + 1]int) {
	for _, phase := range list {
		numbers[phase]++
	}
	return numbers
}

// seconds returns a time as the seconds since 1970.
func seconds(instant time.Time) float64 { return float64(instant.UnixMilli()) / 1000 }
