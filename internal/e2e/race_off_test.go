//go:build unix && !race

package e2e

func buildFlags() []string { return nil }
