//go:build unix

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"pgtower/internal/termtest"
)

// startMock runs pgtower mock and reads what it prints first. stop interrupts it and
// waits for its exit code.
func startMock(t *testing.T, args, env []string) (a api, stop func() int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), termtest.Binary(t), append([]string{"mock", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Env = append([]string{"HOME=" + t.TempDir(), goRace}, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	read := func(label string) string {
		line, err := lines.ReadString('\n')
		rest, ok := strings.CutPrefix(line, label)
		if err != nil || !ok {
			t.Fatalf("%q (%v) does not begin with %q", line, err, label)
		}
		return strings.TrimSpace(rest)
	}
	a = api{t: t, base: read("base URL "), key: read("API key ")}
	return a, func() int {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if rest, _ := io.ReadAll(lines); len(rest) > 0 {
			t.Errorf("it also printed %q", rest)
		}
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode()
	}
}

func TestMockAnswersAsTheSpecificationSays(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, []string{"--api-key", "k"}, nil)
	u, err := url.Parse(a.base)
	if err != nil || u.Scheme != "http" || u.Hostname() != "127.0.0.1" || u.Port() == "0" || u.Path != "/api/v2" || a.key != "k" {
		t.Fatalf("base URL %s, key %s: %v", a.base, a.key, err)
	}
	project := a.checkProjects()
	a.checkOperations(project)
	a.checkKeys()
	for _, key := range []string{"", "unknown"} {
		without := a
		without.key = key
		for _, path := range []string{"/api_keys", "/projects", "/projects/" + project + "/operations"} {
			if status, _ := without.call(http.MethodGet, path, "", nil); status != http.StatusUnauthorized {
				t.Errorf("%s with the key %q: status %d", path, key, status)
			}
		}
	}
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

// has checks that a record has exactly the fields, but for those that may be left out.
func (a api) has(what string, r record, fields string, optional ...string) {
	a.t.Helper()
	want := map[string]bool{}
	for name := range strings.FieldsSeq(fields) {
		want[name] = true
		if _, ok := r[name]; !ok {
			a.t.Errorf("%s lacks %s: %v", what, name, r)
		}
	}
	for _, name := range optional {
		want[name] = true
	}
	for name := range r {
		if !want[name] {
			a.t.Errorf("%s has %s, which the specification does not show", what, name)
		}
	}
}

func (a api) checkProjects() (busiest string) {
	a.t.Helper()
	var page record
	status, header := a.call(http.MethodGet, "/projects", "", &page)
	if got := header.Get("Content-Type"); status != http.StatusOK || !strings.HasPrefix(got, "application/json") {
		a.t.Fatalf("status %d, content type %s", status, got)
	}
	a.has("the project list", page, "projects", "pagination")
	projects := page["projects"].([]any)
	for _, p := range projects {
		a.has("a project", p.(record), "id name platform_id region_id provisioner pg_version locked cpu_used_sec "+
			"proxy_host branch_logical_size_limit created_at updated_at")
	}
	return projects[0].(record)["id"].(string)
}

func (a api) checkOperations(project string) {
	a.t.Helper()
	at := "/projects/" + project + "/operations"
	const fields = "id project_id branch_id action status failures_count created_at updated_at"
	seen, cursor := map[any]bool{}, ""
	for range 3 {
		var page struct {
			Operations []record
			Pagination struct{ Cursor string }
		}
		if status, _ := a.call(http.MethodGet, at+"?limit=7"+cursor, "", &page); status != http.StatusOK || len(page.Operations) != 7 {
			a.t.Fatalf("status %d, %d operations", status, len(page.Operations))
		}
		newest := "9999"
		for _, op := range page.Operations {
			a.has("an operation", op, fields, "endpoint_id")
			if created := op["created_at"].(string); created > newest || seen[op["id"]] {
				a.t.Errorf("%v out of order, or twice", op)
			} else {
				newest = created
			}
			seen[op["id"]] = true
		}
		cursor = "&cursor=" + url.QueryEscape(page.Pagination.Cursor)
	}
	for id := range seen {
		var answer map[string]record
		status, _ := a.call(http.MethodGet, fmt.Sprintf("%s/%s", at, id), "", &answer)
		if status != http.StatusOK || len(answer) != 1 || answer["operation"]["id"] != id {
			a.t.Errorf("operation %s: status %d, %v", id, status, answer)
		}
		a.has("an operation", answer["operation"], fields, "endpoint_id")
	}
}

func (a api) checkKeys() {
	a.t.Helper()
	var created record
	if status, _ := a.call(http.MethodPost, "/api_keys", `{"key_name":"mine"}`, &created); status != http.StatusOK {
		a.t.Fatalf("create: status %d, %v", status, created)
	}
	a.has("the create response", created, "id key")
	secret := created["key"].(string)
	if !a.accepts(secret) {
		a.t.Error("the new key is refused")
	}
	var keys []record
	a.call(http.MethodGet, "/api_keys", "", &keys)
	for _, k := range keys {
		a.has("a key", k, "id name created_at last_used_at last_used_from_addr")
	}
	at := fmt.Sprintf("/api_keys/%v", created["id"])
	var revoked record
	if status, _ := a.call(http.MethodDelete, at, "", &revoked); status != http.StatusOK || revoked["revoked"] != true || revoked["name"] != "mine" {
		a.t.Errorf("revoke: status %d, %v", status, revoked)
	}
	a.has("the revoke response", revoked, "id name revoked last_used_at last_used_from_addr")
	if a.accepts(secret) || a.hasKey("mine") {
		a.t.Error("the revoked key is still there")
	}
	if status, _ := a.call(http.MethodDelete, at, "", nil); status != http.StatusNotFound {
		a.t.Errorf("revoke it again: status %d", status)
	}
}

func TestMockTakesItsKeyFromTheEnvironment(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, nil, []string{"PGTOWER_MOCK_API_KEY=of-the-environment"})
	if a.key != "of-the-environment" || !a.accepts(a.key) {
		t.Errorf("the key is %q", a.key)
	}
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

func TestMockStaysOnThisMachine(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		stdout, stderr, code := run(t, "mock", "--listen", addr)
		if code != 2 || stdout != "" || !strings.Contains(stderr, "not a loopback address") {
			t.Errorf("%s: exit code %d, %q, %q", addr, code, stdout, stderr)
		}
	}
}

func TestDashboardOnAMockOfItsOwnProcess(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, nil, nil)
	p := start(t, termtest.Options{
		Args: []string{"--interval", "1s"}, Env: []string{"PGTOWER_BASE_URL=" + a.base, "PGTOWER_API_KEY=" + a.key},
	})
	p.choose("storefront")
	p.Wait("● live 1s", "STATUS", "key of PGTOWER_API_KEY", strings.TrimPrefix(strings.TrimSuffix(a.base, "/api/v2"), "http://"))
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT while somebody is connected", code)
	}
	p.Wait("◌ late ", "STATUS")
	p.quit()
	p.neverShowed(a.key)
}
