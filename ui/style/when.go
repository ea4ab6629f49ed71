package style

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// None stands where there is nothing to say.
const None = "–"

const (
	day  = 24 * time.Hour
	skew = day // the clocks here and there may differ by; a negative age beyond it is nonsense that has to show
)

// Age is how long ago t was, as short as a table wants: 5s, 2m, 3h, 5d, 7mo, 2y.
func Age(t, now time.Time) string {
	if t.IsZero() {
		return None
	}
	d := now.Sub(t)
	switch {
	case d < -skew:
		return None
	case d < 0:
		return "0s"
	case d < time.Minute:
		return unit(d, time.Second, "s")
	case d < time.Hour:
		return unit(d, time.Minute, "m")
	case d < day:
		return unit(d, time.Hour, "h")
	case d < 60*day:
		return unit(d, day, "d")
	case d < 2*365*day:
		return unit(d, 30*day, "mo")
	}
	return unit(d, 365*day, "y")
}

// Until is how long it is until t, as a countdown says it: now, 4s, 2m, 24h, 3d.
func Until(t, now time.Time) string {
	switch d := t.Sub(now); {
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return unit(d, time.Second, "s")
	case d.Round(time.Minute) < time.Hour:
		return unit(d.Round(time.Minute), time.Minute, "m")
	case d.Round(time.Hour) <= 2*day:
		return unit(d.Round(time.Hour), time.Hour, "h")
	default:
		return unit(d.Round(day), day, "d")
	}
}

func unit(d, of time.Duration, name string) string {
	return strconv.FormatInt(int64(d/of), 10) + name
}

// Ago is how long ago t was, in words: just now, 3 minutes ago, 214 days ago.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	d := now.Sub(t)
	switch {
	case d < -skew:
		return "in the future"
	case d < 5*time.Second:
		return "just now"
	case d < time.Minute:
		return count(d, time.Second, "second") + " ago"
	case d < time.Hour:
		return count(d, time.Minute, "minute") + " ago"
	case d < day:
		return count(d, time.Hour, "hour") + " ago"
	}
	return count(d, day, "day") + " ago"
}

func count(d, of time.Duration, name string) string {
	plural := "s"
	if d/of == 1 {
		plural = ""
	}
	return strconv.FormatInt(int64(d/of), 10) + " " + name + plural
}

// Took is a duration to the precision that matters: 340ms, 1.4s, 31s, 2m05s, 3h10m.
func Took(d time.Duration) string {
	switch {
	case d < 0:
		return None
	case d == 0:
		return "0s"
	case d < time.Second:
		return unit(d, time.Millisecond, "ms")
	case d < 10*time.Second:
		return tenths(d) + "s"
	case d < time.Minute:
		return unit(d, time.Second, "s")
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// tenths is a duration in seconds and tenths of a second.
func tenths(d time.Duration) string {
	return strconv.FormatFloat(d.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64)
}

// Lasting is a duration that still grows, in whole seconds as the clock of the screen.
func Lasting(d time.Duration) string {
	if d < time.Minute {
		return unit(max(0, d), time.Second, "s")
	}
	return Took(d)
}

// Every is an interval as a person sets it: 5s, 1m, 90s.
func Every(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return unit(d, time.Minute, "m")
	case d%time.Second == 0:
		return unit(d, time.Second, "s")
	}
	return d.String()
}

// DurationWords is a duration in words, to the precision of [Took].
func DurationWords(d time.Duration) string {
	switch {
	case d < 0:
		return "an unknown time"
	case d < time.Second:
		return count(d, time.Millisecond, "millisecond")
	case d < 10*time.Second && d%time.Second >= 100*time.Millisecond:
		return tenths(d) + " seconds"
	case d < time.Minute:
		return count(d, time.Second, "second")
	case d < time.Hour:
		return strings.TrimSuffix(count(d, time.Minute, "minute")+" "+count(d%time.Minute, time.Second, "second"), " 0 seconds")
	case d < day:
		return strings.TrimSuffix(count(d, time.Hour, "hour")+" "+count(d%time.Hour, time.Minute, "minute"), " 0 minutes")
	}
	return count(d, day, "day")
}
