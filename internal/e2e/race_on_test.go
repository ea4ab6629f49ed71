//go:build unix && race

package e2e

// buildFlags builds the program with the flags of the tests.
func buildFlags() []string { return []string{"-race"} }
