package mock

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// errValue says that a value cannot be read; whoever returns it to people says what it
// was to be.
var errValue = errors.New("unreadable")

// meaning says what the value of a word of a fault is.
func meaning(word string) string {
	switch word {
	case "status":
		return "a status from 200 to 599"
	case "retry-after":
		return "a number of seconds, or a duration such as 1m30s"
	case "latency":
		return "a duration such as 100ms, or 100ms±50ms"
	case "trickle":
		return "a duration such as 10s"
	case "p":
		return "a share above 0 and up to 1"
	case "skip":
		return "a whole number"
	case "count":
		return "a whole number from 1; without count it goes on until it is removed"
	case "of":
		return "an endpoint (" + strings.Join(endpointNames(), ", ") +
			"), a method, a path such as /projects/*/operations, or both of these"
	case "reset", "empty", "truncate", "carry-out":
		return "true or false"
	}
	return "a text of at least one character"
}

func status(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 200 || n > 599 {
		return 0, errValue
	}
	return n, nil
}

func text(value string) (string, error) {
	if value == "" {
		return "", errValue
	}
	return value, nil
}

func share(value string) (float64, error) {
	p, err := strconv.ParseFloat(value, 64)
	if err != nil || !(p > 0 && p <= 1) {
		return 0, errValue
	}
	return p, nil
}

// times reads how often.
func times(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, errValue
	}
	return n, nil
}

func positive(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, errValue
	}
	return d, nil
}

// seconds reads a whole number of them, or a duration, from 0.
func seconds(value string) (time.Duration, error) {
	if n, err := strconv.Atoi(value); err == nil {
		if n < 0 || n > int(maxFaultTime/time.Second) {
			return 0, errValue
		}
		return time.Duration(n) * time.Second, nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return 0, errValue
	}
	return d, nil
}

func secondsText(d time.Duration) string {
	if d%time.Second == 0 {
		return strconv.FormatInt(int64(d/time.Second), 10)
	}
	return d.String()
}

// latency reads a duration and how far it varies.
func latency(value string) (mean, jitter time.Duration, err error) {
	first, second, varies := strings.Cut(strings.Replace(value, "+-", "±", 1), "±")
	if mean, err = positive(first); err != nil || !varies {
		return mean, 0, err
	}
	if jitter, err = time.ParseDuration(second); err != nil || jitter < 0 {
		return 0, 0, errValue
	}
	return mean, jitter, nil
}

// requests reads which requests are meant: an endpoint, a method, a path or both. A path
// may be written whole, from [BasePath] on.
func requests(value string) (method, pattern string, err error) {
	for _, e := range namedEndpoints() {
		if e.name == value {
			return e.method, e.path, nil
		}
	}
	if strings.HasPrefix(value, "/") {
		return "", belowBase(value), nil
	}
	method, pattern, both := strings.Cut(value, " ")
	if !isMethod(method) || both && !strings.HasPrefix(pattern, "/") {
		return "", "", errValue
	}
	return method, belowBase(pattern), nil
}

// belowBase takes [BasePath] off a path.
func belowBase(at string) string {
	if below(at, BasePath) && at != BasePath {
		return at[len(BasePath):]
	}
	return at
}

// requests is the inverse of the function of this name.
func (f Fault) requests() string {
	for _, e := range namedEndpoints() {
		if e.method == f.Method && e.path == f.Path {
			return e.name
		}
	}
	if f.Method == "" || f.Path == "" {
		return f.Method + f.Path
	}
	return f.Method + " " + f.Path
}

func isMethod(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
