//go:build unix

package docs_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/keys"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui/style"
)

// The blocks of TOML are configuration files, or settings of a profile.
func TestSnippetsOfConfiguration(t *testing.T) {
	t.Parallel()
	for page, text := range pages(t) {
		for _, m := range fence.FindAllStringSubmatch(text, -1) {
			if m[1] != "toml" {
				continue
			}
			snippet := m[2]
			if strings.HasPrefix(snippet, "key_") {
				snippet = "[profiles.work]\nbase_url = \"https://console.neon.tech/api/v2\"\n" + snippet
			}
			c, err := settings.Parse("config.toml", []byte(snippet), settings.Check{})
			if err != nil {
				t.Errorf("%s: %v\n%s", page, err, m[2])
			}
			for _, fault := range c.Faults {
				t.Errorf("%s: %v\n%s", page, fault, m[2])
			}
		}
	}
}

var (
	filterLine = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	filterWord = regexp.MustCompile("`([a-z_]+:[a-z0-9<>\"!][^`/{]*)`")
)

// Each filter that the pages show can be used on a page of the dashboard.
func TestFilters(t *testing.T) {
	t.Parallel()
	seen := 0
	for page, text := range pages(t) {
		prose := fence.ReplaceAllString(text, "")
		filters := filterWord.FindAllStringSubmatch(prose, -1)
		if strings.HasSuffix(page, "filter.md") {
			filters = append(filters, filterLine.FindAllStringSubmatch(prose, -1)...)
		}
		for _, m := range filters {
			seen++
			if m[1] != "field:value" && !parses(m[1]) {
				t.Errorf("%s: no page takes the filter %s", page, m[1])
			}
		}
	}
	if seen < 40 {
		t.Errorf("the pages have only %d filters", seen)
	}
}

// parses reports whether a filter of operations, API keys or projects is valid.
func parses(filter string) bool {
	return usable(query.Parse(filter, operations())) || usable(query.Parse(filter, apiKeys())) ||
		usable(query.Parse(filter, projects()))
}

func usable[R any](q query.Query[R], err *query.Error) bool { return err == nil && q.Hint() == nil }

func operations() []query.Field[*query.Operation] {
	self := func(o *query.Operation) *query.Operation { return o }
	return query.Operations(self, func() *feed.Timeline { return nil })
}

func apiKeys() []query.Field[*models.APIKey] {
	names := func() models.Names { return models.Names{} }
	return query.APIKeys(models.APIKeyFields(names), func() *keys.Audit { return nil }, style.Value)
}

// projects returns the fields of projects, with those that the dashboard adds.
func projects() []query.Field[*models.Project] {
	number := func(*models.Project) (int64, bool) { return 0, false }
	duration := func(*models.Project, time.Time) (time.Duration, bool) { return 0, false }
	var words []query.Word[*models.Project]
	for _, word := range []string{"failing", "over-quota", "maintenance"} {
		words = append(words, query.Is(word, func(*models.Project, time.Time) bool { return false }))
	}
	return append(query.Projects(func(*models.Project) bool { return false }, style.Value, words...),
		query.Text("health", func(*models.Project) string { return "" }), query.Duration("read", duration),
		query.TextAt("note", func(*models.Project, time.Time) string { return "" }),
		query.Number("running", number), query.Number("failed", number), query.Number("slow", number))
}

// The table of fields has each field of each page, and no other.
func TestTableOfFields(t *testing.T) {
	t.Parallel()
	text := pages(t)[filepath.Join("docs", "filter.md")]
	for page, want := range map[string][]string{
		"Operations": names(operations()), "API keys": names(apiKeys()), "Projects": names(projects()),
	} {
		_, row, _ := strings.Cut(text, "\n| "+page+" | ")
		row, _, _ = strings.Cut(row, "\n")
		row, _, _ = strings.Cut(row, "`is:`")
		got := []string{"is"}
		for _, code := range inline.FindAllString(row, -1) {
			name, _, _ := strings.Cut(strings.Trim(code, "`"), ":")
			got = append(got, name)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the table has %q, the page %q", page, got, want)
		}
	}
}

// names returns the names of fields, sorted, each once.
func names[R any](fields []query.Field[R]) []string {
	var out []string
	for _, field := range fields {
		out = append(out, field.Name())
	}
	slices.Sort(out)
	return slices.Compact(out)
}
