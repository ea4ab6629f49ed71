package operations

import (
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

// wording formats durations, final and growing ones, and names the 95th percentile.
type wording struct {
	took, lasting func(time.Duration) string
	p95           string
}

// written is the wording of the screen.
func written() wording { return wording{style.Took, style.Elapsed, "p95"} }

// spoken is the wording of the accessible mode.
func spoken() wording { return wording{style.DurationWords, style.DurationWords, "95th percentile"} }

func (w wording) duration(r *row, now time.Time) string {
	took, ok := r.Took(now)
	unasked, text := r.Unasked(now), ""
	switch {
	case !ok:
		return ""
	case unasked > 0:
		return " for at least " + w.lasting(took) + " · not checked for " + w.lasting(unasked)
	case r.Op.Done():
		text = " after " + w.took(took)
	default:
		text = " for " + w.lasting(took)
	}
	return text + when(r.Slow(now), " · slow")
}

func (w wording) usual(d *feed.Durations) string {
	median, ok := d.Median()
	p95, _ := d.Quantile(0.95)
	if !ok {
		return "No other operation of this kind has finished yet."
	}
	return fmt.Sprintf(
		"median %s · %s %s · %s", w.took(median), w.p95, w.took(p95),
		style.Plural(d.Count(), "run"),
	)
}

// result returns the status of a row in words, with how long it took or runs, and what is known of further attempts:
// "failed after 3s · tried again in 40s", "recovered after 1 failure, 1m05s".
func (w wording) result(r *row, now time.Time) string {
	switch duration := w.duration(r, now); {
	case r.Op.Recovered() && !r.Op.Gone:
		return recovered(r.Op) + strings.Replace(duration, " after ", ", ", 1)
	case r.Op.Status.Failed() && !r.Op.Gone:
		return style.StatusOf(r.Op).Word + duration + w.retry(r, now)
	default:
		return style.StatusOf(r.Op).Word + duration
	}
}

func recovered(o *models.Operation) string {
	return "recovered after " + style.Plural(int(o.FailuresCount), "failure")
}

// retry says whether a failed operation is tried again: the service may do so for an hour, and says when if it knows.
func (w wording) retry(r *row, now time.Time) string {
	read := now
	if !r.AsOf.IsZero() {
		read = r.AsOf.Add(r.Facts.Skew)
	}
	switch wait := r.Op.RetryAt.Sub(now); {
	case r.Op.Status.Final():
	case wait >= time.Second:
		return " · tried again in " + w.lasting(wait)
	case r.Op.MayRetry(read):
		return " · may be tried again"
	}
	return ", not tried again"
}
