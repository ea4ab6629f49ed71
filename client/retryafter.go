package client

import (
	"net/http"
	"strings"
	"time"
)

// maxRetryAfter bounds what a server can ask for: longer is a mistake, not a plan.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the header of that name, in seconds or as a date; 0 where it is
// missing, past or neither.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	if strings.Trim(v, "0123456789") == "" {
		// What no duration can hold is more than the most.
		d, err := time.ParseDuration(v + "s")
		if err != nil {
			return maxRetryAfter
		}
		return min(d, maxRetryAfter)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
