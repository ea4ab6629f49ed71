package contract_test

import (
	"fmt"
	"os"
	"testing"

	"pgtower/client/mock/contract"
)

// The variables for another server, see docs/mock.md.
const (
	envURL = "PGTOWER_CONTRACT_URL"
	envKey = "PGTOWER_CONTRACT_API_KEY"
)

// A server that the environment names keeps the contract.
//
//nolint:paralleltest // Another server gets one request at a time.
func TestContractOfAnyServer(t *testing.T) {
	target := contract.Target{BaseURL: os.Getenv(envURL), APIKey: os.Getenv(envKey)}
	if target.BaseURL == "" {
		t.Skipf("%s names no server", envURL)
	}
	if target.APIKey == "" {
		t.Fatalf("%s is to hold an API key of %s", envKey, target.BaseURL)
	}
	fmt.Fprintf(os.Stderr, "warning: API keys named %s… are created on %s and revoked again; no other key is touched\n", contract.KeyPrefix, target.BaseURL)
	contract.Run(t, target)
}
