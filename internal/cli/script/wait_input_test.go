package script

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// An input that never ends is given up at the time limit and at ctrl+c; one that ends is read whole.
func TestWaitInputEndsWithItsContext(t *testing.T) {
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

// The input is answers of the service, lines of pgtower operations --json, or ids; nothing else is taken for one of these.
func TestWaitInputHasEachForm(t *testing.T) {
	t.Parallel()
	const a, b = "5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51", "12ab0dc4-f87f-4d3e-a903-c91da6f41af6"
	for text, want := range map[string]string{
		`{"operations":[{"id":"` + a + `","project_id":"p"}]}`:                                  "p/" + a,
		`{"id":"` + a + `","project_id":"p","status":"running"}` + "\n" + `{"id":"` + b + `"}`:  "p/" + a + " /" + b,
		`{"event":"added","id":"` + a + `","project_id":"p"}{"event":"gap","project_id":"p"}`:   "p/" + a,
		`{"id":"` + a + `"}{"operation":{"id":"` + b + `","project_id":"q"}}{"id":"` + a + `"}`: "/" + a + " q/" + b,
		a + "\n\n  " + b + "\r\n" + a + "\n":                                                    "/" + a + " /" + b,
		a:                                                                                       "/" + a,
		`{"branch":{},"operations":[]}`:                                                         "nothing to wait for",
		`{"id":7,"name":"ci"}`:                                                                  "the standard input has no operations",
		`{"id":"br-cool-1","name":"ci"}`:                                                        "the standard input has no operations",
		a + "\nnot-an-id":                                                                       `must have one id of an operation a line, not "not-an-id"`,
		a + "\ttab":                                                                             "must have one id",
		"":                                                                                      "must be an answer of the service",
		"hello":                                                                                 "must be an answer of the service",
		`{"message":"not found"}`:                                                               "did not start an operation: not found",
		`{"operations":[]}{"branch":{"a":1}}`:                                                   "the standard input has no operations",
	} {
		list, err := startedBy([]byte(text))
		var got []string
		for i := range list {
			got = append(got, list[i].ProjectID+"/"+list[i].ID)
		}
		if said := strings.Join(got, " "); err == nil && said != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, said, err)
		}
	}
}
