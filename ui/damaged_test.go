package ui_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// A record without an id is shown, and nothing is requested for it.
func TestDamagedRecordsWithoutID(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, pattern string
		keys, sees    []string
	}{
		"key":     {"/api_keys", `"id":165\d\d\d`, []string{"3", "x"}, []string{"damaged", "the id is unreadable"}},
		"project": {"/projects", `"id":"[^"]*"`, []string{"2", "o"}, []string{"⚠", "(no id)", "the project has no id"}},
		"operation": {"/operations", `"id":"[^"]*"`, []string{"j", "w"}, []string{
			"⚠", "the operation has no id",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			re := regexp.MustCompile(c.pattern)
			var mu sync.Mutex
			var asked []string
			play.Run(t, 150, 36, func(b *play.Backend, _ *ui.Options) {
				b.Watch = func(r *http.Request) {
					mu.Lock()
					defer mu.Unlock()
					asked = append(asked, r.URL.Path)
				}
				b.Spoil = func(r *http.Request, body []byte) []byte {
					if !strings.HasSuffix(r.URL.Path, c.path) {
						return body
					}
					return re.ReplaceAll(body, []byte(`"was":0`))
				}
			}, func(p *play.Program) {
				p.Press(c.keys...)
				p.Sees(c.sees...)
				p.Wait(20 * time.Second)
			})
			mu.Lock()
			defer mu.Unlock()
			for _, path := range asked {
				if strings.Contains(path, "(no id)") {
					t.Errorf("asked for %s", path)
				}
			}
		})
	}
}
