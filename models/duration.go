package models

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var amount = regexp.MustCompile(`^([0-9]+\.?[0-9]*)((?i)ms|s|m|h|d|w)`)

var units = map[string]time.Duration{
	"ms": time.Millisecond, "s": time.Second, "m": time.Minute,
	"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
}

// ParseDuration parses a duration as users write it, such as 1h30m or 7d, and reports whether it is valid. If not, it
// returns 0.
func ParseDuration(s string) (d time.Duration, ok bool) {
	d, rest := CutDuration(s)
	if s == "" || rest != "" || d < 0 {
		return 0, false
	}
	return d, true
}

// CutDuration parses the numbers with units at the beginning of a text, up to rest. An overflow is negative.
func CutDuration(s string) (total time.Duration, rest string) {
	for rest = s; rest != ""; {
		part := amount.FindStringSubmatch(rest)
		if part == nil {
			return total, rest
		}
		rest = rest[len(part[0]):]
		n, err := strconv.ParseFloat(part[1], 64)
		ns := math.Round(n * float64(units[strings.ToLower(part[2])]))
		if err != nil || total < 0 || ns >= math.MaxInt64-float64(total) {
			total = -1
			continue
		}
		total += time.Duration(ns)
	}
	return total, rest
}
