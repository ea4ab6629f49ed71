package ui

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// left returns which of the keys the service still has.
func left(p *program, names ...string) string {
	p.t.Helper()
	all := " " + keyNames(p) + " "
	var out []string
	for _, name := range names {
		if strings.Contains(all, " "+name+" ") {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func TestMarks(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "space")
		p.sees("●  first-try", " ▌ laptop-old", "● 1 marked", "2 / 20")
		p.Press("j", "j", "V")
		p.sees("● 4 marked", "●  terraform", "●▌ ci-deploy") // the rows between are marked, too
		p.Press("k", "space")
		p.sees("● 3 marked", "   terraform")
		p.Press("U")
		p.seesNot("marked")
		p.Press("/")
		p.Type("never:used")
		p.Press("enter", "A")
		p.sees("● 4 marked", "1 / 4")
		p.Press("/", "ctrl+u")
		p.Type("smoke")
		p.Press("enter")
		p.sees("● 4 marked, 3 of them hidden by the filter", "●▌ smoke-test")
		p.Press("enter", "space")
		p.sees("● 4 marked") // in the details, space scrolls
		p.Press("esc", "esc")
		p.sees("● 4 marked ") // marks are too much work to lose with esc
		p.Press("U", "/")
		p.Type("is:nonsense")
		p.Press("enter", "A")
		p.sees("mark all shown rows: unavailable, the filter is invalid")
	})
}

// markUnused marks the four unused keys.
func markUnused(p *program) {
	p.Press("3", "/")
	p.Type("never:used")
	p.Press("enter", "A", "x")
	p.sees("Revoke 4 keys?", "Type 4 to confirm:")
}

const unused = "smoke-test load-test demo-for-sales cost-report"

func TestRevokeMany(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		markUnused(p)
		p.sees("smoke-test      165099  never used")
		p.Type("3")
		p.Press("enter", "tab", "enter") // without the number: on Cancel
		p.seesNot("Revoke 4 keys?")
		if got := left(p, strings.Fields(unused)...); got != unused {
			t.Fatalf("only %s are left", got)
		}
		p.Press("x")
		p.Type("4")
		p.Press("enter", "enter")
		p.sees("4 of 4 keys revoked", "4 of 4", "✓ smoke-test", "✓ cost-report")
		p.Press("x") // not handled behind the dialog
		p.sees("4 of 4 keys revoked")
		p.Press("enter")
		p.seesNot("4 of 4 keys revoked", "marked")
		p.sees("⊘ revoked")
		if got := left(p, strings.Fields(unused)...); got != "" {
			t.Errorf("left: %s", got)
		}
		p.Press("esc", "r")
		p.seesNot("⊘ revoked", "smoke-test")
	})
}

func TestRevokeManySaysWhatIsHidden(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "space", "j", "j", "space", "end", "space") // first-try, ci-deploy, the session's own
		p.Press("/")
		p.Type("laptop")
		p.Press("enter", "x")
		p.sees("Revoke 2 keys?", "Marked, but hidden by the filter: 3 keys.",
			"Possibly in use, used in the last 7 days: 1 key.", "Skipped this session's key:")
	})
}

func TestRevokeOnlyTheOwnOfMany(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "end", "space", "x")
		p.sees("No keys to revoke")
		p.Press("enter")
		p.sees("● 1 marked")
	})
}

func TestRevokeManyMeetsOneThatIsGone(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		markUnused(p)
		p.revoke(165127)
		p.inject("403 of DELETE skip=2 count=1")
		p.Type("4")
		p.Press("enter", "enter")
		p.sees("3 of 4 keys revoked", "✓ load-test       already revoked", "✗ demo-for-sales", "Failed: 1. The remaining keys are still marked.")
		p.Press("enter")
		p.sees("● 1 marked", "1 / 1") // the list is read again
		if got := left(p, strings.Fields(unused)...); got != "demo-for-sales" {
			t.Errorf("left: %s", got)
		}
	})
}

func TestRevokeManyStops(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault string
		said  []string
		left  string

		signIn bool
	}{
		"when nobody answers": {
			"reset of DELETE skip=1",
			[]string{"1 of 4 keys revoked", "Stopped: the service cannot be reached.", "Not tried: 2. Failed: 1.", "✗ load-test still listed", "– demo-for-sales"},
			"load-test demo-for-sales cost-report", false,
		},
		"when nobody knows whether it was done": {
			"reset carry-out of DELETE skip=1",
			[]string{"2 of 4 keys revoked", "✓ load-test no longer listed"},
			"demo-for-sales cost-report", false,
		},
		"when the key is refused": {
			"401 of DELETE skip=1",
			[]string{"1 of 4 keys revoked", "✓ smoke-test", "✗ load-test", "Stopped: the API key was refused."},
			"load-test demo-for-sales cost-report", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, nil, func(p *program) {
				markUnused(p)
				p.inject(c.fault)
				p.Type("4")
				p.Press("enter", "enter")
				p.Wait(2 * time.Second)
				p.reads(c.said...)
				p.Press("enter")
				if c.signIn {
					p.sees("Sign in")
				}
				if got := left(p, strings.Fields(unused)...); got != c.left {
					t.Errorf("left: %s", got)
				}
			})
		})
	}
}

func TestRevokeManyIsStopped(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		markUnused(p)
		p.inject("latency=3s of DELETE")
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(4 * time.Second)
		p.sees("Revoking 4 keys", "1 of 4", "✓ smoke-test", "◌ load-test", "· cost-report")
		p.Press("enter") // only esc stops
		p.sees("◌ load-test")
		p.Press("esc")
		p.sees("Stopping after the current one")
		p.Wait(10 * time.Second)
		p.sees("2 of 4 keys revoked", "Stopped by you. Not tried: 2.", "✓ load-test", "– demo-for-sales")
		if got := left(p, strings.Fields(unused)...); got != "demo-for-sales cost-report" {
			t.Errorf("left: %s", got)
		}
		p.Press("enter")
		p.sees("● 2 marked")
	})
}

