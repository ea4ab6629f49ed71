package mock

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// trace is what a request's line in the log has to learn from the inside.
type trace struct {
	requestID string
	keyID     int64 // 0 where no valid key was shown
	faultID   int64 // 0 where no fault hit it
	fault     string
}

type traceKey struct{}

// traceOf returns the trace of a request, or one that nobody reads.
func traceOf(ctx context.Context) *trace {
	if t, ok := ctx.Value(traceKey{}).(*trace); ok {
		return t
	}
	return &trace{}
}

// LogRequests returns the server with a log: one record for each request, once it is
// answered or its connection was broken. It has the method, path, query, status,
// duration_ms, bytes of the body, request_id, key_id where a valid key was shown,
// authorization, user_agent, fault and fault_id of the last fault that hit it, if one
// did, and aborted where the answer did not end as it should.
// API keys are redacted wherever they stand. The clock measures the durations; it may
// be another one than the simulation's.
func (s *Server) LogRequests(to slog.Handler, clock func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun, t, sent := clock(), &trace{}, &meter{ResponseWriter: w, bodiless: r.Method == http.MethodHead}
		ctx := context.WithValue(r.Context(), traceKey{}, t)
		aborted := true
		// Deferred, because a broken connection is a panic in net/http.
		defer func() {
			record := slog.NewRecord(begun, slog.LevelInfo, "request", 0)
			clean := redactor(s.APIKey(), r.Header.Get("Authorization"))
			record.AddAttrs(describe(r, clean)...)
			record.AddAttrs(
				slog.Int("status", sent.status),
				slog.Float64("duration_ms", float64(clock().Sub(begun).Microseconds())/1000),
				slog.Int64("bytes", sent.bytes),
				slog.String("request_id", clean(t.requestID)),
			)
			record.AddAttrs(t.attrs(clean)...)
			if aborted {
				record.AddAttrs(slog.Bool("aborted", true))
			}
			_ = to.Handle(ctx, record) // A log that cannot be written is no reason to fail.
		}()
		s.ServeHTTP(sent, r.WithContext(ctx))
		aborted = false
	})
}

// attrs returns what a record says where there is something to say.
func (t *trace) attrs(clean func(string) string) []slog.Attr {
	var attrs []slog.Attr
	if t.keyID != 0 {
		attrs = append(attrs, slog.Int64("key_id", t.keyID))
	}
	if t.faultID != 0 {
		attrs = append(attrs, slog.String("fault", clean(t.fault)), slog.Int64("fault_id", t.faultID))
	}
	return attrs
}

// describe returns what a record says of the request itself.
func describe(r *http.Request, clean func(string) string) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", clean(r.URL.EscapedPath())),
		slog.String("query", clean(r.URL.RawQuery)),
		slog.String("user_agent", clean(r.UserAgent())),
	}
	if authorization := r.Header.Get("Authorization"); authorization != "" {
		attrs = append(attrs, slog.String("authorization", withoutSecret(authorization)))
	}
	return attrs
}

const redacted = "[redacted]"

// shortestSecret is how long a key is at least that is worth hiding: taking a test's "k"
// out of a path would make it unreadable.
const shortestSecret = 8

// redactor returns a function that takes API keys out of a text: the first one, the
// one that the request shows, and any other that the mock gave out.
func redactor(apiKey, authorization string) func(string) string {
	var pairs []string
	for _, secret := range append(strings.Fields(authorization), apiKey) {
		if len(secret) >= shortestSecret {
			pairs = append(pairs, secret, redacted, url.QueryEscape(secret), redacted, url.PathEscape(secret), redacted)
		}
	}
	known, given := strings.NewReplacer(pairs...), regexp.MustCompile(demoPrefix+`[a-z2-7]+`)
	return func(text string) string { return given.ReplaceAllString(known.Replace(text), redacted) }
}

// withoutSecret keeps the scheme of an Authorization header, which is what goes wrong
// in clients, where it is one of the usual: a key that stands alone looks like a scheme.
func withoutSecret(authorization string) string {
	for _, scheme := range []string{"Bearer", "Basic", "Token"} {
		if got, _, ok := strings.Cut(authorization, " "); ok && strings.EqualFold(got, scheme) {
			return scheme + " " + redacted
		}
	}
	return redacted
}

// meter notes what is sent.
type meter struct {
	http.ResponseWriter

	bodiless bool // of a HEAD, whose answer net/http sends without its body
	status   int  // 0 until something is sent
	bytes    int64
}

// Unwrap is how [http.ResponseController] finds the connection.
func (m *meter) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// WriteHeader notes the status.
func (m *meter) WriteHeader(status int) {
	m.status = status
	m.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (m *meter) Write(b []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	n, err := m.ResponseWriter.Write(b)
	if !m.bodiless {
		m.bytes += int64(n)
	}
	return n, err
}
