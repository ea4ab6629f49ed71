package main

import (
	"net/http"
	"time"

	"pgtower/client/mock"
	"pgtower/ui"
)

// recording is the program played in simulated time: what it does while time passes and keys are
// pressed. It is for what moves, and for what no terminal shows on every machine alike.
type recording struct {
	name  string // of the file
	title string // what it shows, for those who cannot see it
	// interval is the time between polls, 5 s if it is left out.
	interval time.Duration
	// keyless is the program before its first API key.
	keyless bool
	// others are profiles to switch to.
	others []ui.Profile
	// before is what is done before the film begins.
	before []take
	// takes are the film. Without any the end of before is a picture that does not move.
	takes []take
}

// take is a part of a recording. What it asks for is done in the order of the fields.
type take struct {
	backend func(*mock.Server) error
	// caption names what is pressed. It stays while the take lasts.
	caption string
	keys    string // separated by blanks, named as Bubble Tea names them
	typed   string
	// lasts is how long the take goes on after the last key.
	lasts time.Duration
	// sees are texts that must be on the screen then.
	sees []string
	// still makes the end of the take the picture for those who want nothing to move.
	still bool
}

// recordings is the list of what is played in simulated time. To add one, add it here and run the
// generator.
func recordings() []recording {
	demo := ui.Profile{Name: "demo", Host: "demo", Note: "the built-in mock", Demo: true}
	return []recording{
		liveRecording(), revocationRecording(),
		{
			name: "signin", title: "pgtower asks for an API key", keyless: true, others: []ui.Profile{demo},
			before: []take{{lasts: time.Second, sees: []string{"Sign in", "API key:"}}},
		},
		{
			name: "profiles", title: "The profiles to switch to",
			others: []ui.Profile{
				{Name: "staging", Host: "staging.example"},
				{Name: "customer", Host: "console.example", Note: "org-calm-river-12345678"},
				demo,
			},
			before: []take{{lasts: 2 * time.Second}, {keys: "P", sees: []string{"Switch to which profile?"}}},
		},
		{
			name: "failing", title: "The service fails",
			before: []take{
				{lasts: 2 * time.Second, sees: []string{"● live"}},
				{backend: unavailable, lasts: time.Minute, sees: []string{"✗ the service failed"}},
			},
		},
		{
			name: "errors", title: "What failed, and the request to try by hand",
			before: []take{
				{lasts: 2 * time.Second, sees: []string{"● live"}},
				{backend: unavailable, lasts: 30 * time.Second},
				{keys: "!", lasts: time.Second, sees: []string{"curl"}},
			},
		},
	}
}

// unavailable makes the service fail from now on. It says when to ask again, which pgtower would
// otherwise draw lots for.
func unavailable(s *mock.Server) error {
	_, err := s.Inject(mock.Fault{Status: http.StatusServiceUnavailable, RetryAfter: 20 * time.Second})
	return err
}

// The projects of the demo in which the recordings let something happen.
const (
	storefront = "rapid-pond-264373"
	billing    = "winter-river-207621"
	search     = "soft-grass-537533"
)

// begin starts operations beside those of the simulation, of which few begin in so short a time.
func begin(tasks ...mock.Task) func(*mock.Server) error {
	return func(s *mock.Server) error {
		for _, t := range tasks {
			if _, err := s.Start(t); err != nil {
				return err
			}
		}
		return nil
	}
}

func liveRecording() recording {
	const second = time.Second
	return recording{
		name: "live", title: "The operations of all projects, live", interval: 2 * second,
		before: []take{{lasts: 2 * second, sees: []string{"all projects (12)", "● live"}}},
		takes: []take{
			{lasts: 1500 * time.Millisecond},
			{
				backend: begin(mock.Task{ProjectID: storefront, Action: "create_branch", Wait: second, Run: 6 * second}),
				lasts:   3500 * time.Millisecond, // the user sees it before they press a key
				sees:    []string{"Create branch"},
			},
			{caption: "w · watch", keys: "j w", lasts: 800 * time.Millisecond, sees: []string{"◉ watching Create branch"}},
			{
				backend: begin(
					mock.Task{ProjectID: billing, Action: "start_compute", Wait: second, Run: 3 * second},
					mock.Task{ProjectID: search, Action: "apply_config", Wait: second, Run: 4 * second, Fail: true},
				),
				lasts: 3500 * time.Millisecond,
			},
			{
				backend: begin(mock.Task{ProjectID: storefront, Action: "start_compute", Wait: second, Run: 4 * second}),
				lasts:   4 * second, sees: []string{"✓ Create branch finished"}, still: true,
			},
			{caption: "f · only failed", keys: "f", lasts: 2 * second, sees: []string{"Apply config"}},
			{caption: "f · all of them", keys: "f g", lasts: second},
			{caption: "v · statistics", keys: "v", lasts: 3500 * time.Millisecond, sees: []string{"Statistics of all projects"}},
			{caption: "v · back", keys: "v", lasts: second},
		},
	}
}

func revocationRecording() recording {
	return recording{
		name: "revocation", title: "Forgotten API keys are revoked, and one is rotated",
		before: []take{{lasts: 2 * time.Second}, {keys: "3", lasts: time.Second, sees: []string{"20 keys"}}},
		takes: []take{
			{lasts: 1500 * time.Millisecond},
			{caption: "/ · filter", keys: "/", typed: "never:used", lasts: 800 * time.Millisecond, sees: []string{"4 of 20"}},
			{caption: "a · mark all that are shown", keys: "enter a", lasts: 1200 * time.Millisecond, sees: []string{"4 marked"}},
			{caption: "x · revoke", keys: "x", lasts: 1500 * time.Millisecond, sees: []string{"Revoke 4 keys?"}},
			{caption: "type their number", typed: "4", lasts: 900 * time.Millisecond, still: true},
			{caption: "↵ · revoke", keys: "enter enter", lasts: 3 * time.Second, sees: []string{"4 of 4"}},
			{caption: "↵ · close", keys: "enter", lasts: 800 * time.Millisecond},
			{caption: "R · rotate this session's key", keys: "esc R", lasts: 1500 * time.Millisecond},
			{caption: "↵ · rotate", keys: "enter", lasts: 2500 * time.Millisecond, sees: []string{"Revoke pgtower-demo?"}},
			{caption: "type its name", typed: "pgtower-demo", lasts: 400 * time.Millisecond},
			{caption: "↵ · revoke", keys: "enter enter", lasts: 2500 * time.Millisecond, sees: []string{"revoked"}},
		},
	}
}
