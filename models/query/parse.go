package query

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse parses a query over the fields.
func Parse[R any](s string, fields []Field[R]) (Query[R], *Error) {
	p := parser[R]{in: s, rest: s, fields: fields}
	q, err := p.query()
	if err == nil && p.rest != "" {
		err = errorAt(p.at(), 1, "This ) has no (. Add one, or put the text in quotes.")
	}
	if err != nil {
		return Query[R]{}, err
	}
	q.hint = p.hint
	return q, nil
}

// query parses up to the end, or to a closing parenthesis.
func (p *parser[R]) query() (q Query[R], err *Error) {
	const or = "or"
	var alternative terms[R]
	begun, open := false, -1 // a term since the last or; the position of an or without one
	for p.skipSpaces(); p.rest != "" && p.rest[0] != ')'; p.skipSpaces() {
		if begun && orWord.MatchString(p.rest) {
			q.add(alternative)
			alternative, begun, open = nil, false, p.at()
			p.rest = p.rest[len(or):]
			continue
		}
		t, err := p.term()
		if err != nil {
			return q, err
		}
		if len(t.any) > 0 {
			alternative = append(alternative, t)
		}
		begun, open = true, -1
	}
	q.add(alternative)
	if open >= 0 {
		err = p.accept(unfinishedAt(open, len(or), "Write another condition after or."))
	}
	return q, err
}

var (
	orWord = regexp.MustCompile(`^(?i:or)([\s()]|$)`)
	// dateTime is a value that needs no quotes although it contains a space.
	dateTime = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\b`)
)

type parser[R any] struct {
	in, rest string
	fields   []Field[R]
	hint     *Error // see [Query.Hint]
}

// value is a value in quotes or not.
type value struct {
	at, size int // including the quotes
	text     string
	quoted   bool
}

func (p *parser[R]) at() int     { return len(p.in) - len(p.rest) }
func (p *parser[R]) skipSpaces() { p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace) }

// accept turns an error that more typing can fix into a hint, and returns any other error.
func (p *parser[R]) accept(err *Error) *Error {
	if err == nil || !err.unfinished || p.rest != "" {
		return err
	}
	p.hint = err
	return nil
}

func (p *parser[R]) term() (t term[R], err *Error) {
	start := p.at()
	for strings.HasPrefix(p.rest, "!") {
		t.not = !t.not
		p.rest = p.rest[1:]
	}
	name, named := fieldName(p.rest)
	f := find(p.fields, name)
	if err := p.expression(" or "); err != nil && !named {
		return t, err
	}
	switch next, _ := utf8.DecodeRuneInString(p.rest); {
	case p.rest == "", next == ')', unicode.IsSpace(next):
		const want = "Write a condition right after the !, without a space."
		return t, p.accept(unfinishedAt(start, p.at()-start, want))
	case next == '(':
		return p.group(t)
	case !named && f != nil && strings.ContainsAny(p.rest[len(name):len(name)+1], "<>="):
		return t, errorAt(p.at(), len(name)+1, "Write a colon after %s, without a space.", f.name)
	case !named:
		return p.bare(t)
	case f == nil:
		valid := append(names(p.fields, ""), "quotes around it")
		return t, errorAt(p.at(), len(name), "%s", wrongName("Unknown field", name, valid))
	}
	p.rest = p.rest[len(name)+1:]
	if err := p.expression(","); err != nil {
		return t, err
	}
	return p.values(t, f)
}

// A regular expression stands between slashes, as other programs have it, or is a word with signs that hardly stand for themselves.
var (
	enclosed = regexp.MustCompile(`^/[^"()]*?[^"()\s]/[a-z]*(\s|\)|$)`)
	word     = regexp.MustCompile(`^[^\s"()]+`)

	anySign   = regexp.MustCompile(`[\^$*+\[\]{}\\]|[^\s|]\|[^\s|]`)
	clearSign = regexp.MustCompile(`^\^.|\.[*+]|\\[dwsb][*+?{]|[^|]\|[^|]`)
	notText   = regexp.MustCompile(`\\[dwsb]|[\^$.*+?\[\]{}|\\]`)
)

// isExpression reports whether a text would be taken for a regular expression.
func isExpression(text string) bool {
	return clearSign.MatchString(text) || anySign.MatchString(enclosed.FindString(text))
}

