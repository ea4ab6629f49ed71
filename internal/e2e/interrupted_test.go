//go:build unix

package e2e

import (
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

// revoking runs a command that revokes a key, whose request gets the answer.
func revoking(t *testing.T, answer func(http.ResponseWriter)) *program {
	t.Helper()
	s := plain(t, goodKey)
	s.changing(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.Method == http.MethodDelete:
			answer(w)
		case r.URL.Path == "/api/v2/api_keys":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `[{"id":7,"name":"ci","created_at":"2026-01-01T00:00:00Z","last_used_at":null,"last_used_from_addr":""}]`)
		default:
			return false
		}
		return true
	})
	return start(t, termtest.Options{
		Args: []string{"apikeys", "revoke", "7", "--name", "ci"},
		Env:  []string{"PGTOWER_API_KEY=" + goodKey, "PGTOWER_BASE_URL=" + s.base()},
	})
}

// A second signal ends a command whose change has no response yet. The command first says that the change is open.
func TestInterruptedTwiceNamesTheOpenChange(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		sent, over := make(chan struct{}), make(chan struct{})
		p := revoking(t, func(http.ResponseWriter) { close(sent); <-over })
		t.Cleanup(func() { close(over) }) // before the service waits for its requests
		<-sent
		for syscall.Kill(p.PID, signal) == nil {
			time.Sleep(time.Millisecond)
		}
		p.refused(128+int(signal), "ci (id 7) may still be revoked: pgtower apikeys tells later")
	}
}

// An interrupt while a command waits for the outcome of a change ends it with exit code 6.
func TestInterruptedWaitEndsAsUnknown(t *testing.T) {
	t.Parallel()
	p := revoking(t, func(http.ResponseWriter) { panic(http.ErrAbortHandler) })
	p.Sees("the list tells, in")
	p.Signal(syscall.SIGINT)
	p.refused(6, "ci (id 7) may still be revoked: pgtower apikeys tells later whether it is listed")
}
