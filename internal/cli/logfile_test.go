package cli

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/models"
)

// logOpeners open and close the file of --log, each as its command does.
func logOpeners() map[string]func(path string) error {
	return map[string]func(string) error{
		"dashboard": func(path string) error {
			w := transport{logFile: path}
			done, err := w.open()
			done()
			return err
		},
		"mock": func(path string) error {
			_, done, err := Process{}.mockLog(path)
			if err == nil {
				done()
			}
			return err
		},
	}
}

func TestEveryLogIsOpenedTheSameWay(t *testing.T) {
	t.Parallel()
	for name, open := range logOpeners() {
		target, link := logPath(t), logPath(t)
		if err := errors.Join(os.WriteFile(target, nil, 0o600), os.Chmod(target, 0o666), os.Symlink(target, link)); err != nil {
			t.Fatal(err)
		}
		err := open(link)
		if _, usage := errors.AsType[usageError](err); !usage || !errors.Is(err, errLogFile) {
			t.Errorf("%s: a symbolic link: %v", name, err)
		}
		if err := open(target); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		info, err := os.Stat(target)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s: mode %o", name, mode)
		}
	}
}

// A client of the mock writes nothing into its log that acts on a terminal.
func TestMockLogIsClean(t *testing.T) {
	t.Parallel()
	const hostile = "a\u009b31mb\u202etxt.exe\u200bc\u2066\x9b\u0085d"
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	server, err := mock.New(mock.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	path := logPath(t)
	log, done, err := Process{}.mockLog(path)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, mock.BasePath, nil)
	r.Method, r.URL.RawQuery = hostile, hostile
	r.Header.Set("User-Agent", hostile)
	server.LogRequests(log, clock).ServeHTTP(httptest.NewRecorder(), r)
	done()
	out, err := os.ReadFile(path)
	line := strings.TrimSuffix(string(out), "\n")
	if err != nil || models.Clean(line) != line || strings.Count(line, models.Clean(hostile)) != 3 {
		t.Errorf("logged %q", line)
	}
}
