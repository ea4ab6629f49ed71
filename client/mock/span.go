package mock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseSpan reads a duration as [time.ParseDuration] does, which may begin with a number
// of days of 24 hours: 1d, 2d12h, 0.5d. The error says that it is none.
func ParseSpan(text string) (time.Duration, error) {
	bad := fmt.Errorf("mock: %q is not a duration such as 90s, 1h30m or 2d12h", text)
	days, rest, found := strings.Cut(text, "d")
	if !found {
		days, rest = "", text
	}
	var d time.Duration
	if found {
		n, err := strconv.ParseFloat(days, 64)
		// Beyond that it does not fit, and the simulation is over long before.
		if err != nil || !(n >= 0 && n <= 50_000) {
			return 0, bad
		}
		d = time.Duration(n * float64(24*time.Hour))
	}
	if rest == "" && found {
		return d, nil
	}
	more, err := time.ParseDuration(rest)
	if err != nil || found && (more < 0 || more > maxAhead) {
		return 0, bad
	}
	return d + more, nil
}
