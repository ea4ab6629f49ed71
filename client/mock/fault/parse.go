// Package fault describes faults of requests to the mock: a text form, parsed by [parseFault], and a [List] that decides
// which requests are hit. It does not know HTTP: the server applies the [Hit].
package fault

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"mime"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Help explains the syntax of a fault.
const Help = `A fault is a list of words in any order, such as: 429 of list_operations p=0.1 retry-after=2

  429                       a response with this status, 200 to 599
  retry-after=2             with a status: seconds from 0, or a duration such as 1m30s
  latency=100ms±50ms        a delay in real time, which may vary (also +-)
  reset, empty              no response: the connection is reset, or closed
  truncate, trickle=10s     half a body; a body sent in pieces over this time
  type=text/html            another content type
  body="<h1>no</h1>"        another body; values with spaces are quoted as in Go
  carry-out                 carry out the request despite a status, reset or empty
  fail                      the unfinished operation that is read fails before the
                            response; of a list, the newest one
  fail retry=30s            the same, and the service tries it again after this time
  of list_operations        hit one endpoint: create_key, list_keys, revoke_key,
                            list_projects, list_shared_projects, get_project,
                            list_operations, get_operation, get_auth, get_user,
                            list_organizations, get_organization, list_org_keys,
                            create_org_key, revoke_org_key, list_members,
                            list_branches, get_branch or list_computes
  of get_status             hit the status page, which nothing else hits
  of GET /projects/*/operations
                            hit a method, a path, or both; * is any id
  org=org-calm-river-100000 hit the requests about one organization
  p=0.1 skip=3 count=2      hit a share of the requests, after the first 3, twice
  lag=8s                    lists of operations, branches, computes and keys are as they
                            were this time ago, in simulated time
  lies                      the status page says that all works

With --live:

  untold                    the service tells less: no branches, computes and members
                            (404), no permission, maintenance and quota of projects, and
                            no project in the refusals of its key

With --organizations:

  left, mfa, no-admin       the user left the organizations, needs a second factor for
                            them, or is no administrator of them: see org=
  unavailable=2             the list names so many of its projects as unavailable
  wider                     a new key reaches more than it was asked to
  other                     the service's other version, where its versions differ

A request gets the delays, lag=, lies, and the words of these last two lists of all matching
faults, and the first other fault.
`

// Fault is a fault and the requests it hits. [parseFault] makes it.
type Fault struct {
	method, path string // empty for any
	org          string // the id of an organization; empty for any request
	skip, count  int    // requests to let through first, and then to hit; 0 for all
	share        float64

	latency, jitter time.Duration

	// Status replaces the response's status, 0 for none. Then only CarryOut carries the request out.
	Status     int
	RetryAfter string // a header's value; empty for no such header
	// Body and ContentType replace those of the response.
	Body, ContentType string
	// Truncate breaks the connection in the middle of the body.
	Truncate bool
	// Trickle is the time over which the body is sent piece by piece.
	Trickle time.Duration
	// Reset and Empty end the connection before any response, with a reset or in an orderly way.
	Reset, Empty bool
	// Fail makes an operation fail before the request: the one that is read, or the newest unfinished one of the list.
	// If Retry is not 0, the service tries again after this simulated time.
	Fail  bool
	Retry time.Duration
	// CarryOut carries out the request although its outcome is hidden.
	CarryOut bool
	// Variant is another behavior of the service; empty for none.
	Variant Variant
	// Missing is the number of projects that are [Unavailable], and Lag how late a list is that is [Late].
	Missing int
	Lag     time.Duration
}

// Variant is a behavior of the service other than its usual one. [Help] explains them.
type Variant string

// The variants of the live service, of one with organizations, and of its status page.
const (
	Late        Variant = "lag"
	Untold      Variant = "untold"
	Left        Variant = "left"
	MFA         Variant = "mfa"
	NoAdmin     Variant = "no-admin"
	Unavailable Variant = "unavailable"
	Wider       Variant = "wider"
	Other       Variant = "other"
	Lies        Variant = "lies"
)

// StatusPath stands for the status page among the paths of a fault. Only a fault that names it hits it.
const StatusPath = "/status"

// maxTime is the maximum of every duration of a fault.
const maxTime = 24 * time.Hour

// endpoint is a kind of request that can be hit. A star in its path stands for an id.
type endpoint struct{ name, method, path string }

// String returns the name.
func (e endpoint) String() string { return e.name }

