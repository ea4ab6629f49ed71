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
	case r.Op.Recovered() && !r.Op.Gone:
		return recovered(r.Op) + strings.Replace(said, " after ", ", ", 1)
	case r.Op.Status.Failed() && !r.Op.Gone:
		return style.StatusOf(r.Op).Word + said + w.retry(r, now)
	default:
		return style.StatusOf(r.Op).Word + said
	}
}

func recovered(o *models.Operation) string {
	return "recovered after " + style.Plural(int(o.FailuresCount), "failure")
}

// retry tells what comes of a failed operation: the service may try it again for an hour, and says when if it knows.
func (w wording) retry(r *row, now time.Time) string {
	read := now
	if !r.AsOf.IsZero() {
		read = r.AsOf.Add(r.Facts.Skew)
	}
	switch wait := r.Op.RetryAt.Sub(now); {
	case wait >= time.Second:
		return " · tried again in " + w.lasting(wait)
	case r.Op.MayRetry(read):
		return " · may be tried again"
	}
	return ", not tried again"
}
