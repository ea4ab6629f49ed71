package ui_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
)

// TestEverythingIsSpoken opens every page and dialog, and expects its name and keys.
func TestEverythingIsSpoken(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.WithOthers, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		for _, step := range []struct {
			keys  string
			hears []string
		}{
			{"?", []string{"Operations: keys", "slash: filter", "period: announce everything"}},
			{"esc", []string{"Back to Operations.", ", 1 of "}},
			{":", []string{"Commands", "Text field: Command", " match.", ", 1 of ", "Escape: cancel."}},
			{"down", []string{", 2 of "}},
			{"esc O", []string{"Choose a project", "12 of 12 match.", "all projects, 1 of 13"}},
			{"down enter", []string{"Back to Operations.", "Project ", ", 1 of "}},
			{"a enter", []string{"Details", "status: ", "created at: ", "UTC", "1 of ", "Escape: back"}},
			{"j", []string{"status: ", "2 of "}},
			{"esc v", []string{"Groups of all projects (12) by error", "failed ", "now "}},
			{"v", []string{"Back to Operations."}},
			{"s", []string{"Sort by", "time, ", "Escape: cancel."}},
			{"down enter", []string{"Sorted by status.", " of "}},
			{"s enter", []string{"Sorted by status, reversed."}},
			{"y", []string{"Copy: ", "id, "}},
			{"esc enter enter", []string{"JSON", `"id": `}},
			{"esc e", []string{"Export\n", "Text field: File, now operations-", "Enter: export."}},
			{"esc 2", []string{"Projects\n", "12 projects", "region", "1 of 12"}},
			{"enter", []string{"Details", "proxy host: "}},
			{"esc P", []string{"Switch profile"}},
			{"esc !", []string{"No failed requests"}},
			{"3 G R", []string{"Rotate this session's key", "Text field: Name of the new key, now pgtower-"}},
			{"enter", []string{"Revoke pgtower-demo?", "is now in use", "Text field: "}},
		} {
			p.Press(strings.Fields(step.keys)...)
			p.Wait(time.Second)
			all := p.Heard()
			rest := all
			for _, text := range step.hears {
				_, after, ok := strings.Cut(rest, text)
				if !ok {
					t.Errorf("%s: %q was not said:\n%s", step.keys, text, all)
					break
				}
				rest = after
			}
		}
	})
}

// FuzzSpoken plays scripts as [FuzzProgram] does, and checks that every printed line can be read out.
func FuzzSpoken(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		t.Chdir(t.TempDir()) // for exports
		play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
			b.Simulate(mock.Options{Projects: 4, Operations: 120})
			play.WithOthers(b, o)
			o.PageSize, o.Accessible = 20, true
		}, func(p *play.Program) {
			rest := script(s[:min(len(s), longest)])
			for len(rest) > 0 && !p.Over {
				take(p, &rest)
				said := p.Heard()
				if strings.Contains(said, "pgt_") {
					t.Fatalf("a secret was said: %s", said)
				}
				v := p.Model.View()
				if lines := strings.Count(v.Content, "\n"); v.AltScreen || lines > 0 && p.Model.Secret() == "" {
					t.Fatalf("not a prompt: %+v", v)
				}
			}
			leaves(p)
		})
	})
}
