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

// LogRequests adds a log with one record for each request, after the response or a broken connection. API keys are
// redacted everywhere. key_id is set for a valid key, fault and fault_id for the last fault that hit it, and aborted
// for an incomplete response. The clock measures the durations; it need not be that of the simulation. Call it before
// the first request. A nil handler is no log.
func (s *Server) LogRequests(target slog.Handler, clock func() time.Time) {
	if target == nil {
		return
	}
	s.log = &requestLog{target, clock, models.NewSecret(s.APIKey())}
}

// requestLog is a log of requests.
type requestLog struct {
	to    slog.Handler
	clock func() time.Time
	key   models.Secret // the initial key, which need not look like one
}

// note logs a request that began at a time.
func (l *requestLog) note(r *http.Request, sent *meter, begun time.Time) {
	c, authorization := callOf(r), r.Header.Get("Authorization")
	keys := []models.Secret{l.key}
	for word := range strings.FieldsSeq(authorization) {
		keys = append(keys, models.NewSecret(word))
	}
	redactor := models.Redactor{}.With(keys...)
	clean := func(text string) string { return given.ReplaceAllString(redactor.Text(text), redacted) }
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", clean(r.URL.EscapedPath())),
		slog.String("query", clean(r.URL.RawQuery)),
		slog.String("user_agent", clean(r.UserAgent())),
		slog.String("request_id", clean(c.requestID)),
		slog.Int("status", sent.status),
		slog.Float64("duration_ms", float64(l.clock().Sub(begun).Microseconds())/1000),
		slog.Int64("bytes", sent.bytes),
	}
	if authorization != "" {
		attrs = append(attrs, slog.String("authorization", scheme.FindString(authorization)+redacted))
	}
	if c.key.KeyID != 0 {
		attrs = append(attrs, slog.Int64("key_id", c.key.KeyID))
	}
	if c.key.OrgID != "" {
		attrs = append(attrs, slog.String("key_org_id", c.key.OrgID)) // the list of the key's id
	}
	if c.faultID != 0 {
		attrs = append(attrs, slog.String("fault", clean(c.fault)), slog.Int64("fault_id", c.faultID))
	}
	if !c.answered {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	record := slog.NewRecord(begun, slog.LevelInfo, "request", 0)
	record.AddAttrs(attrs...)
	// A request does not fail if its log cannot be written.
	_ = l.to.Handle(r.Context(), record)
}

const redacted = "•••"

var (
	// given matches the keys that the mock issues.
	given = regexp.MustCompile(sim.SecretPrefix + `[a-z2-7]+`)
	// scheme matches common mistakes of clients; a key without a scheme might match an unusual one.
	scheme = regexp.MustCompile(`^(?i:Bearer|Basic|Token) `)
)

// meter records the status and the length of a response.
type meter struct {
	http.ResponseWriter

	status int // 0 until something is sent
	bytes  int64
}

// Unwrap lets [http.ResponseController] find the connection.
func (m *meter) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// WriteHeader records the status.
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
