package query_test

import (
	"slices"
	"testing"
	"time"

	"pgtower/models/query"
)

// marked puts the error's position in brackets.
func marked(s string, e *query.Error) string {
	return s[:e.At] + "[" + s[e.At:e.At+e.Len] + "]" + s[e.At+e.Len:] + " " + e.Message
}

// An error marks its place in the filter and says what to write. There is no query then.
func TestErrors(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"/^start/":         `[/^start/] Regular expressions are not supported; write what rows contain: start`,
		"!/a.*b$/i x":      `![/a.*b$/i] x Regular expressions are not supported; write what rows contain: a b`,
		"status:/fail.*/":  `status:[/fail.*/] Regular expressions are not supported; write what rows contain: fail`,
		"(/no free.*/)":    `([/no free.*/]) Regular expressions are not supported; write what rows contain: no free`,
		"/start|suspend/":  `[/start|suspend/] Regular expressions are not supported; write what rows contain: start or suspend`,
		"x ^start y":       `x [^start] y Regular expressions are not supported; write what rows contain: start`,
		"(a|b) c":          `([a|b]) c Regular expressions are not supported; write what rows contain: a or b`,
		"status:a|b":       `status:[a|b] Regular expressions are not supported; write what rows contain: a,b`,
		`\d+ s`:            `[\d+] s Regular expressions are not supported; write what rows contain: a part of the text`,
		".*":               `[.*] Regular expressions are not supported; write what rows contain: a part of the text`,
		"a sttus:failed":   `a [sttus]:failed Unknown field; write status (or action, branch, age, took, rank, is or quotes around it).`,
		"sta:x":            `[sta]:x Unknown field; write status (or action, branch, age, took, rank, is or quotes around it).`,
		"!xyz:a":           `![xyz]:a Unknown field; write status, action, branch, age, took, rank, is or quotes around it.`,
		"status: x":        `status:[] x Write a value after status:, without a space.`,
		"status:a,,b":      `status:a,[],b Write a value after status:, without a space.`,
		`status:"" `:       `status:[""]  Write something between the quotes.`,
		`""`:               `[""] Write something between the quotes.`,
		`a "b"c`:           `a "b"[c] Put a space after the closing quote.`,
		`status:"é"ü`:      `status:"é"[ü] Put a space after the closing quote.`,
		"! x":              `[!] x Write a condition right after the !, without a space.`,
		"age:10m":          `age:[10m] Add < or >: age:<10m or age:>10m.`,
		"age:ten":          `age:[ten] Add < or >: age:<10m or age:>10m.`,
		"x age>10m":        `x [age>]10m Write a colon after age, without a space.`,
		"status:>a,<b":     `status:[>a],<b Put this in quotes: a text after status: is searched, not compared.`,
		"age: x":           `age:[] x Write a comparison after age:, such as age:<10m.`,
		"age:< x":          `age:<[] x Write a duration after the <, such as age:<10m.`,
		"age:=>5s":         `age:[=>]5s Compare with <, <=, > or >=, such as age:<10m.`,
		"age:>5 x":         `age:>[5] x Add a unit to the number: ms, s, m, h, d or w.`,
		"age:>5y":          `age:>[5y] Write the duration as a number and ms, s, m, h, d or w, such as age:>10m.`,
		"age:>1h1..5":      `age:>[1h1..5] Write the duration as a number and ms, s, m, h, d or w, such as age:>10m.`,
		"age:>-5m":         `age:>[-5m] Write the duration as a number and ms, s, m, h, d or w, such as age:>10m.`,
		"age:<10s,>99999w": `age:<10s,>[99999w] Write a shorter duration: this is more than 292 years.`,
		"a) b":             `a[)] b This ) has no (. Add one, or put the text in quotes.`,
		"() b":             `[()] b Write something between the parentheses.`,
		"(a or) b":         `(a [or]) b Write another condition after or.`,
		"(is:x y) b":       `(is:[x] y) b is: unknown value; write failed, unfinished or slow.`,
		"(!) b":            `([!]) b Write a condition right after the !, without a space.`,
		"(rank:x) b":       `(rank:[x]) b Write a whole number after rank:, such as rank:15 or rank:>15.`,
		"is:x":             `is:[x] is: unknown value; write failed, unfinished or slow.`,
		"is:faield x":      `is:[faield] x is: unknown value; write failed (or unfinished or slow).`,
		"is:fa x":          `is:[fa] x Write failed.`,
		"is: x":            `is:[] x Write failed, unfinished or slow after is:, without a space.`,
	} {
		q, err := query.Parse(s, fields())
		switch {
		case err == nil:
			t.Errorf("%q: no error, want %s", s, want)
		case marked(s, err) != want:
			t.Errorf("%q:\n got %s\nwant %s", s, marked(s, err), want)
		case !q.Empty() || q.Hint() != nil:
			t.Errorf("%q: a query in spite of the error", s)
		}
	}
}

