package ui_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/models/account"
	"pgtower/ui"
)

// notebook remembers a snapshot.
type notebook struct {
	kept      account.Snapshot
	forgotten bool
}

func (n *notebook) Recall() account.Snapshot     { return n.kept }
func (n *notebook) Keep(known *account.Snapshot) { n.kept = *known }
func (n *notebook) Forget()                      { n.kept, n.forgotten = account.Snapshot{}, true }

// What the dashboard has learned of the key is remembered when the user leaves, and forgotten if the key was refused.
func TestLeaveRemembersWhatTheKeyIs(t *testing.T) {
	t.Parallel()
	for _, refused := range []bool{false, true} {
		book := &notebook{}
		play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) { b.Known = book }, func(p *play.Program) {
			if refused {
				p.Inject("401")
				p.Wait(20 * time.Second)
				p.Sees("The service refused the API key")
			}
			p.Model.Leave(t.Context())
			if book.forgotten != refused || (len(book.kept.Projects) > 0) == refused {
				t.Errorf("refused: %v: kept %d projects, forgotten: %v", refused, len(book.kept.Projects), book.forgotten)
			}
		})
	}
}

// A revocation without an answer is named when the user leaves: at the end, and with another profile.
func TestLeaveNamesWhatMayBeRevoked(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`^The API key laptop-old \(id \d+\) may have been revoked\.$`)
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		p.Inject("latency=30s of DELETE")
		p.Keys().Select("laptop-old").Revoke().Confirm()
		p.Sees("◌ revoking…")
		said := p.Model.Leave(t.Context())
		if len(said) != 1 || !named.MatchString(said[0]) {
			t.Fatalf("at the end: %q", said)
		}
		p.SwitchProfile("stag")
		p.Sees("staging · staging.example", said[0])
		if said := p.Model.Leave(t.Context()); len(said) > 0 {
			t.Errorf("with another profile: %q", said)
		}
	})
}

// A secret that nobody has yet is warned of once, and its key is named at the end.
func TestLeaveWarnsOfASecret(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Keys().Create("unseen")
		p.Press("ctrl+c")
		p.Reads("You haven't copied, revealed or saved the secret.")
		if p.Over {
			t.Fatal("the secret was thrown away")
		}
		p.Press("ctrl+c")
		if got := strings.Join(p.Model.Leave(t.Context()), " "); !p.Over || !strings.Contains(got, "The API key unseen (id ") {
			t.Errorf("over %v, and said: %s", p.Over, got)
		}
	})
}
