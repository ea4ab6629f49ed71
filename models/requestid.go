package models

import "context"

type requestIDKey struct{}

// WithRequestID returns a context whose requests have an id, which the live service logs and answers.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestIDOf returns the id of the requests of a context, or "".
func RequestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
