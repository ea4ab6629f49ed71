package main

import (
	"slices"
	"strconv"
)

// The demo stands still at one moment of one simulation: the same pictures on every machine and
// every day.
const (
	demoSeed  = 7
	demoClock = "2026-03-01T12:00:00Z"
)

// scene is one picture: a program in a terminal, what is pressed, and what must be on the screen.
type scene struct {
	name  string // of the file
	size  size
	light bool
	theme string // empty is what the program chooses itself
	steps []step
}

// size is a terminal's size.
type size int

const (
	wide   size = iota // room for the detail pane
	narrow             // the size that terminals have had for fifty years
	tall               // room for it below
	large              // the whole of a big screen
)

func (s size) cells() (cols, rows int) {
	switch s {
	case narrow:
		return 80, 24
	case tall:
		return 100, 50
	case large:
		return 200, 60
	case wide:
	}
	return 120, 36
}

// step presses keys and then waits for texts. It does either or both.
type step struct {
	keys  string // separated by blanks, named as Bubble Tea names them
	typed string
	wait  []string
}

// then returns the steps with more after them.
func then(first []step, more ...step) []step { return append(slices.Clone(first), more...) }

func onOperations() []step {
	return []step{{wait: []string{"all projects (12)   15 min: ", "● live"}}}
}

// onOperation is the feed after a person chose an operation: its detail is there, too.
func onOperation() []step {
	return then(onOperations(), step{keys: "j", wait: []string{"failures_count"}})
}

func onProjects() []step {
	return then(onOperations(), step{keys: "2", wait: []string{"12 projects", "REGION"}})
}

func onAPIKeys() []step {
	return then(onOperations(), step{keys: "3", wait: []string{"20 keys", "LAST USED"}})
}

// scenes is the list of pictures that a terminal shows. To add one, add it here and run the
// generator.
func scenes() []scene {
	return slices.Concat(feedScenes(), keyScenes(), manners())
}

func feedScenes() []scene {
	feed := onOperations()
	return []scene{
		{name: "operations", steps: onOperation()},
		{name: "statistics", steps: then(feed, step{keys: "v", wait: []string{"Statistics of all projects", "how long they took"}})},
		{name: "filter", steps: then(feed,
			step{keys: "/"},
			step{typed: "!is:failed took:>20s cav", wait: []string{"Check availability", " of 1,020"}},
		)},
		{name: "choose-project", steps: then(feed, step{keys: "o", wait: []string{"Choose a project"}})},
		{name: "operations-project", steps: then(feed,
			step{keys: "o", wait: []string{"Choose a project"}},
			step{typed: "bill", wait: []string{"1 of 12"}},
			step{keys: "enter", wait: []string{"billing   15 min: ", "BRANCH"}},
		)},
		{name: "copy", steps: then(feed, step{keys: "y", wait: []string{"of the whole operation"}})},
		{name: "json", steps: then(feed, step{keys: "J", wait: []string{`"failures_count": 0`}})},
		{name: "export", steps: then(feed, step{keys: "e", wait: []string{"Saves the 228 rows"}})},
		{name: "palette", steps: then(feed, step{keys: ":", wait: []string{"Commands", "poll faster"}})},
		{name: "help", steps: then(feed, step{keys: "?", wait: []string{"Operations: keys"}})},
		{name: "help-find", steps: then(feed,
			step{keys: "? /"}, step{typed: "poll", wait: []string{"poll faster", "2 of "}},
		)},
		{name: "projects", steps: onProjects()},
		{name: "project", steps: then(onProjects(), step{keys: "d", wait: []string{"provisioner"}})},
	}
}

func keyScenes() []scene {
	keys := onAPIKeys()
	create := then(keys, step{keys: "n", wait: []string{"New API key"}}, step{typed: "night-batch", wait: []string{"night-batch"}})
	rotate := then(keys, step{keys: "R", wait: []string{"Rotate this session's key"}})
	many := then(keys,
		step{keys: "/"},
		step{typed: "idle:>300d", wait: []string{"5 of 20"}},
		step{keys: "enter a x", wait: []string{"Revoke 5 keys?"}},
	)
	return []scene{
		{name: "apikeys", steps: keys},
		{name: "apikey", steps: then(keys, step{keys: "down enter", wait: []string{"last_used_from_addr"}})},
		{name: "create", steps: create},
		{name: "secret", steps: then(create, step{keys: "enter", wait: []string{"night-batch · id 165155", "••••••", "21 keys"}})},
		{name: "revoke", steps: then(keys, step{keys: "down down down x", wait: []string{"Revoke ci-deploy?", "Cancel"}})},
		{name: "revoke-many", steps: many},
		{name: "revoked-many", steps: then(many, step{typed: "5"}, step{keys: "enter enter", wait: []string{"5 of 5 keys revoked"}})},
		{name: "rotate", steps: rotate},
		{name: "rotated", steps: then(rotate, step{keys: "enter", wait: []string{"Revoke pgtower-demo?", "21 keys"}})},
	}
}

// manners are the ways in which the same is shown on other terminals.
func manners() []scene {
	return []scene{
		{name: "operations-light", light: true, steps: onOperation()},
		{name: "operations-high-contrast", theme: "high-contrast", steps: onOperation()},
		{name: "operations-mono", theme: "mono", steps: onOperation()},
		{name: "operations-narrow", size: narrow, steps: []step{{wait: []string{"all projects (12)   15 min: ", "1 / 228"}}}},
		{name: "operations-tall", size: tall, steps: []step{
			{wait: []string{"all projects (12)   15 min: ", "1 / 228"}},
			{keys: "j", wait: []string{"failures_count"}},
		}},
		{name: "operations-large", size: large, steps: onOperation()},
		{name: "apikeys-narrow", size: narrow, steps: []step{
			{wait: []string{"● live"}},
			{keys: "3", wait: []string{"20 keys", "LAST USED"}},
		}},
		{name: "apikeys-light", light: true, steps: onAPIKeys()},
	}
}

func (s scene) arguments() []string {
	// The clock stands still: what the budget does not allow in its first second never starts.
	args := []string{"--demo", "--demo-seed", strconv.Itoa(demoSeed), "--demo-time", demoClock, "--budget", "100"}
	if s.theme != "" {
		args = append(args, "--theme", s.theme)
	}
	return args
}
