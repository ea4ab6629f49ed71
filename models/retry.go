package models

import "time"

// RetryFor is how long after its last change a failed operation may still be tried again. The service gives no limit.
const RetryFor = time.Hour

// Final reports whether no status follows. An operation with the status failed may be tried again: then it runs again, and
// its failures_count stays. One with the status error is not.
func (s Status) Final() bool { return s.Done() && s != StatusFailed }

// LastTry returns the later one of updated_at and retry_at of a failed operation.
func (o *Operation) LastTry() time.Time {
	if o.RetryAt.After(o.UpdatedAt) {
		return o.RetryAt
	}
	return o.UpdatedAt
}

// MayRetry reports whether a failed operation, as it was read at a time of the service's clock, may be tried again. An
// hour after [Operation.LastTry] it is not tried again.
func (o *Operation) MayRetry(read time.Time) bool {
	return !o.Gone && o.Status == StatusFailed && read.Before(o.LastTry().Add(RetryFor))
}

// Recovered reports whether the operation finished after it had failed.
func (o *Operation) Recovered() bool { return o.Status == StatusFinished && o.FailuresCount > 0 }
