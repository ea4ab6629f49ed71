package metrics

import (
	"time"

	"pgtower/models"
	"pgtower/models/feed"
)

// Failures are the operations that failed lately and have not finished since, of each project. The zero value has none.
type Failures struct {
	ended map[string]map[string]time.Time // when they failed, by the service's clock, by project and id
}

// Learn counts the changes that an answer brought to a project.
func (f *Failures) Learn(project string, c feed.Change) {
	for _, op := range c.Added {
		f.learn(project, op)
	}
	for _, r := range c.Changed {
		f.learn(project, r.After)
	}
}

func (f *Failures) learn(project string, op *models.Operation) {
	failures := f.ended[project]
	if !op.Status.Failed() || op.EndedAt().IsZero() {
		if op.Done() {
			delete(failures, op.ID)
		}
		return
	}
	if failures == nil {
		failures = map[string]time.Time{}
		if f.ended == nil {
			f.ended = map[string]map[string]time.Time{}
		}
		f.ended[project] = failures
	}
	failures[op.ID] = op.EndedAt()
}

// Since returns how many operations of a project failed since a time. It forgets what failed before.
func (f *Failures) Since(project string, from time.Time) int {
	failures := f.ended[project]
	for id, failed := range failures {
		if failed.Before(from) {
			delete(failures, id)
		}
	}
	if failures != nil && len(failures) == 0 {
		delete(f.ended, project)
	}
	return len(failures)
}
