package mock

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"
)

// Fault makes requests go wrong. Method and Path choose the requests; Skip, Probability
// and Count how many of them; the other fields say what happens, and several may be
// set. [ParseFault] reads it from text, [Fault.String] writes it.
type Fault struct {
	// Method is the requests' method; empty for any.
	Method string
	// Path is a pattern as [path.Match] knows it for the part after [BasePath], such
	// as /projects/*/operations; empty for any. It has to match the path of an endpoint,
	// and Method has to be one that is answered there.
	Path string
	// Skip is how many matching requests are let through first.
	Skip int
	// Probability is the share of the requests after those that is hit, above 0 and up
	// to 1; 0 is the same as 1. Which ones follows from the seed and the request's
	// number, so that the same requests in the same order meet the same faults.
	Probability float64
	// Count is how many requests are hit before the fault is over; 0 for all until it
	// is removed.
	Count int

	// Latency is waited before anything else, in real time; it ends early when the
	// client leaves.
	Latency time.Duration
	// Jitter spreads the latency evenly to both sides of it.
	Jitter time.Duration
	// Status, from 200 to 599, answers with this status and the usual error body, and
	// the request is not carried out unless CarryOut says so.
	Status int
	// RetryAfter goes into the Retry-After header beside Status, rounded up to whole
	// seconds; 0 for no such header.
	RetryAfter time.Duration
	// RetryAtOnce makes the header say 0, in place of RetryAfter.
	RetryAtOnce bool
	// Body takes the place of the answer's body.
	Body string
	// ContentType takes the place of the answer's content type.
	ContentType string
	// Truncate breaks the connection in the middle of the body.
	Truncate bool
	// Trickle is the time, in real time, over which the body arrives piece by piece.
	Trickle time.Duration
	// Reset breaks the connection before any answer, with a reset.
	Reset bool
	// Empty ends the connection before any answer, in an orderly way.
	Empty bool
	// CarryOut carries the request out although Status, Reset or Empty hides its
	// outcome: the case that makes it unsafe to send a POST again.
	CarryOut bool
}

// maxFaultTime bounds every duration of a fault.
const maxFaultTime = 24 * time.Hour

// check says what is wrong with a fault.
func (f Fault) check() error {
	if err := f.checkTarget(); err != nil {
		return err
	}
	for name, d := range map[string]time.Duration{
		"latency": f.Latency, "trickle": f.Trickle, "retry-after": f.RetryAfter,
	} {
		if d < 0 || d > maxFaultTime {
			return fmt.Errorf("%s %s is not from 0 to %s", name, d, maxFaultTime)
		}
	}
	switch {
	case f.Skip < 0 || f.Count < 0:
		return errors.New("skip and count are not below 0")
	case !(f.Probability >= 0 && f.Probability <= 1):
		return fmt.Errorf("p %v is not above 0 and up to 1", f.Probability)
	case f.Jitter < 0 || f.Jitter > f.Latency:
		return fmt.Errorf("a jitter of %s is not from 0 to the latency, %s", f.Jitter, f.Latency)
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		return fmt.Errorf("status %d is not from 200 to 599", f.Status)
	case !printable(f.ContentType):
		return errors.New("the content type cannot travel in a header")
	}
	return f.checkTogether()
}

// checkTogether says which effects cannot be had at once.
func (f Fault) checkTogether() error {
	silent := f.Reset || f.Empty
	changed := f.Body != "" || f.ContentType != "" || f.Truncate || f.Trickle > 0
	switch {
	case !silent && !changed && f.Status == 0 && f.Latency == 0:
		return errors.New("nothing is to happen: give a status, latency=, reset, empty, truncate, trickle=, type= or body=")
	case f.Reset && f.Empty:
		return errors.New("reset and empty are two ways to end a connection: choose one")
	case silent && (changed || f.Status != 0):
		return errors.New("reset and empty leave no answer to change")
	case (f.RetryAfter > 0 || f.RetryAtOnce) && f.Status == 0:
		return errors.New("retry-after needs a status")
	case f.RetryAfter > 0 && f.RetryAtOnce:
		return errors.New("retry-after is 0 or more, not both")
	case f.CarryOut && !silent && f.Status == 0:
		return errors.New("carry-out needs a status, reset or empty: without them requests are carried out")
	}
	return nil
}

// delays says that the fault does nothing but wait: what it hits can be hit by others.
func (f Fault) delays() bool {
	return f == Fault{
		Method: f.Method, Path: f.Path, Skip: f.Skip, Probability: f.Probability, Count: f.Count,
		Latency: f.Latency, Jitter: f.Jitter,
	}
}

func (f Fault) matches(r *http.Request) bool {
	if f.Method != "" && f.Method != r.Method {
		return false
	}
	if f.Path == "" {
		return true
	}
	ok, _ := path.Match(BasePath+f.Path, r.URL.Path) // It was checked when it was added.
	return ok
}

func printable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
