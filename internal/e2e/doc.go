// Package e2e drives the built program in a real terminal, against the mock backend over loopback. It contains only
// tests.
package e2e
