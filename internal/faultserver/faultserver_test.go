package faultserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"pgtower/internal/faultserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask is the result of a plain client: the status and how the body ended.
func ask(ctx context.Context, t *testing.T, s *faultserver.Server) (status int, body string, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+"/x", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, string(got), err
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  faultserver.Fault
		status int
		length int
		err    error // nil for any if status is 0
	}{
		"as it should be": {faultserver.JSON(418, "{}", "X-A: b"), 418, 2, nil},
		"HTTP/1.0":        {faultserver.HTTP10("[1]"), 200, 3, nil},
		"truncated":       {faultserver.Truncate("[1,2]", 2), 200, 2, io.ErrUnexpectedEOF},
		"too much":        {faultserver.TooMuch("[1,2]", 2), 200, 2, nil},
		"endless":         {faultserver.Endless("[", "1,"), 200, 1 << 20, nil},
		"a bomb":          {faultserver.GzipBomb("[", "1,"), 200, 1 << 20, nil},
		"reset":           {faultserver.Reset(""), 0, 0, nil},
		"hints":           {faultserver.Flood1xx(), 0, 0, nil},
		"stalled":         {faultserver.Stall(), 0, 0, context.DeadlineExceeded},
		"stalled inside":  {faultserver.StallInBody("[1"), 200, 2, context.DeadlineExceeded},
		"in drips":        {faultserver.Trickle(time.Hour), 200, 1, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := faultserver.Start(t, c.fault)
			ctx, cancel := t.Context(), func() {}
			if errors.Is(c.err, context.DeadlineExceeded) {
				ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
			}
			defer cancel()
			status, body, err := ask(ctx, t, s)
			if status != c.status || c.status != 0 && len(body) > c.length || c.status == 0 && err == nil || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("%d, %d bytes, %v", status, len(body), err)
			}
			if !slices.Equal(s.Asked(), []string{"GET /x"}) {
				t.Errorf("asked %v", s.Asked())
			}
		})
	}
}
