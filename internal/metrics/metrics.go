// Package metrics serves metrics to a monitoring system, as OpenMetrics over HTTP: counters, which only grow, and gauges of one
// moment. It asks the service for nothing: one goroutine reports events to it, and others answer scrapes at the same time.
package metrics

import (
	"cmp"
	"log"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pgtower/models"
	"pgtower/models/feed"
)

// The maximum numbers of values and series. Later ones share the label [otherLabel], so that sums stay right.
const (
	mostProjects = 10_000 // with a series of their own in each metric
	mostSeries   = 50_000 // of ended operations
	mostActions  = 50
	mostStatuses = 10
	mostOrgs     = 1000 // the lists of API keys of others have no series

	// mostFirst is how many series of ended operations may begin with 0.
	mostFirst = mostSeries / 10
)

// otherLabel is the label that all values share which have none of their own.
const otherLabel = "other"

// Set is all metrics of an account. One goroutine changes it. Scrapes read the counters and the last [Present], which is safe at
// any time.
type Set struct {
	registry *prometheus.Registry
	ended    *prometheus.CounterVec
	took     *prometheus.HistogramVec
	requests *prometheus.CounterVec
	present  atomic.Pointer[Present]

	projects, actions, statuses, orgs labels

	series     map[series]bool // of ended operations
	counted    map[feed.Key]models.Status
	kept       int // how many of counted the last cleaning left
	told, open int // gaps
}

// series are the labels of a counter of ended operations.
type series struct{ project, action, status string }

// New returns metrics without a sample. window is the time in which failures are counted.
func New(window time.Duration) *Set {
	s := &Set{
		registry: prometheus.NewRegistry(),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pgtower_operations_ended_total",
			Help: "Operations that ended since pgtower began, each once in each status in which it ended.",
		}, []string{"project", "action", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "pgtower_operation_duration_seconds",
			Help:    "How long the operations took that finished since pgtower began.",
			Buckets: []float64{.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600},
		}, []string{"action"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pgtower_requests_total",
			Help: "Requests of pgtower to the service by their outcome: ok, rate_limited (429), error, no_response.",
		}, []string{"outcome"}),
		projects: newLabels(mostProjects), actions: newLabels(mostActions), statuses: newLabels(mostStatuses), orgs: newLabels(mostOrgs),
		series: map[series]bool{}, counted: map[feed.Key]models.Status{},
	}
	s.registry.MustRegister(s.ended, s.took, s.requests, newCollector(window, s.present.Load))
	return s
}

// Handler returns the handler that answers scrapes. It logs to errors why one failed.
func (s *Set) Handler(errors *log.Logger) http.Handler { return s.handler(errors, 10*time.Second) }

// handler is [Set.Handler] with a time limit for a scrape; 0: none.
func (s *Set) handler(errors *log.Logger, within time.Duration) http.Handler {
	const together = 4
	return promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{
		ErrorLog: errors, EnableOpenMetrics: true, MaxRequestsInFlight: together, Timeout: within,
	})
}

// Requested counts a request to the service by its outcome. It does not count one that was canceled.
func (s *Set) Requested(err error) {
	if models.KindOf(err) == models.KindCanceled {
		return
	}
	for _, outcome := range []string{"ok", "rate_limited", "error", "no_response"} {
		s.requests.WithLabelValues(outcome) // so that its first increase is seen
	}
	s.requests.WithLabelValues(outcomeOf(err)).Inc()
}

func outcomeOf(err error) string {
	switch {
	case err == nil:
		return "ok"
	case models.KindOf(err) == models.KindRateLimited:
		return "rate_limited"
	case models.Answered(err):
		return "error"
	}
	return "no_response"
}

// Known adds counters of failures for operations that were read, as long as there is room. They begin with 0, so that the first
// failure of an action is an increase.
func (s *Set) Known(project string, operations []*models.Operation) {
	for _, op := range operations {
		if len(s.series) < mostFirst {
			s.counter(project, op.Action, string(models.StatusFailed))
		}
	}
}

// Tell counts the events of a follower in their order. followed reports whether there may be more events of an operation.
func (s *Set) Tell(events []*feed.Event, followed func(project, id string) bool) {
	for _, e := range events {
		switch e.Kind {
		case feed.Missing:
			s.told++
			s.open++
		case feed.Filled:
			s.open--
		case feed.Added, feed.Changed:
			s.end(e.Project, e.Operation)
		}
	}
	s.forget(followed)
}

// end counts an operation if it ended, once in each status: one that failed, is tried again and fails again has failed once.
func (s *Set) end(project string, op *models.Operation) {
	key := feed.Key{Project: project, ID: op.ID}
	if !op.Done() || s.counted[key] == op.Status {
		return
	}
	s.counted[key] = op.Status
	s.counter(project, op.Action, statusOf(op)).Inc()
	if took := op.Took(op.UpdatedAt); op.Finished() && took.Known {
		s.took.WithLabelValues(s.actions.of(string(op.Action))).Observe(took.Value.Seconds())
	}
}

// statusOf returns how an operation ended.
func statusOf(op *models.Operation) string {
	if op.Status.Done() {
		return string(op.Status)
	}
	return "gone"
}

// counter returns the counter of ended operations with some labels.
func (s *Set) counter(project string, action models.Action, status string) prometheus.Counter {
	key := series{s.projects.of(project), s.actions.of(string(action)), s.statuses.of(status)}
	if !s.series[key] && len(s.series) >= mostSeries {
		key.project = otherLabel
	}
	s.series[key] = true
	return s.ended.WithLabelValues(key.project, key.action, key.status)
}

// forget drops the operations that will have no more events. It looks for them when there are twice as many operations as after
// the last time.
func (s *Set) forget(followed func(project, id string) bool) {
	const least = 1000
	if len(s.counted) < 2*s.kept+least {
		return
	}
	for key := range s.counted {
		if !followed(key.Project, key.ID) {
			delete(s.counted, key)
		}
	}
	s.kept = len(s.counted)
}

// labels are the values of a label.
type labels struct {
	most  int
	known map[string]string // by the values that the service sent
	taken map[string]bool
}

func newLabels(limit int) labels { return labels{limit, map[string]string{}, map[string]bool{}} }

// of returns the label of a value: its own, or [otherLabel]. The service may send values that are invalid, long, or very many.
func (l *labels) of(value string) string {
	if label, ok := l.known[value]; ok {
		return label
	}
	label := text(cmp.Or(value, "unknown"))
	if len(l.known) >= l.most || l.taken[label] {
		return otherLabel
	}
	l.known[value], l.taken[label] = label, true
	return label
}

// text returns a text as it can be in a label: cleaned, of a bounded length, and valid UTF-8.
func text(value string) string {
	const most = 200
	value = models.Clean(value)
	if len(value) > most {
		value = value[:most]
	}
	return strings.ToValidUTF8(value, "")
}