// expression returns an error for a regular expression, with what to write instead. or stands between alternatives.
func (p *parser[R]) expression(or string) *Error {
	found, sign := word.FindString(p.rest), clearSign
	if slashed := enclosed.FindString(p.rest); slashed != "" {
		found, sign = strings.TrimRight(slashed, " \t\n)"), anySign
	}
	if !sign.MatchString(found) {
		return nil
	}
	text, between := found, " "
	if sign == anySign {
		text = found[1:strings.LastIndexByte(found, '/')]
	}
	if strings.Contains(text, "|") {
		between = or
	}
	parts := notText.Split(text, -1)
	parts = slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
	instead := cmp.Or(strings.Join(parts, between), "a part of the text")
	return errorAt(p.at(), len(found), "Regular expressions are not supported; write what rows contain: %s", instead)
}

func (p *parser[R]) group(t term[R]) (term[R], *Error) {
	position := p.at()
	p.rest = p.rest[1:]
	q, err := p.query()
	inside := p.in[position+1 : p.at()]
	switch {
	case err != nil:
		return t, err
	case p.rest != "":
		p.rest = p.rest[1:]
	case p.hint == nil:
		p.hint = unfinishedAt(position, 1, "Close the parenthesis with ).")
	}
	if p.hint == nil && strings.TrimSpace(inside) == "" {
		return t, errorAt(position, p.at()-position, "Write something between the parentheses.")
	}
	if !q.Empty() {
		t.any, t.group, t.moves = append(t.any, q.Match), &q, q.Moves()
	}
	return t, nil
}

func find[R any](fields []Field[R], name string) *Field[R] {
	for i := range fields {
		if strings.EqualFold(fields[i].name, name) {
			return &fields[i]
		}
	}
	return nil
}

// bare parses a word or a phrase without a field.
func (p *parser[R]) bare(t term[R]) (term[R], *Error) {
	v, err := p.value("")
	if err != nil {
		return t, p.accept(err)
	}
	var list texts[R]
	for _, f := range p.fields {
		if f.visible != nil && f.visible(v.text) {
			list = append(list, f.texts...)
			t.moves = t.moves || f.moving
		}
	}
	t.any = append(t.any, list.contain(v).holds)
	return t, nil
}

func (p *parser[R]) values(t term[R], f *Field[R]) (term[R], *Error) {
	t.field, t.moves = f, f.moving
	for {
		c, err := p.test(f)
		if err == nil {
			t.any, t.bound = append(t.any, c.holds), c.limit
		} else if err := p.accept(err); err != nil {
			return t, err
		}
		rest, found := strings.CutPrefix(p.rest, ",")
		if !found {
			return t, nil
		}
		p.rest = rest
	}
}

func (p *parser[R]) test(f *Field[R]) (c condition[R], err *Error) {
	v, err := p.value(",")
	switch {
	case err != nil:
		return c, err
	case v.text == "":
		return c, unfinishedAt(v.at, 0, "%s", f.wanted)
	case v.quoted && f.whole:
		return f.texts.equal(v), nil
	}
	return f.parse(v)
}

// value parses up to a space, a stop or an unmatched parenthesis, or a quoted text.
func (p *parser[R]) value(stop string) (value, *Error) {
	v, remaining := value{at: p.at()}, p.rest
	if !strings.HasPrefix(remaining, `"`) {
		v.size = len(dateTime.FindString(remaining))
		if v.size == 0 {
			v.size = valueEnd(remaining, stop)
		}
		v.text, p.rest = remaining[:v.size], remaining[v.size:]
		return v, nil
	}
	text, rest, closed := strings.Cut(remaining[1:], `"`)
	v.text, v.quoted, v.size, p.rest = text, true, len(remaining)-len(rest), rest
	if !closed {
		p.hint = unfinishedAt(v.at, v.size, "Close the quote with \".")
	}
	if valueEnd(rest, stop) > 0 {
		_, n := utf8.DecodeRuneInString(rest)
		return v, errorAt(p.at(), n, "Put a space after the closing quote.")
	}
	if text == "" {
		err := errorAt(v.at, v.size, "Write something between the quotes.")
		err.unfinished = !closed
		return v, err
	}
	return v, nil
}

// valueEnd returns where a value without quotes ends: before a space, a stop or an unmatched parenthesis, or at the end.
func valueEnd(text, stop string) int {
	open := 0
	for i, r := range text {
		switch r {
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 || unicode.IsSpace(r) || strings.ContainsRune(stop, r) {
			return i
		}
	}
	return len(text)
}

func isOutsideName(r rune) bool { return !unicode.IsLetter(r) && r != '_' }

// fieldName returns the name that s begins with, and whether a colon follows. Times and addresses (10:30, fe80::1)
// have colons, too. The name is empty if nothing follows it.
func fieldName(s string) (name string, named bool) {
	i := strings.IndexFunc(s, isOutsideName)
	if i <= 0 {
		return "", false
	}
	return s[:i], s[i] == ':'
}
