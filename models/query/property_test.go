package query_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"pgtower/models/query"
)

// condition is a term and a simple implementation of it.
type condition struct {
	text string
	met  func(row) bool
}

// Match equals a reference that tries every way to cut a word.
func TestMatchEqualsReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q, text, terms := drawQuery(t)
		r := drawRow(t)
		want := true
		for _, c := range terms {
			want = want && c.met(r)
		}
		if got := q.Match(r, time.Time{}); got != want {
			t.Fatalf("%q on %+v: %v, want %v", text, r, got, want)
		}
	})
}

// With one known field, MayMatch is true if the row matches with any values of the others. It is the same as Match if the
// query has no other field.
func TestFilterMayMatchDependsOnTheKnownField(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Custom(drawTerm)
		alone := rapid.Bool().Draw(t, "alone")
		if alone {
			draw = rapid.Custom(drawText)
		}
		not, or := rapid.Bool().Draw(t, "not"), rapid.SampledFrom([]string{" ", " or "}).Draw(t, "or")
		text := "(" + draw.Draw(t, "term").text + or + draw.Draw(t, "other").text + ")"
		if not {
			text = "!" + text
		}
		q, err := query.Parse(text, fields())
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		r, known := drawRow(t), drawRow(t)
		known.branch = r.branch
		match, may := q.Match(r, time.Time{}), q.MayMatch(known, time.Time{}, "branch")
		if match && !may || alone && match != may {
			t.Fatalf("%q on %+v: %v, and %v if only its branch is known", text, r, match, may)
		}
	})
}

// drawQuery draws a query, its text, and its terms, which must all be met.
func drawQuery(t *rapid.T) (q query.Query[row], text string, terms []condition) {
	terms = rapid.SliceOfN(rapid.Custom(drawTerm), 0, 4).Draw(t, "terms")
	for _, c := range terms {
		text += " " + c.text
	}
	q, err := query.Parse(text, fields())
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return q, text, terms
}

func drawRow(t *rapid.T) row {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("aAbBäÄ1K\u212a_- @")), 0, 12, -1)
	return row{
		status: text.Draw(t, "status"), action: text.Draw(t, "action"), title: text.Draw(t, "title"), branch: text.Draw(t, "branch"),
		age: drawDuration(t), took: drawDuration(t), done: rapid.Bool().Draw(t, "done"),
	}
}

func drawDuration(t *rapid.T) time.Duration {
	return time.Duration(rapid.IntRange(0, 5).Draw(t, "minutes")) * time.Minute
}

func drawTerm(t *rapid.T) condition {
	c := rapid.OneOf(rapid.Custom(drawBare), rapid.Custom(drawText), rapid.Custom(drawComparison), rapid.Custom(drawWord), rapid.Custom(drawGroup)).Draw(t, "term")
	if !rapid.Bool().Draw(t, "not") {
		return c
	}
	return condition{"!" + c.text, func(r row) bool { return !c.met(r) }}
}

// drawGroup draws two terms with or or a space between them, in parentheses.
func drawGroup(t *rapid.T) condition {
	a, b := drawTerm(t), drawTerm(t)
	if rapid.Bool().Draw(t, "or") {
		return condition{"(" + a.text + " or " + b.text + ")", func(r row) bool { return a.met(r) || b.met(r) }}
	}
	return condition{"( " + a.text + " " + b.text + " )", func(r row) bool { return a.met(r) && b.met(r) }}
}

// drawPattern draws a pattern for a text.
func drawPattern(t *rapid.T) (written string, in func(text string) bool) {
	if rapid.Bool().Draw(t, "quoted") {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("aBä1_- ,:!")), 1, 4, -1).Draw(t, "phrase")
		return `"` + s + `"`, func(text string) bool { return contained(text, s) }
	}
	s := rapid.StringOfN(rapid.RuneFrom([]rune("aBä1k_-@")), 1, 5, -1).Draw(t, "word")
	return s, func(text string) bool { return contained(text, s) }
}

func drawBare(t *rapid.T) condition {
	s, in := drawPattern(t)
	return condition{s, func(r row) bool { return slices.ContainsFunc([]string{r.status, r.action, r.title}, in) }}
}

func drawText(t *rapid.T) condition {
	c := condition{"branch:", func(row) bool { return false }}
	for i := range rapid.IntRange(1, 3).Draw(t, "values") {
		s, in := drawPattern(t)
		c.text += strings.Repeat(",", min(i, 1)) + s
		before := c.met
		c.met = func(r row) bool { return before(r) || in(r.branch) }
	}
	return c
}

func drawComparison(t *rapid.T) condition {
	d := drawDuration(t)
	operator := rapid.SampledFrom([]string{"<", "<=", ">", ">="}).Draw(t, "operator")
	return condition{"took:" + operator + d.String(), func(r row) bool {
		return r.done && map[string]bool{"<": r.took < d, "<=": r.took <= d, ">": r.took > d, ">=": r.took >= d}[operator]
	}}
}

func drawWord(t *rapid.T) condition {
	if rapid.Bool().Draw(t, "both") {
		return condition{"is:unfinished,slow", func(r row) bool { return !r.done || r.took > time.Minute }}
	}
	return condition{"is:slow", func(r row) bool { return r.took > time.Minute }}
}

func contained(text, s string) bool {
	n := utf8.RuneCountInString(s)
	runes := []rune(text)
	for i := 0; i+n <= len(runes); i++ {
		part := slices.Clone(runes[i : i+n])
		for j, r := range []rune(s) {
			if strings.Contains(s, " ") && strings.ContainsRune(" _", r) && strings.ContainsRune(" _", part[j]) {
				part[j] = r
			}
		}
		if strings.EqualFold(string(part), s) {
			return true
		}
	}
	return false
}
