// Package contract states what the specification of the control API says, section by
// section, as tests of a server. They speak plain HTTP and know nothing of the server
// but its base URL and a key, so that the same tests hold for the mock behind httptest,
// for the mock as a program of its own, and for any other server.
//
// They are strict about what the specification says and tolerant of what it leaves open
// ("not shown"), unless the target is [Target.Exact].
//
// They create API keys whose names begin with [KeyPrefix], revoke them again, and
// change nothing else.
package contract

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// KeyPrefix begins the name of every API key that the tests create.
const KeyPrefix = "pgtower-contract-"

// timeout bounds a request.
const timeout = 30 * time.Second

// Target is a server that the contract is to hold for.
type Target struct {
	// BaseURL is the service's base address (section 9).
	BaseURL string
	// APIKey is a valid key of an account; what is behind it is paged through in part.
	APIKey string
	// Exact says that the server shows every field that the specification shows and
	// none beside them, and answers as the mock does where the specification is silent.
	Exact bool
}

// Run checks the contract in sub-tests that are named by the specification's sections.
// What an account has nothing to show for, such as operations, is skipped.
func Run(t *testing.T, target Target) {
	t.Helper()
	s := &service{
		base: strings.TrimRight(target.BaseURL, "/"), key: target.APIKey, exact: target.Exact,
		client: &http.Client{
			Transport: &http.Transport{Proxy: http.ProxyFromEnvironment},
			Timeout:   timeout,
			// A key is for the server that it was given for.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	t.Cleanup(s.client.CloseIdleConnections)
	for _, section := range []struct {
		name string
		test func(*testing.T, *service)
	}{
		{"9 Versioning", versioning},
		{"4.1 Create an API key", createKey},
		{"4.2 List API keys", listKeys},
		{"4.3 Revoke an API key", revokeKey},
		{"4.4 List projects", listProjects},
		{"4.5 List operations", listOperations},
		{"4.6 Get an operation", getOperation},
		{"5 Authentication", authentication},
	} {
		t.Run(section.name, func(t *testing.T) { section.test(t, s) })
	}
}

func versioning(t *testing.T, s *service) {
	t.Helper()
	t.Run("the base address ends in api and v2", func(t *testing.T) {
		if u, err := url.Parse(s.base); err != nil || !strings.HasSuffix(u.Path, "/api/v2") {
			t.Errorf("the base address is %s: %v", s.base, err)
		}
	})
}
