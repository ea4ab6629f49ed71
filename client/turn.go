package client

import (
	"context"
	"errors"

	"pgtower/models"
)

// turn waits until a request may go out: within the budget, and not while the service
// wants to be left alone. The trial is for [pause.learn].
func (c *Client) turn(ctx context.Context, failure *models.Error) (trial int, _ *models.Error) {
	for {
		if err := c.budget.Wait(ctx); err != nil {
			return 0, c.outOfTurn(ctx, failure, err)
		}
		trial, waited, err := c.pause.pass(ctx)
		switch {
		case err != nil && errors.Is(err, context.DeadlineExceeded):
			failure.RetryAfter, failure.Kind = c.pause.left()
			failure.Err = errors.New("the service wants to be left alone, so it was not asked")
			return 0, failure
		case err != nil:
			return 0, c.failed(ctx, failure, err)
		case !waited || trial != 0:
			return trial, nil
		}
		// All that waited go on at the same moment, so each needs its place in the budget.
	}
}

// outOfTurn completes the failure for a request that got no place in the budget. A
// limiter does not wait for a place that would come after the deadline.
func (c *Client) outOfTurn(ctx context.Context, failure *models.Error, err error) *models.Error {
	if ctx.Err() != nil {
		return c.failed(ctx, failure, err)
	}
	failure.Kind = models.KindTimeout
	failure.Err = errors.New("too many other requests go before it")
	return failure
}
