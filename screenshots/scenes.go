package main

import (
	"slices"
	"strings"
)

// The demo stands still at one moment of one simulation: the same pictures on every machine and
// every day.
const demoArguments = "--demo --demo-seed 7 --demo-time 2026-03-01T12:00:00Z"

// scene is one picture: a program in a terminal, what is pressed, and what must be on the screen.
type scene struct {
	name  string // of the file
	size  size
	light bool
	steps []step
}

// size is a terminal's size.
type size int

const (
	wide   size = iota // room for the detail pane
	narrow             // the size that terminals have had for fifty years
)

func (s size) cells() (cols, rows int) {
	if s == narrow {
		return 80, 24
	}
	return 120, 36
}

// step presses keys and then waits for texts. It does either or both.
type step struct {
	keys  string // separated by blanks, named as Bubble Tea names them
	typed string
	wait  []string
}

// scenes is the list of pictures. To add one, add it here and run the generator.
func scenes() []scene {
	operations := []step{{wait: []string{"all projects (12)", "58 failed", "● live"}}}
	then := func(steps ...step) []step { return append(slices.Clone(operations), steps...) }
	statistics := then(step{keys: "v", wait: []string{"Statistics of all projects", "how long they took"}})
	filter := then(
		step{keys: "/"},
		step{typed: "!is:failed took:>20s cav", wait: []string{"Check availability", " of 128"}},
	)
	projects := then(step{keys: "2", wait: []string{"12 projects", "REGION"}})
	apiKeys := then(step{keys: "3", wait: []string{"20 keys", "LAST USED"}})
	revoke := append(slices.Clone(apiKeys), step{keys: "down down down x", wait: []string{"Revoke ci-deploy?", "Cancel"}})
	help := then(step{keys: "?", wait: []string{"Operations: keys"}})
	return []scene{
		{name: "operations", size: wide, steps: operations},
		{name: "statistics", size: wide, steps: statistics},
		{name: "filter", size: wide, steps: filter},
		{name: "projects", size: wide, steps: projects},
		{name: "apikeys", size: wide, steps: apiKeys},
		{name: "revoke", size: wide, steps: revoke},
		{name: "help", size: wide, steps: help},
		{name: "operations-light", size: wide, light: true, steps: operations},
		{name: "operations-narrow", size: narrow, steps: operations},
	}
}

func arguments() []string { return strings.Fields(demoArguments) }
