// Package contract is test code: it tests a server over plain HTTP against the specification of the control API, section by
// section. If the server has organizations and branches, it tests these against observations of the live service. No program
// links it; it is a package because tests of several packages run it. It needs only a base URL and a key, so the same tests
// run against the mock behind httptest, the mock as a program of its own, and any other server.
//
// The tests are strict about the words of the specification and tolerant where it is silent ("not shown"), unless the target
// is [Target.Exact].
//
// The tests create API keys whose names begin with [KeyPrefix], revoke them again, and change nothing else.
package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	// KeyPrefix begins the name of every API key that the tests create.
	KeyPrefix = "pgtower-contract-"
	// maxBody is the size limit of a response, in bytes.
	maxBody = 64 << 20
)

// Target is the tested server.
type Target struct {
	// BaseURL is the service's base address (section 9).
	BaseURL string
	// APIKey is a valid key of an account; its lists are read in part. In an account with organizations, it is personal,
	// and the first organization is the one that is tested.
	APIKey string
	// Exact requires exactly the fields that the specification shows, and the behaviour of the mock where the
	// specification is silent.
	Exact bool

	client *http.Client
	orgID  string // the tested organization; empty for an account without
	list   string // the path of a list of projects
}

// Run checks the contract in sub-tests named after the specification's sections. It skips tests of records that the account
// does not have.
func Run(t *testing.T, target Target) {
	t.Helper()
	target.BaseURL = strings.TrimRight(target.BaseURL, "/")
	target.client = &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment},
		Timeout:   30 * time.Second,
		// A key is for one server only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(target.client.CloseIdleConnections)
	target.discover(t)
	for _, section := range []struct {
		name string
		test func(*Target, *testing.T)
	}{
		{"9 Versioning", (*Target).versioning},
		{"4.1 Create an API key", (*Target).createKey},
		{"4.2 List API keys", (*Target).listKeys},
		{"4.3 Revoke an API key", (*Target).revokeKey},
		{"4.4 List projects", (*Target).listProjects},
		{"4.5 List operations", (*Target).listOperations},
		{"4.6 Get an operation", (*Target).getOperation},
		{"5 Authentication", (*Target).authentication},
		{"Organizations", (*Target).organizations},
		{"Keys of an organization", (*Target).orgKeys},
		{"Keys of one project", (*Target).projectKeys},
		{"Branches, computes and members", (*Target).branches},
	} {
		t.Run(section.name, func(t *testing.T) { section.test(&target, t) })
	}
}

func (s *Target) versioning(t *testing.T) {
	t.Helper()
	if u, err := url.Parse(s.BaseURL); err != nil || !strings.HasSuffix(u.Path, "/api/v2") {
		t.Errorf("the base address is %s, and does not end in /api/v2: %v", s.BaseURL, err)
	}
}

// as returns the target with another key.
func (s *Target) as(key string) *Target {
	target := *s
	target.APIKey = key
	return &target
}

// answer is a response.
type answer struct {
	what   string // the request
	status int
	body   []byte
}

// call makes a request with the headers of section 4.
func (s *Target) call(ctx context.Context, t *testing.T, method, path, body string) answer {
	t.Helper()
	return s.send(ctx, t, method, path, body, "Bearer "+s.APIKey)
}

// send makes a request, without an Authorization header if that is empty.
func (s *Target) send(ctx context.Context, t *testing.T, method, path, body, authorization string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.BaseURL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json")
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	a := answer{what: method + " " + path}
	resp, err := s.client.Do(r)
	if err != nil {
		t.Fatalf("%s: %v", a.what, err)
	}
	defer func() { _ = resp.Body.Close() }()
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		t.Fatalf("%s: %v", a.what, err)
	}
	a.status = resp.StatusCode
	// Section 1: all bodies are JSON, including those of errors.
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if len(a.body) > 0 && (media != "application/json" || !json.Valid(a.body)) {
		t.Errorf("%s: the body of the %d is not JSON but %q: %s", a.what, a.status, media, a.body)
	}
	return a
}

// get makes a GET that must succeed, and decodes its body.
func (s *Target) get(t *testing.T, path string, into any) {
	t.Helper()
	s.call(t.Context(), t, http.MethodGet, path, "").decode(t, into)
}

// decode decodes a success into a variable of the body's type.
func (a answer) decode(t *testing.T, into any) {
	t.Helper()
	if a.status/100 != 2 {
		t.Fatalf("%s: status %d: %s", a.what, a.status, a.body)
	}
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber() // ids have more digits than a floating-point number
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v in %s", a.what, err, a.body)
	}
}

// refused checks for the response of section 7.
func (a answer) refused(t *testing.T) {
	t.Helper()
	if a.status != http.StatusUnauthorized {
		t.Errorf("%s: status %d, want 401: %s", a.what, a.status, a.body)
	}
}

// record is a JSON object.
type record = map[string]any

// text returns a text field, or "" for other types.
func text(r record, name string) string {
	s, _ := r[name].(string)
	return s
}

// kinds are regular expressions for values, with quotes around texts.
var kinds = map[string]string{
	"text": `"(?s:.*)"`, "integer": `-?\d+`, "boolean": `true|false`, "word": `"[!-~]+"`,
	"status": `"[a-z]+"`,
	"time":   timestamp, "time/null": timestamp + `|<nil>`, // section 1: ISO 8601, in UTC
	"action": `"[a-z]+(_[a-z]+)*"`, "status3.2": `"(scheduling|running|finished|failed)"`,
	"uuid": `"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"`,
}

const timestamp = `"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`

// check checks a record against its table in the specification: name=kind, with a ? if known servers omit the field,
// and ?? if the specification does. A target that is not exact may send more fields: clients must tolerate them.
func (s *Target) check(t *testing.T, what string, r record, table string) {
	t.Helper()
	ids := map[string]bool{}
	for field := range strings.FieldsSeq(table) {
		name, kind, _ := strings.Cut(strings.TrimRight(field, "?"), "=")
		ids[name] = true
		v, ok := r[name]
		written := fmt.Sprint(v)
		if s, isText := v.(string); isText {
			written = `"` + s + `"`
		}
		if ok && !regexp.MustCompile(`^(`+kinds[kind]+`)$`).MatchString(written) {
			t.Errorf("%s: %s is %s, want %s", what, name, written, kind)
		}
		if ok && v != nil && strings.HasPrefix(kind, "time") {
			when(t, r, name)
		}
		if !ok && !strings.HasSuffix(field, "??") && (s.Exact || !strings.HasSuffix(field, "?")) {
			t.Errorf("%s lacks %s: %v", what, name, r)
		}
	}
	for name := range r {
		if s.Exact && !ids[name] {
			t.Errorf("%s has %s, which the specification does not show", what, name)
		}
	}
}
