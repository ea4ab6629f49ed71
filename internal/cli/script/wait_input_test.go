package script

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// An input that never ends is given up at the time limit and at ctrl+c; one that ends is read whole.
func TestReadAllEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		context func(context.Context) (context.Context, context.CancelFunc)
		err     error
	}{
		"--timeout": {
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 3*time.Second)
			}, context.DeadlineExceeded,
		},
		"ctrl+c": {
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(3*time.Second, cancel)
				return ctx, cancel
			}, context.Canceled,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				in, open := io.Pipe()
				defer open.Close() //nolint:errcheck // ends the read that was given up
				ctx, cancel := end.context(t.Context())
				defer cancel()
				began := time.Now()
				_, err := readAll(ctx, in)
				if took := time.Since(began); !errors.Is(err, end.err) || took != 3*time.Second {
					t.Errorf("%v after %s", err, took)
				}
			})
		})
	}
	in, out := io.Pipe()
	go func() {
		_, _ = io.WriteString(out, "\uFEFF{}")
		_ = out.Close()
	}()
	text, err := readAll(t.Context(), in)
	if err != nil || string(text) != "{}" {
		t.Errorf("%q, %v", text, err)
	}
}
