package feed

import (
	"container/heap"
	"slices"
	"time"

	"pgtower/models"
)

// firstRetry is how long after a failure the operation is read again. It is read again whenever the failure is twice as old
// as before, until [models.RetryFor] has passed.
const firstRetry = 15 * time.Second

// retryAfter returns when to read a failed operation again, after it was read at a time: it may have been tried again
// meanwhile. All times are by the service's clock.
func retryAfter(op *models.Operation, read time.Time) time.Time {
	retry := op.RetryAt.Add(time.Second) // the service's times are rounded down
	if retry.After(read) {
		return retry
	}
	last := op.LastTry()
	for wait := firstRetry; wait < models.RetryFor; wait *= 2 {
		if next := last.Add(wait); next.After(read) {
			return next
		}
	}
	return last.Add(models.RetryFor)
}

// retry is a failed operation that may be tried again.
type retry struct {
	*entry

	due   time.Time // when it is to be read again, by the service's clock
	place int       // in the queue, or -1 if it has no id to be asked for
}

// retries are the failed operations of a feed that may be tried again. The one that is due first comes first, and the newest
// of those due at the same time.
type retries struct {
	byID  map[string]*retry
	queue queue
	last  time.Time // when one was read or asked for, by the caller's clock
}

func newRetries() retries { return retries{byID: map[string]*retry{}} }

// Len returns how many there are.
func (f *retries) Len() int { return len(f.byID) }

// has reports whether an operation is one.
func (f *retries) has(id string) bool { return f.byID[id] != nil }

// set adds an operation, or changes when it is to be read again.
func (f *retries) set(e *entry, due time.Time) {
	f.last = later(f.last, e.asOf())
	id := e.op().ID
	item := f.byID[id]
	if item == nil {
		item = &retry{entry: e, place: -1}
		f.byID[id] = item
	}
	item.due = due
	switch {
	case item.place >= 0:
		heap.Fix(&f.queue, item.place)
	case !models.NoID(id):
		heap.Push(&f.queue, item)
	}
}

// remove removes an operation, if it is there.
func (f *retries) remove(id string) {
	item := f.byID[id]
	if item == nil {
		return
	}
	delete(f.byID, id)
	if item.place >= 0 {
		heap.Remove(&f.queue, item.place)
	}
}

// asked puts an operation that is asked for, maybe in vain, behind those that are due now.
func (f *retries) asked(id string, now time.Time, skew time.Duration) {
	if item, due := f.byID[id], now.Add(skew); item != nil && item.due.Before(due) {
		f.last = later(f.last, now)
		f.set(item.entry, due)
	}
}

// setBack makes all due now, after the caller's clock was set back: when they were read is not known any more.
func (f *retries) setBack(now time.Time, skew time.Duration) {
	f.last = now
	for _, item := range f.queue {
		item.due = now.Add(skew)
	}
	heap.Init(&f.queue)
}

// queue is a heap: [heap.Interface].
type queue []*retry

// Len is of [heap.Interface].
func (q *queue) Len() int { return len(*q) }

// Less is of [heap.Interface].
func (q *queue) Less(i, j int) bool {
	x, y := (*q)[i], (*q)[j]
	if x.due.Equal(y.due) {
		return compare(x.entry, y.entry) < 0
	}
	return x.due.Before(y.due)
}

// Swap is of [heap.Interface].
func (q *queue) Swap(i, j int) {
	(*q)[i], (*q)[j] = (*q)[j], (*q)[i]
	(*q)[i].place, (*q)[j].place = i, j
}

// Push is of [heap.Interface].
func (q *queue) Push(item any) {
	last := item.(*retry) //nolint:forcetypeassert // only set calls it
	last.place = len(*q)
	*q = append(*q, last)
}

// Pop is of [heap.Interface].
func (q *queue) Pop() any {
	last := len(*q) - 1
	item := (*q)[last]
	*q = slices.Delete(*q, last, last+1)
	return item
}
