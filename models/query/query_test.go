package query_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models/moment"
	"pgtower/models/query"
)

type row struct {
	status, action, title, branch string
	age, took                     time.Duration
	done                          bool
}

func fields() []query.Field[row] {
	return []query.Field[row]{
		query.Text("status", func(r row) string { return r.status }).Visible(),
		query.Text("action", func(r row) string { return r.action }, func(r row) string { return r.title }).Visible(),
		query.Text("branch", func(r row) string { return r.branch }),
		query.Duration("age", func(r row, _ time.Time) (time.Duration, bool) { return r.age, true }),
		query.Duration("took", func(r row, _ time.Time) (time.Duration, bool) { return r.took, r.done }),
		query.Number("rank", func(r row) (int64, bool) { return int64(r.took / (30 * time.Second)), r.done }),
		query.Words("is",
			query.Is("failed", func(r row, _ time.Time) bool { return r.status == "failed" }),
			query.Is("unfinished", func(r row, _ time.Time) bool { return !r.done }),
			query.Is("slow", func(r row, _ time.Time) bool { return r.took > time.Minute })),
	}
}

// sample is a row of each kind, by name.
func sample() (names []string, rows []row) {
	return []string{"start", "check", "create"}, []row{
		{"running", "start_compute", "Start compute", "br-bitter-sound-247814", 4 * time.Second, 0, false},
		{"failed", "check_availability", "Check availability", "br-royal a b", 2 * time.Hour, 31 * time.Second, true},
		{"finished", "create_branch", "Create branch", "Straße-ÄÖ", 40 * 24 * time.Hour, 2 * time.Minute, true},
	}
}

// Each part of the language selects its rows.
func TestMatch(t *testing.T) {
	t.Parallel()
	names, rows := sample()
	for _, c := range []struct{ query, want string }{
		{"", "start check create"},
		{" \t ", "start check create"},
		{"f", "check create"},
		{"FAILED", "check"},
		{"start_comp", "start"},
		{"!start_comp", "check create"},
		{"!!start_comp", "start"},
		{"create FIN", "create"},
		{"create failed", ""},
		{"bitter", ""}, // not a visible field
		{"branch:br-bit", "start"},
		{"branch:bitter,royal", "start check"},
		{"!branch:bitter,royal", "create"},
		{`branch:"a b"`, "check"},
		{`branch:"a b","ß"`, "check create"},
		{"BRANCH:äö", "create"},
		{"rank:1", "check"},
		{"rank:>=1", "check create"},
		{"rank:>1,<1", "create"},
		{"!rank:>1", "start check"},
		{`"t c"`, "start"},
		{`!"Start comp"`, "check create"},
		{"status:failed,fin !action:check", "create"},
		{"action:Start", "start"},
		{"age:<10m", "start"},
		{"age:>1h59m age:<=2h", "check"},
		{"age:<=4s,>=40d", "start create"},
		{"age:>1w1d", "create"},
		{"age:<4000ms", ""},
		{"age:<4.5S", "start"},
		{`age:"<10m"`, "start"},
		{"took:<1h", "check create"}, // unknown for a running operation
		{"!took:<1h", "start"},
		{"is:failed", "check"},
		{"is:Slow,unfinished", "start create"},
		{"!is:slow !is:failed", "start"},
		{"10:30", ""},
		{"a,b", ""},
		{"start_comp or failed", "start check"},
		{"finished failed OR start_comp", "start"},
		{"(start_comp or failed) !took:>1s", "start"},
		{"!(start_comp or failed)", "create"},
		{"!(!start_comp)(run)", "start"},
		{"or", ""}, // a word at the beginning
		{"orx or finished", "create"},
		{`"or" or failed`, "check"},
		{"failed or is:unf", "check"},
		{"failed or", "check"},
		{"(failed", "check"},
		{"failed (", "check"},
		{"f(a)", ""},
		{"\"create branch\"", "create"},
		{`action:"create b"`, "create"},
		{`"create-b"`, ""},
		{`a"b`, ""},
		// The last term may be incomplete.
		{"status:", "start check create"},
		{"failed age:", "check"},
		{"failed age:<", "check"},
		{"failed !age:<10", "check"},
		{"failed is:unf", "check"},
		{"failed !", "check"},
		{"is:failed,", "check"},
		{"is:failed,sl", "check"},
		{`branch:"a b`, "check"},
		{`branch:"`, "start check create"},
	} {
		q, err := query.Parse(c.query, fields())
		if err != nil {
			t.Errorf("%q: %v", c.query, err)
			continue
		}
		var got []string
		for i, r := range rows {
			if q.Match(r, time.Time{}) {
				got = append(got, names[i])
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q matches %q, want %q", c.query, s, c.want)
		}
	}
}

// A word is found anywhere in a text, ignoring the case, but not with gaps.
func TestWords(t *testing.T) {
	t.Parallel()
	text := ""
	one := []query.Field[row]{query.Text("text", func(row) string { return text }).Visible()}
	for _, c := range []struct {
		word, text string
		want       bool
	}{
		{"sound-24", "br-bitter-sound-247814", true},
		{"brbit", "br-bitter-sound-247814", false},
		{"RT_comp", "start_compute", true},
		{"sart", "start", false},
		{"är", "ÄRGER/Öl", true},
		{"k", "\u212a", true}, // the Kelvin sign
		{"\xff", "a\xffb", true},
		{strings.Repeat("x", 64), strings.Repeat("X", 64), true},
		{strings.Repeat("é", 65), "a" + strings.Repeat("É", 65), true},
		{strings.Repeat("x", 65), strings.Repeat("x", 64), false},
		{"x", "", false},
	} {
		q, err := query.Parse(c.word, one)
		text = c.text
		if err != nil || q.Match(row{}, time.Time{}) != c.want {
			t.Errorf("%q in %q: want %v, error %v", c.word, c.text, c.want, err)
		}
	}
}

// A filter bounds a field only if every matching row must be below the bound.
func TestUpperBound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"": 0, "failed": 0, "is:failed": 0, "age:>1h": 0, "age:>=1h": 0, "took:<5s": 0,
		"age:<24h": 24 * time.Hour, "AGE:<=24h": 24 * time.Hour, `age:"<1d"`: 24 * time.Hour,
		"is:failed age:<24h": 24 * time.Hour, "age:<24h took:<5s !storefront": 24 * time.Hour,
		"age:<24h age:<2h age:<3h": 2 * time.Hour, "age:>1h age:<2h": 2 * time.Hour,
		"age:<1h,>2h": 0, "age:>2h,<1h": 0, "!age:<1h": 0, "!!age:<1h": time.Hour, "!age:>1h": 0, "age:<0s": 0,
		"age:<": 0, "age:<1h age:": time.Hour, "age:<1h,<": time.Hour,
		"age:<1h or age:<2h": 2 * time.Hour, "age:<1h or failed": 0, "(age:<1h or age:<2h) age:<3h": 2 * time.Hour,
		"!(age:<1h)": 0, "failed (age:<1h)": time.Hour,
	} {
		q, err := query.Parse(text, fields())
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, ok := q.UpperBound("age", moment.ByService(time.Time{})); got != want || ok != (want > 0 || text == "age:<0s") {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}

// No matching row exceeds the bound.
func TestFilterBoundsFromBelow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q, text, _ := drawQuery(t)
		r := drawRow(t)
		if bound, ok := q.UpperBound("age", moment.ByService(time.Time{})); ok && q.Match(r, time.Time{}) && r.age > bound {
			t.Fatalf("%q is said to end at %v, and a row of %v matches", text, bound, r.age)
		}
	})
}

