package operations

import (
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/style"
)

// result returns the status of a row in words, with how long it took or runs, and what is known of further attempts:
// "failed after 3s · tried again in 40s", "recovered after 1 failure, 1m05s".
func (w wording) result(r *row, now time.Time) string {
	switch said := w.duration(r, now); {
	case r.op.Recovered() && !r.op.Gone:
		return recovered(r.op) + strings.Replace(said, " after ", ", ", 1)
	case r.op.Status.Failed() && !r.op.Gone:
		return styleOf(r.op).word() + said + w.retry(r, now)
	default:
		return styleOf(r.op).word() + said
	}
}

func recovered(o *models.Operation) string {
	return "recovered after " + style.Plural(int(o.FailuresCount), "failure")
}

// retry tells what comes of a failed operation: the service may try it again for an hour, and says when if it knows.
func (w wording) retry(r *row, now time.Time) string {
	read := now
	if !r.asOf.IsZero() {
		read = r.asOf.Add(r.known.skew)
	}
	switch wait := r.op.RetryAt.Sub(now); {
	case wait >= time.Second:
		return " · tried again in " + w.lasting(wait)
	case r.op.MayRetry(read):
		return " · may be tried again"
	}
	return ", not tried again"
}
