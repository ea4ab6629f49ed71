package contract_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/contract"
)

func newMock(t *testing.T, o mock.Options) *mock.Server {
	t.Helper()
	o.Clock = time.Now
	server, err := mock.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// listen serves a handler under the base path, and returns its base URL.
func listen(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL + mock.BasePath
}

// The mock keeps the contract in each of its versions.
func TestMockKeepsTheContract(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]mock.Options{
		"plain": {}, "live": {Live: true}, "organizations": {Organizations: 2}, "other version": {Organizations: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newMock(t, o)
			if name == "other version" {
				if _, err := server.Inject("other"); err != nil {
					t.Fatal(err)
				}
			}
			exact := !o.Live && o.Organizations == 0
			contract.Run(t, contract.Target{BaseURL: listen(t, server), APIKey: server.APIKey(), Exact: exact})
		})
	}
}

// against runs the tests for another server in a new process, as a user with such a server does.
func against(t *testing.T, base, key string) (output string, passed bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestContractOfAnyServer$", "-test.v")
	cmd.Env = append(os.Environ(), envURL+"="+base, envKey+"="+key)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// The tests can be run against a server by its address and key: they warn first, and leave no key behind.
func TestContractIsKeptByAnotherServer(t *testing.T) {
	t.Parallel()
	server := newMock(t, mock.Options{Organizations: 1})
	out, passed := against(t, listen(t, server), server.APIKey())
	if !passed || !strings.Contains(out, "--- PASS: TestContractOfAnyServer/Keys_of_one_project") || !strings.Contains(out, "warning: API keys named") {
		t.Errorf("%s", out)
	}
	var keys bytes.Buffer
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, mock.BasePath+"/api_keys", nil)
	r.Header.Set("Authorization", "Bearer "+server.APIKey())
	server.ServeHTTP(w, r)
	if _, err := io.Copy(&keys, w.Body); err != nil || w.Code != http.StatusOK || strings.Contains(keys.String(), contract.KeyPrefix) {
		t.Errorf("status %d, %v: keys are left over in %s", w.Code, err, &keys)
	}
}
