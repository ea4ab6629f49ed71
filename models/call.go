package models

import "context"

// Call is what a caller and the client tell each other about a call, besides its arguments and its result.
type Call struct {
	Urgent    bool   // whether it comes before others that wait for the request budget: a user waits for it
	RequestID string // of its requests, which the live service logs and answers; empty for none

	Attempts int  // how many requests were sent, set by the client
	Limited  bool // whether the service answered one of them with a 429, set by the client
}

type callKey struct{}

// WithCall returns a context whose requests are those of a call.
func WithCall(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// CallOf returns the call of a context, never nil.
func CallOf(ctx context.Context) *Call {
	c, ok := ctx.Value(callKey{}).(*Call)
	if !ok {
		return &Call{}
	}
	return c
}
