package client

import (
	"context"
	"log/slog"
	"time"

	"pgtower/models"
)

// attempt is what the log says of one try of a request.
type attempt struct {
	number int // from 1
	key    models.Secret
	began  time.Time
	status int
	id     string // of the request, as the service named it
	bytes  int64  // of the body, decompressed, as far as it was read
}

// note logs an attempt. Neither headers nor bodies are logged: the answer to a creation
// has a key in it. What comes from outside is cleaned, and without the session's key.
func (c *Client) note(ctx context.Context, a attempt, about *models.Error, failed bool) {
	level, kind := slog.LevelDebug, "ok"
	if failed {
		level, kind = slog.LevelWarn, about.Kind.String()
	}
	if c.log == nil || !c.log.Enabled(ctx, level) {
		return
	}
	now := c.clock()
	r := slog.NewRecord(now, level, "request", 0)
	r.AddAttrs(
		slog.String("method", about.Method),
		slog.String("path", c.safe(about.Path)),
		slog.Int("attempt", a.number),
		slog.Int("status", a.status),
		slog.String("kind", kind),
		slog.String("request_id", a.id),
		slog.Duration("duration", now.Sub(a.began)),
		slog.Int64("bytes", a.bytes),
	)
	if failed {
		r.AddAttrs(slog.String("error", c.safe(about.Error())))
	}
	if about.RetryAfter > 0 {
		r.AddAttrs(slog.Duration("retry_after", about.RetryAfter))
	}
	// A log that cannot be written is no reason for a request to fail.
	_ = c.log.Handler().Handle(ctx, r)
}
