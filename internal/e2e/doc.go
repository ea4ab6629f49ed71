// Package e2e drives the built program in a real terminal, against the mock backend over
// loopback: what a person sees, types and is left with. It holds tests only.
package e2e