func TestRevokeManyWaitsWhenToldTo(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		markUnused(p)
		p.inject("429 retry-after=20s of DELETE count=1")
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(15 * time.Second)
		p.sees("Revoking 4 keys", "· smoke-test      waits 20s (rate limited)")
		if got := left(p, strings.Fields(unused)...); got != unused {
			t.Errorf("left after 15 of 20 s: %s", got)
		}
		p.Wait(10 * time.Second)
		p.sees("4 of 4 keys revoked") // skips the wait
	})
}

// TestReportOutlivesTheSession ends the session while keys are being revoked.
func TestReportOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		other := p.createOther()
		markNever(p, 5)
		p.inject("latency=2s of DELETE")
		p.Type("5")
		p.Press("enter", "enter")
		p.Wait(3 * time.Second)
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(10 * time.Second)
		p.sees("✓ smoke-test", "– cost-report", "The session ended.", "[ Close ]")
		p.Press("enter")
		p.sees("Sign in")
		p.Send(pasteOf(other))
		p.Press("enter")
		p.seesNot("Sign in")
	})
}

func markNever(p *program, n int) {
	p.Press("3", "/")
	p.Type("never:used")
	p.Press("enter", "A", "x")
	p.sees("Revoke " + string(rune('0'+n)) + " keys?")
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	const why = "pgtower was started with --read-only"
	play(t, 120, 36, func(b *backend, _ *Options) { b.readOnly = why }, func(p *program) {
		p.Press("3")
		for name, what := range map[string]string{"n": "create a key", "x": "revoke", "R": "rotate"} {
			p.Press(name)
			p.sees(what + ": unavailable, " + why)
		}
		p.Press("space", "x")
		p.sees("revoke: unavailable, " + why)
		_, err := p.connectOr(p.server.APIKey()).API.RevokeAPIKey(p.ctx, 165070)
		if models.KindOf(err) != models.KindReadOnly {
			t.Errorf("the client answers %v", err)
		}
		_, err = p.connectOr(p.server.APIKey()).API.CreateAPIKey(p.ctx, "x")
		if models.KindOf(err) != models.KindReadOnly {
			t.Errorf("the client answers %v", err)
		}
	})
}

// TestAnswersOfOthersAreNotTheBatchs revokes a single key slowly, and many keys meanwhile.
func TestAnswersOfOthersAreNotTheBatchs(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "j")
		p.inject("latency=5s of DELETE count=1")
		p.Press("x", "tab", "enter")
		p.sees("◌ revoking…")
		var sent []string
		p.watch = func(r *http.Request) {
			if r.Method == http.MethodDelete {
				sent = append(sent, r.URL.Path)
			}
		}
		p.inject("429 retry-after=30s of DELETE count=1")
		markUnused(p)
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(10 * time.Second)
		p.sees("Revoking 4 keys", "0 of 4")
		if len(sent) != 1 {
			t.Errorf("while the service wants to be left alone, it was asked for %v", sent)
		}
		p.Wait(time.Minute)
		p.sees("4 of 4 keys revoked")
		if got := left(p, append(strings.Fields(unused), "laptop-old")...); got != "" || len(sent) != 5 {
			t.Errorf("left: %s, after %d requests", got, len(sent))
		}
	})
}

func TestServiceThatWantsPatienceGetsIt(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		markUnused(p)
		p.inject("503 retry-after=30s of DELETE count=1")
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(20 * time.Second)
		if got := left(p, strings.Fields(unused)...); got != unused {
			t.Errorf("left after 20 of 30 s: %s", got)
		}
		p.Wait(20 * time.Second)
		p.sees("3 of 4 keys revoked", "✗ smoke-test      still listed")
	})
}

func TestOneMarkedKeyIsAskedAboutAsOne(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "j", "j", "j", "space", "x")
		p.sees("Revoke ci-deploy?", "Type the key's name to confirm:")
	})
}

// TestQuestionFitsEveryScreen shows all warnings on the smallest screen.
func TestQuestionFitsEveryScreen(t *testing.T) {
	t.Parallel()
	play(t, 60, 15, func(b *backend, _ *Options) { b.unknown = true }, func(p *program) {
		p.Press("3", "A", "/")
		p.Type("laptop")
		p.Press("enter", "x")
		p.sees("Revoke 20 keys?", "backup-nightly", "Type 20 to confirm:", "Cancel", "Revoke", "more", "pgdn more")
		p.Press("tab", "end")
		p.sees("Marked, but hidden by the filter: 18 keys.")
	})
}

func TestAnIgnoredRevocationIsSaid(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]string{
		"answered as gone":        "404 of DELETE count=1",
		"answered as done":        "200 of DELETE count=1 body=" + strconv.Quote(`{"id":165074,"name":"laptop-old","revoked":true}`),
		"answered as not revoked": "200 of DELETE count=1 body=" + strconv.Quote(`{"id":165074,"name":"laptop-old","revoked":false}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, nil, func(p *program) {
				p.Press("3", "j")
				p.inject(f)
				p.Press("x", "tab", "enter")
				if name == "answered as done" {
					p.Press("r")
				}
				p.sees("laptop-old", "✗ still listed")
				p.Press("x", "tab", "enter")
				p.sees("✓ revoked laptop-old")
			})
		})
	}
}