var endpoints = []endpoint{
	{"create_key", "POST", "/api_keys"},
	{"list_keys", "GET", "/api_keys"},
	{"revoke_key", "DELETE", "/api_keys/*"},
	{"list_projects", "GET", "/projects"},
	{"list_shared_projects", "GET", "/projects/shared"},
	{"get_project", "GET", "/projects/*"},
	{"list_operations", "GET", "/projects/*/operations"},
	{"get_operation", "GET", "/projects/*/operations/*"},
	{"get_auth", "GET", "/auth"},
	{"get_user", "GET", "/users/me"},
	{"list_organizations", "GET", "/users/me/organizations"},
	{"get_organization", "GET", "/organizations/*"},
	{"list_org_keys", "GET", "/organizations/*/api_keys"},
	{"create_org_key", "POST", "/organizations/*/api_keys"},
	{"revoke_org_key", "DELETE", "/organizations/*/api_keys/*"},
	{"list_members", "GET", "/organizations/*/members"},
	{"list_branches", "GET", "/projects/*/branches"},
	{"get_branch", "GET", "/projects/*/branches/*"},
	{"list_computes", "GET", "/projects/*/endpoints"},
	{"get_status", "GET", StatusPath},
}

// words are the words of a fault, each with a description of its values.
var words = map[string]string{
	"status":      "a status from 200 to 599",
	"retry-after": "a number of seconds, or a duration such as 1m30s",
	"latency":     "a duration such as 100ms, or 100ms±50ms",
	"trickle":     "a duration such as 10s",
	"type":        "a content type",
	"body":        "a text of at least one character",
	"retry":       "a duration such as 30s",
	"of":          "an endpoint such as list_operations, a method, a path such as /projects/*, or both",
	"org":         "the id of an organization",
	"p":           "a share above 0 and up to 1",
	"skip":        "a whole number from 1",
	"count":       "a whole number from 1",
	"unavailable": "a whole number from 1",
	"lag":         "a duration such as 8s",
	"untold":      noValue,
	"reset":       noValue,
	"empty":       noValue,
	"truncate":    noValue,
	"carry-out":   noValue,
	"fail":        noValue,
	"left":        noValue,
	"mfa":         noValue,
	"no-admin":    noValue,
	"wider":       noValue,
	"other":       noValue,
	"lies":        noValue,
}

const noValue = "without a value"

// set sets the field of a word, and reports whether the value is valid.
func (f *Fault) set(name, value string) bool {
	if words[name] == noValue {
		f.setFlag(name)
		return value == ""
	}
	switch name {
	case "status":
		f.Status = number(value)
		return f.Status >= 200 && f.Status <= 599
	case "retry-after":
		return f.setRetryAfter(value)
	case "latency":
		return f.setLatency(value)
	case "trickle":
		return duration(&f.Trickle, value)
	case "retry":
		return duration(&f.Retry, value)
	case "type":
		f.ContentType = value
		_, _, err := mime.ParseMediaType(value)
		return err == nil
	case "body":
		f.Body = value
		return value != ""
	case "of":
		return f.setTarget(value)
	case "org":
		f.org = value
		return value != ""
	case "p":
		share, err := strconv.ParseFloat(value, 64)
		f.share = share
		return err == nil && share > 0 && share <= 1
	case "skip":
		f.skip = number(value)
		return f.skip > 0
	case "count":
		f.count = number(value)
		return f.count > 0
	case "lag":
		f.Variant = Late
		return duration(&f.Lag, value)
	case "unavailable":
		f.Variant, f.Missing = Unavailable, number(value)
		return f.Missing > 0
	}
	return false
}

// setFlag sets the field of a word without a value.
func (f *Fault) setFlag(name string) {
	switch name {
	case "reset":
		f.Reset = true
	case "empty":
		f.Empty = true
	case "truncate":
		f.Truncate = true
	case "carry-out":
		f.CarryOut = true
	case "fail":
		f.Fail = true
	default:
		f.Variant = Variant(name)
	}
}

// setRetryAfter sets the header's value, in whole seconds.
func (f *Fault) setRetryAfter(value string) bool {
	if strings.Trim(value, "0123456789") == "" {
		value += "s"
	}
	d, err := time.ParseDuration(value)
	f.RetryAfter = strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
	return err == nil && d >= 0 && d <= maxTime
}

func (f *Fault) setLatency(value string) bool {
	mean, jitter, varies := strings.Cut(strings.Replace(value, "+-", "±", 1), "±")
	if !duration(&f.latency, mean) {
		return false
	}
	return !varies || duration(&f.jitter, jitter) && f.jitter <= f.latency
}

func number(v string) int {
	n, err := strconv.Atoi(v)
	if err != nil {
		return -1
	}
	return n
}

func duration(d *time.Duration, v string) bool {
	var err error
	*d, err = time.ParseDuration(v)
	return err == nil && *d > 0 && *d <= maxTime
}

// target is a method, a path, or both.
var target = regexp.MustCompile(`^([A-Z]*)(?:^|\s+|$)(/[^\s?\[\\]*)?$`)

// setTarget parses the requests to hit.
func (f *Fault) setTarget(value string) bool {
	for _, e := range endpoints {
		if e.name == value {
			f.method, f.path = e.method, e.path
			return true
		}
	}
	found := target.FindStringSubmatch(value)
	if found == nil {
		return false
	}
	f.method, f.path = found[1], found[2]
	return value != ""
}

