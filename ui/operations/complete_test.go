package operations_test

import (
	"encoding/csv"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

// matches returns the number of rows that match the filter.
func matches(p *play.Program) string {
	p.T.Helper()
	found := regexp.MustCompile(`(?m)([0-9,]+) of [0-9,]+ *─*$`).FindStringSubmatch(p.Screen())
	if found == nil {
		p.T.Fatalf("no number of matches:\n%s", p.Screen())
	}
	return found[1]
}

// Saved filters come back on their page, and are saved for later sessions, except those of the demo.
func TestFiltersComeBack(t *testing.T) {
	t.Parallel()
	for _, demo := range []bool{false, true} {
		kept := ""
		play.Run(t, 120, 36, func(_ *play.Backend, o *ui.Options) {
			o.Demo = demo
			o.Filters[page.Projects] = []string{"pg:17"}
			o.KeepFilter = func(of page.ID, filter string) { kept += of.Name() + " " + filter }
		}, func(p *play.Program) {
			p.Press("/", "up")
			p.Sees("/ words that rows must have")
			p.Enter("is:failed")
			p.Press("esc", "/", "up")
			p.Sees("/ is:failed")
			p.Press("esc", "2", "/", "up")
			p.Sees("/ pg:17", "↓ later")
		})
		if want := map[bool]string{false: "operations is:failed"}[demo]; kept != want {
			t.Errorf("demo %v: %q was kept", demo, kept)
		}
	}
}

// A filter by time loads everything, or shows how far back it is complete.
func TestFilterByTimeIsComplete(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, shortRange(func(b *play.Backend, _ *ui.Options) { b.Simulate(mock.Options{}) }), func(p *play.Program) {
		n := p.Counting()
		p.Press("/")
		p.Type("is:failed age:<24h")
		p.Wait(time.Second)
		p.Sees("older rows (┊) lack ")
		p.SeesNot("Loading older", "Complete for the")
		if got := n.Load(); got > 1 {
			t.Errorf("%d requests while the filter was typed", got)
		}
		some := matches(p)
		p.Press("enter")
		for second := 0; second < 30 && !strings.Contains(p.Screen(), "Complete"); second++ {
			p.Wait(time.Second)
		}
		p.Sees("Complete")
		p.SeesNot("Loading older", "┊")
		all := matches(p)
		p.Press("p") // no new rows while more is loaded
		p.Command("since 30d")
		p.Wait(time.Minute)
		if got := matches(p); got != all || all == some {
			t.Errorf("%s failed at first, %s when that was complete, and %s of 30 days", some, all, got)
		}
	})
}

// An empty result says for which time it holds, and that older operations are not loaded.
func TestFilterThatFindsNothingSaysForHowLong(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, shortRange(nil), func(p *play.Program) {
		p.Filter("no-such-thing")
		p.Sees("Nothing matches in the last ", " min, which is complete.", "Older operations are not all loaded; : since")
	})
}

// An export marks the rows that are incomplete, and its notice counts them.
func TestExportTellsWhatIsComplete(t *testing.T) {
	t.Parallel()
	older := func(r *http.Request, body []byte) []byte {
		if r.URL.Query().Has("cursor") {
			return nil
		}
		return body
	}
	play.Loaded(t, 120, 36, func(b *play.Backend, _ *ui.Options) { b.Spoil = older }, func(p *play.Program) {
		p.Filter("failed")
		p.Sees("┊")
		name := filepath.Join(t.TempDir(), "a.csv")
		p.Export(name)
		p.Wait(time.Second)
		p.Sees(" marked as incomplete (complete for 4 min of 24 h)")
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close() //nolint:errcheck // it is read only
		lines, err := csv.NewReader(file).ReadAll()
		end := len(lines[0]) - 1
		if err != nil || lines[0][end] != "complete" || lines[len(lines)-1][end] != "false" {
			t.Errorf("%v, %v", lines, err)
		}
	})
}

// If paging broke, a filter's operations cannot be loaded: that is shown once, without retries, and
// nothing is offered for loading.
func TestFilterEndsWherePagingBroke(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, brokenPaging(new(atomic.Bool)), func(p *play.Program) {
		p.Press("f")
		p.Wait(10 * time.Second)
		p.SeesNot("Loading older")
		p.Press("esc", "s", "enter")
		p.Wait(10 * time.Second)
		p.SeesNot("Loading older")
		p.Sees("┄┄ complete for ", "history stops here")
		p.Wait(90 * time.Second)
		p.SeesNot("Loading older", "operations are loaded")
		p.Filter("no-such-thing")
		p.Sees("Nothing matches in the last ", "History stops here", ": try again.")
		p.SeesNot("loads more")
	})
}

// Missing operations of an unreadable project are reported by the counts, the line and exports.
func TestExtentExceptsWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	play.Run(t, 160, 36, func(b *play.Backend, _ *ui.Options) {
		b.Inject("503 of /projects/" + b.Server.BusiestProject() + "/operations")
	}, func(p *play.Program) {
		p.Wait(10 * time.Second)
		p.Sees("cannot read storefront", "min, cannot read storefront (503): ≥")
		p.Press("f")
		p.Wait(time.Minute)
		p.Sees("omplete for ", " without storefront")
		p.SeesNot("Complete: the service has nothing older.")
	})
}

// Where the budget is too small to keep all projects current, the claim ends when the stalest one was read, and the counts
// of ended operations are lower bounds.
func TestExtentEndsWithTheStalestProject(t *testing.T) {
	t.Parallel()
	play.Run(t, 160, 36, func(_ *play.Backend, o *ui.Options) { o.Budget = 1 }, func(p *play.Program) {
		p.Wait(90 * time.Second)
		p.Sees("◌ 12 projects: ")
		line := regexp.MustCompile(`15 min as of \d\d:\d\d:\d\d UTC: ≥\d+ failed, \d+ running, ≥\d+ finished`)
		complete := regexp.MustCompile(`complete for .* as of \d\d:\d\d:\d\d UTC`)
		if screen := p.Screen(); !line.MatchString(screen) || !complete.MatchString(screen) {
			t.Errorf("the line or the end of the span is missing:\n%s", screen)
		}
		name := filepath.Join(t.TempDir(), "late.csv")
		p.Begin(mock.Task{Action: "apply_config", Run: 5 * time.Hour})
		p.Wait(20 * time.Second)
		p.Export(name)
		p.Wait(time.Second)
		p.Sees("of them marked as incomplete (complete for ")
		p.Command("budget 20")
		p.Wait(20 * time.Second)
		p.SeesNot("≥0", "15 min as of")
	})
}

// Operations without a readable time are in no window: they are counted beside it.
func TestSummaryCountsOperationsWithoutAReadableTime(t *testing.T) {
	t.Parallel()
	zone := regexp.MustCompile(`("(?:created|updated)_at":"[^"]*)Z"`)
	play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) {
		b.Spoil = func(r *http.Request, body []byte) []byte {
			if strings.Contains(r.URL.Path, b.Server.BusiestProject()+"/operations") {
				return zone.ReplaceAll(body, []byte(`$1"`))
			}
			return body
		}
	}, func(p *play.Program) {
		p.Wait(10 * time.Second)
		line := regexp.MustCompile(` 15 min: ≥\d+ failed, \d+ running, ≥\d+ finished +[1-9]\d* without a readable time `)
		if !line.MatchString(p.Screen()) {
			t.Errorf("nothing is said of them:\n%s", p.Screen())
		}
	})
}
