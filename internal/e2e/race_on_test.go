//go:build unix && race

package e2e

// buildFlags give the program what the tests have: under -race it is watched as well.
func buildFlags() []string { return []string{"-race"} }
