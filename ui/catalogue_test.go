package ui_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgregory.net/rapid"

	"pgtower/models/settings"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// states visits the states of the pages, and returns all declared actions by the name of the page.
func states(t *testing.T) map[string][][]action.Group {
	t.Helper()
	seen := map[string][][]action.Group{}
	note := func(p *play.Program) {
		if p.Model.AtPage() {
			name := here(p).page.Name()
			seen[name] = append(seen[name], p.Model.Offered())
		}
	}
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		for _, presses := range []string{
			"1", "down", "enter", "esc", "v", "enter", "esc", "esc", "p", "p", "/ x enter esc", "a", "O enter", "J esc", "w", "f", "enter", "esc", "esc",
			"2", "d", "esc", "3", "space", "enter", "esc", "U", "esc",
		} {
			p.Press(strings.Fields(presses)...)
			note(p)
			p.Wait(time.Second)
			note(p)
		}
	})
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		for id := range page.Count {
			for _, presses := range []string{"1 esc " + strconv.Itoa(int(id)+1), "down enter", "esc", "/ n o n e enter esc"} {
				p.Press(strings.Fields(presses)...)
				note(p)
				p.Wait(time.Second)
				note(p)
			}
		}
	})
	// Watches would send requests while the service is down.
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Down = true
		p.Wait(time.Minute)
		note(p)
	})
	// More operations than a page holds leave a gap.
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.PageSize = 3 }, func(p *play.Program) {
		p.BeginMany(40)
		p.Wait(6 * time.Second)
		p.Press("g")
		for range 70 {
			p.Press("j")
			note(p)
		}
	})
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Accessible = true }, func(p *play.Program) {
		for id := range page.Count {
			p.Press(strconv.Itoa(int(id) + 1))
			note(p)
		}
	})
	return seen
}

// The customizable actions are exactly those that the pages declare.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	declared := states(t)
	for _, p := range ui.Catalogue() {
		known := map[string][]string{}
		for _, a := range p.Actions() {
			if _, twice := known[a.ID]; twice {
				t.Errorf("%s has two actions of the name %s", p.Name, a.ID)
			}
			known[a.ID] = a.Keys
		}
		met := map[string]bool{}
		for _, state := range declared[p.Name] {
			for _, a := range (action.Page{Groups: state}).Actions() {
				met[a.ID] = true
				if own, ok := known[a.ID]; !ok || !slices.Equal(own, a.Keys) {
					t.Errorf("%s: %s has the keys %v, and %v in the catalogue", p.Name, a.ID, a.Keys, own)
				}
			}
			for _, g := range state {
				for _, a := range g.Actions {
					if a.Title == "" || a.Run == nil && (a.Arg == nil || len(a.Keys) > 0) {
						t.Errorf("%s: %+v has no title, or does nothing", p.Name, a)
					}
					if a.ID == "" && !slices.Contains([]string{"ctrl+c", "ctrl+z"}, a.Keys[0]) {
						t.Errorf("%s: %s has no name", p.Name, a.Title)
					}
				}
			}
		}
		for name := range known {
			if !met[name] {
				t.Errorf("%s: nothing was played that declares %s", p.Name, name)
			}
		}
	}
}

// With any accepted keys, in any state of a page, every key has one action.
func TestKeysReachOneActionEach(t *testing.T) {
	t.Parallel()
	declared, all := states(t), ui.Catalogue()
	universe := []string{"f9", "ctrl+x", "alt+q", "Z", "é", "b"}
	own := map[string][]string{}
	for _, p := range all {
		for _, a := range p.Actions() {
			universe = append(universe, a.Keys...)
			own[a.ID] = append(own[a.ID], a.Keys...)
		}
	}
	slices.Sort(universe)
	universe = slices.Compact(universe)
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		var customs []settings.KeySetting
		for range rapid.IntRange(1, 4).Draw(t, "customs") {
			p := rapid.SampledFrom(all).Draw(t, "page")
			c := settings.KeySetting{Page: p.Name, Action: rapid.SampledFrom(p.Actions()).Draw(t, "action").ID}
			if rapid.Bool().Draw(t, "everywhere") {
				c.Page = ""
			}
			c.Keys = rapid.SliceOfN(rapid.SampledFrom(universe), 0, 2).Draw(t, "keys")
			if !slices.ContainsFunc(customs, func(other settings.KeySetting) bool { return other.Page == c.Page && other.Action == c.Action }) {
				customs = append(customs, c)
			}
		}
		m, fault := action.NewMap(all, customs)
		if fault != nil {
			return
		}
		accepted++
		for _, name := range slices.Sorted(maps.Keys(declared)) {
			state := rapid.SampledFrom(declared[name]).Draw(t, name)
			for _, key := range universe {
				checkKey(t, m.Apply(name, state), key, own)
			}
		}
	})
	if accepted == 0 && !testing.Short() { // a few drawn maps may all be refused
		t.Error("no map was accepted")
	}
}

// checkKey checks that a key has one action in a state of a page, except for those that share it by design.
func checkKey(t *rapid.T, state []action.Group, key string, own map[string][]string) {
	var of []string
	for _, a := range (action.Page{Groups: action.Visible(state)}).Actions() {
		if slices.Contains(a.Keys, key) {
			of = append(of, a.ID)
		}
	}
	for _, id := range of {
		if len(of) > 1 && !slices.Contains(own[id], key) {
			t.Fatalf("%v share %s, which is not by design", of, key)
		}
	}
}
