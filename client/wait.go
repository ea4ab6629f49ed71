package client

import (
	"context"
	"errors"
	"time"

	"pgtower/models"
)

// DefaultWait is the polling interval that the service suggests (section 8).
const DefaultWait = 5 * time.Second

// WaitOperation reads an operation until nothing more will happen to it (section 4.8),
// at once and then at the interval, or [DefaultWait] where that is not positive. Each
// reading is handed to seen, which may be nil.
//
// However the operation ended, the end is a result and not an error: the caller asks
// [models.Status.Failed] of it. Trouble that passes (no connection, no answer in time,
// status 423, 429 or 5xx) is waited out, for as long as Retry-After says if that is
// longer. Any other error ends the wait, as does ctx; what was read last is returned
// with it.
func (c *Client) WaitOperation(
	ctx context.Context, project, id string, every time.Duration, seen func(models.Operation),
) (models.Operation, error) {
	if every <= 0 {
		every = DefaultWait
	}
	var last models.Operation
	for {
		op, err := c.Operation(ctx, project, id)
		pause := every
		var failure *models.Error
		switch {
		case err == nil:
			last = op
			if seen != nil {
				seen(op)
			}
			if op.Done() {
				return op, nil
			}
		case ctx.Err() == nil && errors.As(err, &failure) && waitsOut(failure.Kind):
			pause = max(every, failure.RetryAfter)
		default:
			return last, err
		}
		// Where ctx ends the pause, the next reading says so.
		_ = sleep(ctx, pause)
	}
}

// waitsOut reports whether an error of this kind is no reason to stop watching.
func waitsOut(kind models.Kind) bool {
	switch kind {
	case models.KindUnreachable, models.KindTimeout, models.KindCutOff, models.KindStalled,
		models.KindServer, models.KindRateLimited, models.KindLocked:
		return true
	default:
		return false
	}
}