// nextWord matches the next word of a fault: with a value, in quotes or not, or "of" with the next word.
const nextWord = `^(?:(of)(?:\s+([A-Z]+\s+/\S*|\S+)|$)|([^\s=]+)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?)(?:\s+|$)`

// parseFault parses a fault, as [Help] explains. Paths are below base, which they may include. The error names the malformed
// word, or the words that exclude each other. A path or method that no endpoint has is refused, because nothing would
// ever be hit.
func parseFault(text, base string) (Fault, error) {
	var f Fault
	next := regexp.MustCompile(nextWord) // here, because few runs of the program have a fault to parse
	ids := map[string]bool{}
	for rest := strings.TrimSpace(text); rest != ""; {
		found := next.FindStringSubmatch(rest)
		if found == nil {
			return Fault{}, fmt.Errorf("fault: at %q: the quote is not closed, or text follows it directly", rest)
		}
		written, name, value := strings.TrimSpace(found[0]), found[1]+found[3], found[2]+found[4]
		rest = rest[len(found[0]):]
		if strings.HasPrefix(value, `"`) {
			value, _ = strconv.Unquote(value) // malformed text becomes empty, and is refused as that
		}
		if strings.Trim(name, "0123456789") == "" {
			name, value = "status", name
		}
		word, ok := words[name]
		switch {
		case !ok:
			valid := strings.Join(slices.Sorted(maps.Keys(words)), ", ")
			return Fault{}, fmt.Errorf("fault: unknown word %q: use a status, %s", name, valid)
		case ids[name]:
			return Fault{}, fmt.Errorf("fault: %s is given twice", name)
		case !f.set(name, value):
			return Fault{}, fmt.Errorf("fault: %s: must be %s", written, word)
		}
		ids[name] = true
	}
	if below, ok := strings.CutPrefix(f.path, base+"/"); ok {
		f.path = "/" + below
	}
	if err := cmp.Or(f.check(), f.checkFail(), f.checkLag()); err != nil {
		return Fault{}, fmt.Errorf("fault: %w", err)
	}
	return f, nil
}

// check returns an error for words that exclude each other, and for requests that no endpoint answers.
func (f *Fault) check() error {
	silent := f.Reset || f.Empty
	changed := f.Body != "" || f.ContentType != "" || f.Truncate || f.Trickle > 0
	switch {
	case !f.aims():
		aim := strings.TrimSpace(f.method + " " + f.path)
		return fmt.Errorf("no endpoint matches %s: the endpoints are %v", aim, endpoints)
	case f.Variant != "" && (silent || changed || f.Status != 0):
		return fmt.Errorf("%s changes what the service does: give the response's changes as another fault", f.Variant)
	case !silent && !changed && f.Status == 0 && f.latency == 0 && f.Variant == "" && !f.Fail:
		return errors.New("no effect: add a status, latency=, reset, empty, truncate, trickle=, type=, body= or fail")
	case f.Reset && f.Empty:
		return errors.New("reset and empty are two ways to end a connection: choose one")
	case silent && (changed || f.Status != 0):
		return errors.New("reset and empty leave no response to change")
	case f.RetryAfter != "" && f.Status == 0:
		return errors.New("retry-after needs a status")
	case f.CarryOut && !silent && f.Status == 0:
		return errors.New("carry-out needs a status, reset or empty: requests are carried out without it")
	}
	return nil
}

// checkFail returns an error unless all requests that a fault with fail hits read operations.
func (f *Fault) checkFail() error {
	single, _ := path.Match("/projects/*/operations/*", f.path)
	list, _ := path.Match("/projects/*/operations", f.path)
	switch {
	case f.Retry > 0 && !f.Fail:
		return errors.New("retry needs fail")
	case f.Fail && !single && !list:
		return errors.New("fail needs requests that read operations: add of list_operations or of get_operation")
	}
	return nil
}

// checkLag returns an error if a fault with lag hits only requests that are never late.
func (f *Fault) checkLag() error {
	if f.Variant != Late || f.path == "" {
		return nil
	}
	for _, list := range []string{
		"/projects/*/operations", "/projects/*/branches", "/projects/*/endpoints", "/api_keys", "/organizations/*/api_keys",
	} {
		if late, _ := path.Match(list, f.path); late {
			return nil
		}
	}
	return errors.New("lag needs requests that list operations, branches, computes or keys, such as of list_branches")
}

// aims reports whether an endpoint answers the requests it hits. With a fault that never hits, a test would prove nothing.
func (f *Fault) aims() bool {
	for _, e := range endpoints {
		// A star in the fault's path matches the star of an endpoint.
		match, _ := path.Match(e.path, f.path)
		match = match && !strings.HasSuffix(f.path, "/") // an id is not empty
		allowed := f.method == "" || f.method == e.method || f.method == "HEAD" && e.method == "GET"
		if allowed && (match || f.path == "") {
			return true
		}
	}
	return false
}
