// Package keyenv moves the API keys out of the environment, so that no child process inherits them, and tmux until main
// begins: Lip Gloss would start it during its initialisation, and every command would wait for it.
//
// It must do so before any other package can start a process. Go initialises packages in the order of their import paths,
// each as soon as its imports are initialised (https://go.dev/ref/spec#Program_initialization). This package imports
// syscall only, so it comes before time, which imports syscall too and has the greater path, and so before os and
// everything that imports it.
package keyenv

import "syscall"

// The environment variables that hold an API key.
const (
	Own  = "PGTOWER_API_KEY"      // pgtower's own
	Live = "NEON_API_KEY"         // that of the live service's own tools
	Mock = "PGTOWER_MOCK_API_KEY" // the key that the mock accepts
)

// tmux is the environment variable that programs inside tmux have.
const tmux = "TMUX"

// variable is a variable of the environment, which may be set to nothing.
type variable struct {
	value string
	set   bool
}

// held are the removed variables by name, read only.
var held = take() //nolint:gochecknoglobals // only a package's initialisation comes before that of other packages

func take() map[string]variable {
	removed := map[string]variable{}
	for _, name := range []string{Own, Live, Mock, tmux} {
		value, set := syscall.Getenv(name)
		removed[name] = variable{value, set}
		_ = syscall.Unsetenv(name) // fails for impossible names only
	}
	return removed
}

// RestoreTmux puts tmux back into the environment, once all packages are initialised.
func RestoreTmux() {
	if address := held[tmux].value; address != "" {
		_ = syscall.Setenv(tmux, address) // as it was
	}
}

// LookupEnv is [os.LookupEnv], but also returns what was removed.
func LookupEnv(name string) (value string, set bool) {
	if removed, ok := held[name]; ok {
		return removed.value, removed.set
	}
	return syscall.Getenv(name)
}
