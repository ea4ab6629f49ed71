package ui_test

import (
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

// ofSession returns the stacks of this test's goroutines that work for a session.
func ofSession(t *testing.T) (stacks []string) {
	t.Helper()
	all, n := make([]byte, 4<<20), 0
	for n = runtime.Stack(all, true); n == len(all); n = runtime.Stack(all, true) {
		all = make([]byte, 2*len(all)) // other tests have goroutines, too
	}
	all = all[:n]
	bubble := regexp.MustCompile(`synctest bubble \d+`)
	own := bubble.FindString(string(all)) // the first goroutine is the current one
	if own == "" {
		t.Fatal("not in a bubble")
	}
	for stack := range strings.SplitSeq(string(all), "\n\n") {
		first, _, _ := strings.Cut(stack, "\n")
		ours := slices.ContainsFunc([]string{"ui/operations.", "ui/projects.", "ui/apikeys.", "pgtower/client."}, func(room string) bool {
			return strings.Contains(stack, room)
		})
		if ours && bubble.FindString(first) == own {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// TestSessionLeavesNothingBehind ends sessions with polls that hang, watches, timers and reads of every list in
// progress.
func TestSessionLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *play.Program){
		"switched profile": func(p *play.Program) {
			p.SwitchProfile("empty")
			p.Sees("Sign in to empty")
		},
		"refused key": func(p *play.Program) {
			p.Inject("401 of /api_keys")
			p.Press("3", "r")
			p.Wait(2 * time.Second)
			p.Sees("The service refused the API key")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
				p.Wait(3 * time.Second)
				for range 3 {
					p.Begin(mock.Task{Action: "create_branch", Wait: time.Hour, Run: time.Hour})
				}
				p.Wait(6 * time.Second)
				p.Press("g", "w", "r", "2", "r", "1")
				p.Send(tea.BlurMsg{})
				p.Send(tea.FocusMsg{})
				p.Inject("latency=1h of /projects/*/operations")
				p.Wait(6 * time.Second)
				if before := len(ofSession(t)); before < 5 {
					t.Fatalf("%d goroutines work for the session, which is hardly all", before)
				}
				end(p)
				if left := ofSession(t); len(left) > 0 {
					t.Errorf("%d goroutines work for a session that is over:\n%s", len(left), strings.Join(left, "\n\n"))
				}
			})
		})
	}
}

// TestKeysHeldDownStartNoTimers holds down keys that read lists and poll.
func TestKeysHeldDownStartNoTimers(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(3 * time.Second)
		before := len(ofSession(t))
		for range 30 {
			p.Press("2", "r", "1", "r")
			p.Send(tea.BlurMsg{})
			p.Send(tea.FocusMsg{})
		}
		if after := ofSession(t); len(after) > before {
			t.Errorf("%d goroutines work for the session, %d did before:\n%s", len(after), before, strings.Join(after, "\n\n"))
		}
	})
}
