package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a query over the fields. With an error there is no query: it is for the
// caller to say so, and to keep what it showed before.
func Parse[R any](s string, fields []Field[R]) (Query[R], *Error) {
	p := parser[R]{in: s, fields: fields}
	var q Query[R]
	for p.skipSpaces(); p.at < len(s); p.skipSpaces() {
		t, err := p.term()
		if err != nil {
			return Query[R]{}, err
		}
		if len(t.any) > 0 {
			q.terms = append(q.terms, t)
		}
	}
	q.hint = p.hint
	return q, nil
}

type parser[R any] struct {
	in     string
	at     int
	fields []Field[R]
	hint   *Error // see [Query.Hint]
}

// value is what stands in quotes, or up to where it has to end.
type value struct {
	at, size int // with the quotes
	text     string
	quoted   bool
	open     bool // the closing quote is missing
}

// vacant returns the error of quotes with nothing in them, or nil.
func (v value) vacant() *Error {
	if !v.quoted || v.text != "" {
		return nil
	}
	e := errorAt(v.at, v.size, "Write something between the quotes.")
	e.unfinished = v.open
	return e
}

func (p *parser[R]) rest() string { return p.in[p.at:] }

func (p *parser[R]) ended() bool { return p.at == len(p.in) }

func (p *parser[R]) skipSpaces() {
	p.at = len(p.in) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
}

// accept makes a hint of what the user may still be typing, and returns any other error.
func (p *parser[R]) accept(err *Error) *Error {
	if err == nil || !err.unfinished || !p.ended() {
		return err
	}
	p.hint = err
	return nil
}

func (p *parser[R]) term() (t term[R], err *Error) {
	start := p.at
	for strings.HasPrefix(p.rest(), "!") {
		t.not = !t.not
		p.at++
	}
	if strings.TrimLeftFunc(p.rest(), unicode.IsSpace) != p.rest() || p.ended() {
		return t, p.accept(unfinishedAt(start, p.at-start, "Write what rows must not match right after the !, without a space."))
	}
	name, named := fieldName(p.rest())
	if !named {
		return p.bare(t)
	}
	if f := find(p.fields, name); f != nil {
		p.at += len(name) + 1
		return p.values(t, f)
	}
	known := append(names(p.fields), "quotes around it")
	return t, errorAt(p.at, len(name), "%s", instead("There is no field "+quote(name), name, known))
}

// find returns the field of a name, or nil.
func find[R any](fields []Field[R], name string) *Field[R] {
	i := slices.IndexFunc(fields, func(f Field[R]) bool { return strings.EqualFold(f.name, name) })
	if i < 0 {
		return nil
	}
	return &fields[i]
}

// bare reads a word or a phrase that stands without a field.
func (p *parser[R]) bare(t term[R]) (term[R], *Error) {
	v, err := p.value("")
	if err != nil {
		return t, err
	}
	if err = v.vacant(); err != nil {
		return t, p.accept(err)
	}
	var texts []func(R) string
	for _, f := range p.fields {
		if f.visible {
			texts = append(texts, f.texts...)
		}
	}
	t.any = append(t.any, contains(texts, v))
	return t, nil
}

// values reads what follows the colon of a field: values with commas between them.
func (p *parser[R]) values(t term[R], f *Field[R]) (term[R], *Error) {
	t.field = f.name
	for {
		v, err := p.value(",")
		if err != nil {
			return t, err
		}
		is, than, err := f.test(v)
		if err == nil {
			t.any, t.than = append(t.any, is), than
		} else if err = p.accept(err); err != nil {
			return t, err
		}
		if !strings.HasPrefix(p.rest(), ",") {
			return t, nil
		}
		p.at++
	}
}

// value reads up to a space or a stop, or what is in quotes.
func (p *parser[R]) value(stop string) (value, *Error) {
	ends := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(stop, r) }
	if !strings.HasPrefix(p.rest(), `"`) {
		text := p.rest()
		if n := strings.IndexFunc(text, ends); n >= 0 {
			text = text[:n]
		}
		v := value{at: p.at, size: len(text), text: text}
		p.at += v.size
		return v, nil
	}
	text, _, closed := strings.Cut(p.rest()[1:], `"`)
	v := value{at: p.at, size: len(text) + 1, text: text, quoted: true, open: !closed}
	if !closed {
		p.at = len(p.in)
		p.hint = unfinishedAt(v.at, v.size, "Close the quote with \".")
		return v, nil
	}
	v.size++
	p.at += v.size
	if next, n := utf8.DecodeRuneInString(p.rest()); n > 0 && !ends(next) {
		return v, errorAt(p.at, n, "Put a space after the closing quote.")
	}
	return v, nil
}

// fieldName is what stands before a colon, if it looks like a name: times and addresses
// (10:30, fe80::1) have colons too, and are words to look for.
func fieldName(s string) (name string, ok bool) {
	i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })
	if i <= 0 || s[i] != ':' {
		return "", false
	}
	return s[:i], true
}
