package mock

import (
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"pgtower/client/mock/sim"
	"pgtower/models"
)

// LogRequests returns the server with a log: one record for each request, once it is answered or its connection was
// broken, without API keys wherever they stand. key_id is there where a valid key was shown, fault and fault_id of the
// last fault that hit it, if one did, and aborted where the answer did not end as it should. The clock measures the
// durations; it may be another one than the simulation's.
func (s *Server) LogRequests(to slog.Handler, clock func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun, c, sent := clock(), &call{}, &meter{ResponseWriter: w}
		ctx := r.Context()
		aborted := true
		// Deferred, because a broken connection is a panic in net/http.
		defer func() {
			record := slog.NewRecord(begun, slog.LevelInfo, "request", 0)
			record.AddAttrs(describe(r, c, s.APIKey())...)
			record.AddAttrs(
				slog.Int("status", sent.status),
				slog.Float64("duration_ms", float64(clock().Sub(begun).Microseconds())/1000),
				slog.Int64("bytes", sent.bytes),
			)
			if aborted {
				record.AddAttrs(slog.Bool("aborted", true))
			}
			_ = to.Handle(ctx, record) // a log that cannot be written is no reason to fail
		}()
		s.ServeHTTP(sent, withCall(r, c))
		aborted = false
	})
}

// describe returns what a record says of the request itself.
func describe(r *http.Request, c *call, apiKey string) []slog.Attr {
	authorization := r.Header.Get("Authorization")
	known := []models.Secret{models.NewSecret(apiKey)}
	for word := range strings.FieldsSeq(authorization) {
		known = append(known, models.NewSecret(word))
	}
	redactor := models.Redactor{}.With(known...)
	clean := func(text string) string { return given.ReplaceAllString(redactor.Text(text), redacted) }
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", clean(r.URL.EscapedPath())),
		slog.String("query", clean(r.URL.RawQuery)),
		slog.String("user_agent", clean(r.UserAgent())),
		slog.String("request_id", clean(c.requestID)),
	}
	if authorization != "" {
		attrs = append(attrs, slog.String("authorization", scheme.FindString(authorization)+redacted))
	}
	if c.keyID != 0 {
		attrs = append(attrs, slog.Int64("key_id", c.keyID))
	}
	if c.faultID != 0 {
		attrs = append(attrs, slog.String("fault", clean(c.fault)), slog.Int64("fault_id", c.faultID))
	}
	return attrs
}

const redacted = "•••"

var (
	// given are the keys that the mock gives out.
	given = regexp.MustCompile(sim.SecretPrefix + `[a-z2-7]+`)
	// scheme is what goes wrong in clients; a key that stands alone looks like one that is not usual.
	scheme = regexp.MustCompile(`^(?i:Bearer|Basic|Token) `)
)

// meter notes what is sent.
type meter struct {
	http.ResponseWriter

	status int // 0 until something is sent
	bytes  int64
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
	m.bytes += int64(n)
	return n, err
}
