package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/cli/exit"
	"pgtower/internal/faultserver"
	"pgtower/internal/files"
	"pgtower/models"
	"pgtower/models/settings"
)

func logPath(t *testing.T) string { t.Helper(); return filepath.Join(t.TempDir(), "pgtower.log") }

// A log is appended to, and only its owner can read it.
func TestLogFile(t *testing.T) {
	t.Parallel()
	for content, mode := range map[string]os.FileMode{"": 0, "before\n": 0o600, "open to everyone\n": 0o666} {
		path := logPath(t)
		if mode != 0 {
			// The umask may remove permissions from a new file.
			if err := errors.Join(os.WriteFile(path, []byte(content), mode), os.Chmod(path, mode)); err != nil {
				t.Fatal(err)
			}
		}
		f, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("line\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Error(err)
		}
		if got, _ := os.ReadFile(path); string(got) != content+"line\n" {
			t.Errorf("the file has %q", got)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%v, mode %v", err, info.Mode())
		}
	}
}

// A log must be a regular file: links and folders are refused.
func TestLogFileRefuses(t *testing.T) {
	t.Parallel()
	target := logPath(t)
	for name, prepare := range map[string]func(path string) error{
		"a symbolic link": func(path string) error {
			return errors.Join(os.WriteFile(target, nil, 0o600), os.Symlink(target, path))
		},
		"a link to nothing":       func(path string) error { return os.Symlink(filepath.Join(t.TempDir(), "nothing"), path) },
		"a directory":             func(path string) error { return os.Mkdir(path, 0o700) },
		"a directory that is not": func(string) error { return nil },
	} {
		path := logPath(t)
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "is not") {
			path = filepath.Join(path, "x")
		}
		f, err := openLog(path)
		if err == nil {
			t.Errorf("%s was opened", name)
			_ = f.Close()
		}
		if !errors.Is(err, files.ErrNotRegular) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The flags apply to requests: a private authority is trusted, the User-Agent names the program, and the log records
// the request without the key.
func TestTransport(t *testing.T) {
	t.Parallel()
	const key = "napi_s3cret-of-the-test"
	agents := make(chan string, 1)
	authority := faultserver.NewAuthority(t, time.Now())
	s := faultserver.StartTLS(t, authority.Certificate(time.Now().Add(-time.Hour), time.Now().Add(time.Hour), "127.0.0.1"),
		func(conn net.Conn, r *http.Request) {
			agents <- r.UserAgent()
			faultserver.JSON(http.StatusOK, `{"projects":[]}`)(conn, r)
		})
	set, log := setup{Run: settings.Run{Profile: settings.Profile{Budget: 1}}}, logPath(t)
	if err := set.transport.open(authority.File(), log); err != nil {
		t.Fatal(err)
	}
	options := set.clientOptions(time.Now)
	options.BaseURL = s.URL()
	c, err := newClient(options, models.NewSecret(key))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Projects(t.Context(), models.ListID{}, models.PageRequest{}); err != nil {
		t.Fatal(err)
	}
	if agent := <-agents; agent != "pgtower/"+version() {
		t.Errorf("the program calls itself %q", agent)
	}
	raw, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Path   string
		Status int
	}
	if err := json.Unmarshal(raw, &line); err != nil || line.Path != "/projects" || line.Status != http.StatusOK || strings.Contains(string(raw), key) {
		t.Errorf("%v: logged %s", err, raw)
	}
}

// A file of a flag that cannot be used is a usage error, which names the flag.
func TestTransportRefuses(t *testing.T) {
	t.Parallel()
	empty, nothing := logPath(t), filepath.Join(t.TempDir(), "nothing")
	if err := os.WriteFile(empty, []byte("-----BEGIN CERTIFICATE-----\nnone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for flag, w := range map[string]settings.Run{
		"--ca-file: ": {CAFile: empty},
		"--ca-file: " + nothing + ": no such file":                {CAFile: nothing},
		"--ca-file: " + os.DevNull + ": it is not a regular file": {CAFile: os.DevNull},
		"--log: ":             {Log: t.TempDir()},
		"--log: open /dev/no": {Log: "/dev/nothing/x"},
	} {
		err := new(transport).open(w.CAFile, w.Log)
		if _, usage := errors.AsType[exit.UsageError](err); !usage || !strings.HasPrefix(err.Error(), flag) {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

// A client of the mock cannot write terminal sequences into its log.
func TestMockLogIsClean(t *testing.T) {
	t.Parallel()
	const hostile = "a\u009b31mb\u202etxt.exe\u200bc\u2066\x9b\u0085d"
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	server, err := mock.New(mock.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	path := logPath(t)
	_, err = Process{}.mockLog(filepath.Dir(path))
	if _, usage := errors.AsType[exit.UsageError](err); !usage || !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("the log is a folder: %v", err)
	}
	log, err := Process{}.mockLog(path)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, mock.BasePath, nil)
	r.Method, r.URL.RawQuery = hostile, hostile
	r.Header.Set("User-Agent", hostile)
	server.LogRequests(log, clock)
	server.ServeHTTP(httptest.NewRecorder(), r)
	out, err := os.ReadFile(path)
	line := strings.TrimSuffix(string(out), "\n")
	if err != nil || models.Clean(line) != line || strings.Count(line, models.Clean(hostile)) != 3 {
		t.Errorf("logged %q", line)
	}
}