// Fields of times are searched as the screen shows times, compared with before: and after:, and bounded by after:.
func TestMoments(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 14, 0, 0, 0, time.FixedZone("", 2*60*60))
	moments := map[string]time.Time{
		"none": {}, "today": now.Add(-time.Hour), "night": now.Add(-15 * time.Hour), "friday": now.Add(-48 * time.Hour),
	}
	at := func(name string) time.Time { return moments[name].UTC() }
	fields := []query.Field[string]{
		query.Date("created", at), query.Before(at), query.After(at, "age"),
		query.Text("name", func(name string) string { return name }).Visible(),
	}
	for s, want := range map[string]string{
		"today":                         "today", // as a word of the name, and as a date
		"13:00":                         "today",
		"2026-11-20":                    "friday",
		"2026-11-20 14:00":              "friday",
		`"Nov 20"`:                      "friday",
		"created:11-2":                  "friday night today",
		"20":                            "", // might be a number
		"after:13:00":                   "today",
		"after:12:59:59":                "today",
		"after:90m":                     "today",
		"before:1h":                     "friday night",
		"before:1h after:2d":            "friday night",
		"after:2026-11-20t12:00:00z":    "friday night today",
		"after:2026-11-20T12:00:01Z":    "night today",
		"after:23:00":                   "night today", // yesterday's
		"before:14:00 after:yesterday":  "night today",
		"before:today":                  "friday night",
		"after:2026-11-20 14:00":        "friday night today",
		"after:2026-11-20T14:00:01":     "night today",
		`after:"2026-11-20 14:00:01"`:   "night today",
		"before:2026-11-20":             "",
		"!after:2026-11-21":             "friday none",
		"(before:2026-11-21 or 13:00)":  "friday today",
		"after:2026-11-21 or name:none": "night none today",
	} {
		q, err := query.Parse(s, fields)
		if err != nil || q.Hint() != nil {
			t.Errorf("%q: %v, %v", s, err, q.Hint())
			continue
		}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(moments)) {
			if q.Match(name, now) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
	for _, s := range []string{"after:1", "after:1h3", "after:1.", "before:2026-11-20t09:00:0", "after:yest"} {
		q, err := query.Parse(s, fields)
		if err != nil || q.Hint() == nil {
			t.Errorf("%q: %v, and no hint", s, err)
		}
	}
	for _, s := range []string{"after:0s", "after:1x", "after:1h3x", "before:99999999w", "after:tomorrow", "after:>3h"} {
		if _, err := query.Parse(s, fields); err == nil {
			t.Errorf("%q has no error", s)
		}
	}
	for s, want := range map[string]time.Duration{"after:13:00": time.Hour, "after:3h": 3 * time.Hour, "after:13:00 or after:2026-11-20 14:00": 48 * time.Hour} {
		q, _ := query.Parse(s, fields)
		if got, ok := q.UpperBound("age", moment.ByService(now)); got != want || !ok {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// A field without a value in any row is named.
func TestMissingField(t *testing.T) {
	t.Parallel()
	_, rows := sample()
	for s, want := range map[string]string{
		"rank:>15": "rank", "!rank:>15": "rank", "failed or (x took:<1s)": "took", "branch:x": "", "age:>1h": "", "is:slow": "",
	} {
		q, err := query.Parse(s, fields())
		if err != nil {
			t.Fatal(err)
		}
		if got := q.MissingField(slices.Values(rows[:1]), time.Time{}); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if got := q.MissingField(slices.Values(rows), time.Time{}); got != "" {
			t.Errorf("%q: %q lacks in rows that have it", s, got)
		}
	}
}
