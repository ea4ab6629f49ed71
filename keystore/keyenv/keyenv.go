// Package keyenv moves the API keys out of the environment, so that no child process inherits them.
//
// It must do so before any other package can start a process: Lip Gloss queries tmux during its initialisation. Go
// initialises packages in the order of their import paths, each as soon as its imports are initialised
// (https://go.dev/ref/spec#Program_initialization). This package imports syscall only, so it comes before time, which
// imports syscall too and has the greater path, and so before os and everything that imports it.
package keyenv

import "syscall"

// The environment variables that hold an API key.
const (
	Own  = "PGTOWER_API_KEY"      // pgtower's own
	Live = "NEON_API_KEY"         // that of the live service's own tools
	Mock = "PGTOWER_MOCK_API_KEY" // the key that the mock accepts
)

// held are the keys by variable name, read only.
var held = take() //nolint:gochecknoglobals // only a package's initialisation comes before that of other packages

func take() map[string]string {
	keys := map[string]string{}
	for _, name := range []string{Own, Live, Mock} {
		keys[name], _ = syscall.Getenv(name)
		_ = syscall.Unsetenv(name) // fails for impossible names only
	}
	return keys
}

// Getenv is [os.Getenv], but also returns the removed keys.
func Getenv(name string) string {
	if key, ok := held[name]; ok {
		return key
	}
	value, _ := syscall.Getenv(name)
	return value
}