// With a single field or word, an error names it without alternatives.
func TestErrorsOfOneChoice(t *testing.T) {
	t.Parallel()
	never := []query.Field[row]{query.Words("never", query.Is("used", func(row, time.Time) bool { return false }))}
	for s, want := range map[string]string{
		"never:usde":  `never:[usde] never: unknown value; write used.`,
		"nevre:used":  `[nevre]:used Unknown field; write never (or quotes around it).`,
		"status:used": `[status]:used Unknown field; write never or quotes around it.`,
	} {
		if _, err := query.Parse(s, never); err == nil || marked(s, err) != want {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}

// An error that is printed without the filter says where it is, and repeats nothing of it.
func TestErrorsWithoutTheirFilter(t *testing.T) {
	t.Parallel()
	_, err := query.Parse("a is:Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z", fields())
	if err == nil || err.Error() != "column 6: is: unknown value; write failed, unfinished or slow." {
		t.Errorf("got %v", err)
	}
}

// A filter that more typing can complete has a hint, and no error.
func TestHints(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"a status:":    `a status:[] Write a value after status:, without a space.`,
		"status:a,":    `status:a,[] Write a value after status:, without a space.`,
		"a (b or c":    `a [(]b or c Close the parenthesis with ).`,
		"(":            `[(] Close the parenthesis with ).`,
		"(is:":         `(is:[] Write failed, unfinished or slow after is:, without a space.`,
		"a or":         `a [or] Write another condition after or.`,
		"rank:>":       `rank:[>] Write a whole number after rank:, such as rank:15 or rank:>15.`,
		"!":            `[!] Write a condition right after the !, without a space.`,
		"is:":          `is:[] Write failed, unfinished or slow after is:, without a space.`,
		"is:slow,UN":   `is:slow,[UN] Write unfinished.`,
		"age:":         `age:[] Write a comparison after age:, such as age:<10m.`,
		"age:<":        `age:<[] Write a duration after the <, such as age:<10m.`,
		"age:<=1h30":   `age:<=[1h30] Add a unit to the number: ms, s, m, h, d or w.`,
		"age:<1.":      `age:<[1.] Add a unit to the number: ms, s, m, h, d or w.`,
		`a "b c`:       `a ["b c] Close the quote with ".`,
		`branch:x,"b `: `branch:x,["b ] Close the quote with ".`,
		`branch:"`:     `branch:["] Write something between the quotes.`,
	} {
		q, err := query.Parse(s, fields())
		switch {
		case err != nil:
			t.Errorf("%q: %s", s, marked(s, err))
		case q.Hint() == nil:
			t.Errorf("%q: no hint", s)
		case marked(s, q.Hint()) != want:
			t.Errorf("%q:\n got %s\nwant %s", s, marked(s, q.Hint()), want)
		}
	}
}

// Typing a query character by character shows no error.
func TestTypingShowsNoErrors(t *testing.T) {
	t.Parallel()
	const typed = `start_comp !status:failed,"run ning" took:>=1h30m,<5ms !is:unfinished "a phrase"`
	for i := range typed {
		if _, err := query.Parse(typed[:i], fields()); err != nil {
			t.Errorf("%q: %v", typed[:i], err)
		}
	}
	if q, _ := query.Parse(typed, fields()); q.Hint() != nil {
		t.Errorf("a hint at the end: %v", q.Hint())
	}
}

// Completions are fields, values of the first rows and operators that fit the end of the text.
func TestComplete(t *testing.T) {
	t.Parallel()
	rows := []row{{status: "failed"}, {status: "in doubt"}, {status: "finished"}, {status: "finished"}, {status: "failed\""}}
	for typed, want := range map[string][]string{
		"":                 {"status:", "action:", "branch:", "age:", "took:", "rank:", "is:"},
		"x A":              {"x action:", "x age:"},
		"x o":              {"x or "},
		"(!i":              {"(!is:"},
		`"a b" is:s`:       {`"a b" is:slow`},
		"status:":          {"status:finished", "status:failed", `status:"in doubt"`}, // the most frequent first
		"status:failed,F":  {"status:failed,finished", "status:failed,failed"},
		`status:"in d`:     {`status:"in doubt"`},
		"age:<1":           {"age:<1m", "age:<1s", "age:<1h", "age:<1d", "age:<1ms", "age:<1w"},
		"age:>":            {"age:>10m", "age:>1h", "age:>24h", "age:>5s", "age:>1m"},
		"!st":              {"!status:"},
		"a is:":            {"a is:failed", "a is:unfinished", "a is:slow"},
		"a !is:slow,UN":    {"a !is:slow,unfinished"},
		"is:a status:x":    nil,
		"is:slow":          nil,
		"nothing:x":        nil,
		"is:slow,failed x": nil,
	} {
		if got := query.Complete(typed, fields(), slices.Values(rows)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}
