package models

import "context"

type requestID struct{}

// WithRequestID returns a context whose requests have an id, which the live service logs and answers.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestID{}, id)
}

// RequestIDOf returns the id of the requests of a context, or "".
func RequestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestID{}).(string)
	return id
}
