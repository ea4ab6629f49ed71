package mock

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pgtower/client/mock/fault"
	"pgtower/client/mock/sim"
)

// hit applies a fault over HTTP.
type hit fault.Hit

// serve answers a request; next would have answered it without the fault.
func (h hit) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if h.ID == 0 {
		next.ServeHTTP(w, r)
		return
	}
	wait(r, h.Latency)
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	silent := h.Reset || h.Empty
	if h.CarryOut || !silent && h.Status == 0 {
		next.ServeHTTP(answer, r)
	}
	if silent {
		h.hangUp(w)
	}
	if h.Status != 0 {
		answer = &recorder{header: http.Header{}}
		if h.RetryAfter != "" {
			answer.header.Set("Retry-After", h.RetryAfter)
		}
		newProblem(h.Status, "injected fault: %s", http.StatusText(h.Status)).write(answer, r)
	}
	h.send(w, r, answer)
}

// failRead makes the operation at a path of the API fail, or the newest unfinished one of a list. If there is none, it
// does nothing.
func failRead(platform *sim.Platform, path string, retry time.Duration) {
	parts := strings.Split(strings.TrimPrefix(path, BasePath+"/projects/"), "/")
	if len(parts) == 2 {
		parts = append(parts, newestUnfinished(platform, parts[0]))
	}
	_, _ = platform.Fail(parts[0], parts[2], retry)
}

// newestUnfinished returns the id of the newest operation of a project that is scheduled or running, or "".
func newestUnfinished(platform *sim.Platform, project string) string {
	page, _, _ := platform.Operations(project, "", maxPage)
	for i := range page {
		if page[i].Status == "scheduling" || page[i].Status == "running" {
			return page[i].ID
		}
	}
	return ""
}

// wait lets the time pass. If the client hangs up meanwhile, it ends the request instead of returning.
func wait(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	}
}

// pieces is how many pieces a trickling body is cut into.
const pieces = 50

// send sends the recorded response with the fault's changes.
func (h hit) send(w http.ResponseWriter, r *http.Request, answer *recorder) {
	body, n := answer.Bytes(), 1
	if h.Body != "" {
		body = []byte(h.Body)
	}
	if h.ContentType != "" {
		answer.header.Set("Content-Type", h.ContentType)
	}
	answer.header.Set("Content-Length", strconv.Itoa(len(body)))
	maps.Copy(w.Header(), answer.header)
	w.WriteHeader(answer.status)
	if h.Truncate {
		body = body[:len(body)/2]
	}
	if h.Trickle > 0 {
		n = pieces
	}
	for i := range n {
		_, _ = w.Write(body[i*len(body)/n : (i+1)*len(body)/n]) // the client may have gone
		if n > 1 || h.Truncate {
			// If it fails, the piece arrives later: slow or cut off all the same.
			_ = http.NewResponseController(w).Flush()
		}
		wait(r, h.Trickle/pieces)
	}
	if h.Truncate {
		panic(http.ErrAbortHandler)
	}
}

// hangUp ends the connection without a response, possibly by a reset. It does not return.
func (h hit) hangUp(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok && h.Reset {
			_ = tcp.SetLinger(0) // if it fails, the client sees an end of file: broken as well
		}
		_ = conn.Close()
	}
	panic(http.ErrAbortHandler)
}

// recorder keeps a response so that a fault can change it. It implements [http.ResponseWriter].
type recorder struct {
	bytes.Buffer

	header http.Header
	status int
}

// Header returns the header to send.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader records the status.
func (r *recorder) WriteHeader(status int) { r.status = status }
