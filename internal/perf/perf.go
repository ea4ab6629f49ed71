// Package perf compares pgtower with an empty Bubble Tea program: how long each takes to show its first screen and to answer
// a key, and how much CPU, memory and output it needs for that. It is for Linux:
//
//	go test ./internal/perf -run '^$' -bench . -benchtime 4x
package perf
