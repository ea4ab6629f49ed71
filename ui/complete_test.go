package ui

import (
	"encoding/csv"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

// matches returns the number of rows that match the filter.
func (p *program) matches() string {
	p.t.Helper()
	found := regexp.MustCompile(`(?m)([0-9,]+) of [0-9,]+ *$`).FindStringSubmatch(p.screen())
	if found == nil {
		p.t.Fatalf("no number of matches:\n%s", p.screen())
	}
	return found[1]
}

// Saved filters come back on their page, and are saved for later sessions, except those of the demo.
func TestFiltersComeBack(t *testing.T) {
	t.Parallel()
	for _, demo := range []bool{false, true} {
		kept := ""
		play(t, 120, 36, func(_ *backend, o *Options) {
			o.Demo = demo
			o.Filters[page.Projects] = []string{"pg:17"}
			o.KeepFilter = func(of page.ID, filter string) { kept += of.Name() + " " + filter }
		}, func(p *program) {
			p.Press("/", "up")
			p.sees("/ words that rows must have")
			p.Type("is:failed")
			p.Press("enter", "esc", "/", "up")
			p.sees("/ is:failed")
			p.Press("esc", "2", "/", "up")
			p.sees("/ pg:17", "↓ later")
		})
		if want := map[bool]string{false: "operations is:failed"}[demo]; kept != want {
			t.Errorf("demo %v: %q was kept", demo, kept)
		}
	}
}

// A filter by time loads everything, or shows how far back it is complete.
func TestAFilterByTimeIsComplete(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, shortRange(func(b *backend, _ *Options) { b.simulate(mock.Options{}) }), func(p *program) {
		p.Wait(2 * time.Second)
		n := counting(p)
		p.Press("/")
		p.Type("is:failed age:<24h")
		p.Wait(time.Second)
		p.sees("older rows (┊) lack ")
		p.seesNot("Loading older", "Complete for the")
		if got := n.Load(); got > 1 {
			t.Errorf("%d requests while the filter was typed", got)
		}
		some := p.matches()
		p.Press("enter")
		for second := 0; second < 30 && !strings.Contains(p.screen(), "Complete"); second++ {
			p.Wait(time.Second)
		}
		p.sees("Complete")
		p.seesNot("Loading older", "┊")
		all := p.matches()
		p.Press("p") // no new rows while more is loaded
		p.command("since 30d")
		p.Wait(time.Minute)
		if got := p.matches(); got != all || all == some {
			t.Errorf("%s failed at first, %s when that was complete, and %s of 30 days", some, all, got)
		}
	})
}

// An empty result is not an all-clear for what is not loaded.
func TestNothingFoundSaysForHowLong(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, shortRange(nil), func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("/")
		p.Type("no-such-thing")
		p.Press("enter")
		p.sees("Nothing matches in the last ", " min, which is complete.", "Older operations are not all loaded; : since")
	})
}

// An export shows what is complete.
func TestAnExportTellsWhatIsComplete(t *testing.T) {
	t.Parallel()
	older := func(r *http.Request, body []byte) []byte {
		if r.URL.Query().Has("cursor") {
			return nil
		}
		return body
	}
	play(t, 120, 36, func(b *backend, _ *Options) { b.spoil = older }, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("/")
		p.Type("failed")
		p.Press("enter")
		p.sees("┊")
		name := filepath.Join(t.TempDir(), "a.csv")
		p.Press("e", "ctrl+u")
		p.Type(name)
		p.Press("enter")
		p.Wait(time.Second)
		p.sees(" marked as incomplete (complete for 4 min of 24 h)")
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close() //nolint:errcheck // it is read only
		lines, err := csv.NewReader(file).ReadAll()
		if err != nil || lines[0][12] != "complete" || lines[len(lines)-1][12] != "false" {
			t.Errorf("%v, %v", lines, err)
		}
	})
}

// If paging broke, a filter's operations cannot be loaded: that is shown once, without retries.
func TestASearchEndsWherePagingBroke(t *testing.T) {
	t.Parallel()
	cursor := regexp.MustCompile(`"cursor": *"[^"]*"`)
	spoil := func(_ *http.Request, body []byte) []byte { return cursor.ReplaceAll(body, []byte(`"cursor":7`)) }
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); b.spoil = spoil }, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("f")
		p.Wait(10 * time.Second)
		p.seesNot("Loading older")
		p.Press("esc", "s", "enter")
		p.Wait(10 * time.Second)
		p.seesNot("Loading older")
		p.sees("┄┄ complete for ", "history stops here")
		p.Wait(90 * time.Second)
		p.seesNot("Loading older", "operations are loaded")
	})
}

// Operations missing because paging broke are not offered for loading.
func TestNothingFoundSaysThatPagingBroke(t *testing.T) {
	t.Parallel()
	cursor := regexp.MustCompile(`"cursor":"[^"]*"`)
	play(t, 120, 36, func(b *backend, o *Options) {
		inBusiest(b, o)
		b.spoil = func(_ *http.Request, body []byte) []byte { return cursor.ReplaceAll(body, []byte(`"cursor":7`)) }
	}, func(p *program) {
		p.Wait(2 * time.Second)
		p.sees(" of 15 min: ")
		p.Press("/")
		p.Type("no-such-thing")
		p.Press("enter")
		p.sees("Nothing matches in the last ", "History stops here", ": try again.")
		p.seesNot("loads more")
	})
}

// The range of a search follows the service's clock.
func TestASearchGoesByTheServicesClock(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-2 * time.Hour, 2 * time.Hour} {
		play(t, 120, 36, func(b *backend, o *Options) {
			skewed(ahead)(b, o)
			b.budget, o.Budget, o.Since = 2, 2, time.Minute
		}, func(p *program) {
			p.Wait(10 * time.Second)
			p.Press("/")
			p.Type("is:failed age:<24h")
			p.Press("enter")
			p.Wait(time.Second)
			p.sees(" of 24 h")
			for second := 0; second < 90 && !strings.Contains(p.screen(), "Complete"); second++ {
				p.Wait(time.Second)
			}
			p.sees("Complete")
			p.seesNot("┊", "Loading older")
		})
	}
}

// Missing operations of an unreadable project are reported by the counts, the line and exports.
func TestWhatCannotBeReadIsAnException(t *testing.T) {
	t.Parallel()
	play(t, 160, 36, func(b *backend, _ *Options) {
		if _, err := b.server.Inject("503 of /projects/" + b.server.BusiestProject() + "/operations"); err != nil {
			t.Error(err)
		}
	}, func(p *program) {
		p.Wait(10 * time.Second)
		p.sees("cannot read storefront", "min, storefront not current: ")
		p.Press("f")
		p.Wait(time.Minute)
		p.sees("omplete for ", " except storefront")
		p.seesNot("Complete: the service has nothing older.")
	})
}
