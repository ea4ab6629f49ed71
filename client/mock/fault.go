package mock

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"
)

// Fault makes requests go wrong. Method and Path choose the requests, Skip and Count
// how many of them; the other fields say what happens, and several may be set.
type Fault struct {
	// Method is the requests' method; empty for any.
	Method string
	// Path is a pattern as [path.Match] knows it for the part after [BasePath], such
	// as /projects/*/operations; empty for any.
	Path string
	// Skip is how many matching requests are let through first.
	Skip int
	// Count is how many requests are hit before the fault is over; 0 for all until it
	// is removed.
	Count int

	// Latency is waited before anything else; it ends early when the client leaves.
	Latency time.Duration
	// Status, from 200 to 599, answers with this status and the usual error body, and
	// the request is not carried out unless CarryOut says so.
	Status int
	// RetryAfter goes into the Retry-After header, rounded up to whole seconds, where
	// Status is set.
	RetryAfter time.Duration
	// Body takes the place of the answer's body.
	Body string
	// ContentType takes the place of the answer's content type.
	ContentType string
	// Truncate breaks the connection in the middle of the body.
	Truncate bool
	// Reset breaks the connection before any answer.
	Reset bool
	// CarryOut carries the request out although Status or Reset hides its outcome: the
	// case that makes it unsafe to send a POST again.
	CarryOut bool
}

// activeFault is a fault with what is left of its counts.
type activeFault struct {
	Fault
	skip, left int
}

// Inject adds a fault. Where several match a request, the one that was added first
// hits. The returned function removes the fault; it may be called more than once.
// The error says that Path is not a pattern, or that Status is not a status.
func (s *Server) Inject(f Fault) (remove func(), err error) {
	if _, err := path.Match(f.Path, ""); err != nil {
		return nil, fmt.Errorf("mock: path %q: %w", f.Path, err)
	}
	if f.Status != 0 && (f.Status < 200 || f.Status > 599) {
		return nil, errors.New("mock: a fault's status is from 200 to 599")
	}
	added := &activeFault{Fault: f, skip: f.Skip, left: f.Count}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, added)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(f *activeFault) bool { return f == added })
	}, nil
}

// nextFault returns the fault that hits the request and counts the hit.
func (s *Server) nextFault(r *http.Request) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if !f.matches(r) {
			continue
		}
		if f.skip > 0 {
			f.skip--
			continue
		}
		if f.left--; f.left == 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return f.Fault, true
	}
	return Fault{}, false
}

func (f *Fault) matches(r *http.Request) bool {
	if f.Method != "" && f.Method != r.Method {
		return false
	}
	if f.Path == "" {
		return true
	}
	ok, _ := path.Match(BasePath+f.Path, r.URL.Path) // Inject has checked the pattern.
	return ok
}

// serve answers a request that the fault hits; next is what would have answered.
func (f *Fault) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if !f.wait(r) {
		panic(http.ErrAbortHandler)
	}
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	hidden := f.Status != 0 || f.Reset
	if !hidden || f.CarryOut {
		next.ServeHTTP(answer, r)
	}
	if f.Reset {
		reset(w)
	}
	if f.Status != 0 {
		answer = &recorder{header: http.Header{}}
		if f.RetryAfter > 0 {
			answer.header.Set("Retry-After", strconv.FormatInt(int64((f.RetryAfter+time.Second-1)/time.Second), 10))
		}
		newProblem(f.Status, "this answer was asked for: %s", http.StatusText(f.Status)).write(answer, r)
	}
	f.send(w, answer)
}

// wait lets the latency pass and says whether the client is still there.
func (f *Fault) wait(r *http.Request) bool {
	if f.Latency <= 0 {
		return true
	}
	t := time.NewTimer(f.Latency)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// send passes the recorded answer on with what the fault changes of it.
func (f *Fault) send(w http.ResponseWriter, answer *recorder) {
	if f.Body != "" {
		answer.body.Reset()
		answer.body.WriteString(f.Body)
	}
	if f.ContentType != "" {
		answer.header.Set("Content-Type", f.ContentType)
	}
	body := answer.body.Bytes()
	answer.header.Set("Content-Length", strconv.Itoa(len(body)))
	maps.Copy(w.Header(), answer.header)
	w.WriteHeader(answer.status)
	if !f.Truncate {
		_, _ = w.Write(body) // The client may be gone.
		return
	}
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush() // What can't be flushed is cut off all the same.
	panic(http.ErrAbortHandler)
}

// reset breaks the connection so that the client sees a reset rather than an end. It
// does not return.
func reset(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
			_ = tcp.SetLinger(0) // Without it the client sees an end: broken as well.
		}
		_ = conn.Close()
	}
	panic(http.ErrAbortHandler)
}

// recorder keeps an answer so that a fault can change it.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header that will be sent.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader notes the status.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write keeps the body.
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
