package models

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Blank stands for what a signature leaves out.
const Blank = "…"

// Signature returns an error text without what differs between operations: a word with a digit, such as an id, a number
// or a time, a text in quotes, and these names become [Blank]. Blanks that follow each other are one.
func Signature(text string, names ...string) string {
	for _, name := range names {
		text = blankName(text, name)
	}
	var out []string
	for word := range strings.FieldsSeq(blankQuoted(text)) {
		word = blankWord(word)
		if word == Blank && len(out) > 0 && out[len(out)-1] == Blank {
			continue
		}
		out = append(out, word)
	}
	return strings.ReplaceAll(strings.Join(out, " "), `"`, "'") // a filter can have it in quotes
}

// blankWord replaces a word that has a digit or a blank, except for the punctuation around it.
func blankWord(word string) string {
	inside := strings.TrimFunc(word, punctuation)
	if !strings.ContainsFunc(inside, unicode.IsDigit) && !strings.Contains(inside, Blank) {
		return word
	}
	head, tail, _ := strings.Cut(word, inside)
	return head + Blank + tail
}

func punctuation(r rune) bool { return strings.ContainsRune("()[]{}<>,;:.!?", r) }

// blankName replaces a name where it is not a part of a longer word.
func blankName(text, name string) string {
	if name == "" {
		return text
	}
	var b strings.Builder
	last := ' '
	for {
		head, tail, found := strings.Cut(text, name)
		b.WriteString(head)
		if !found {
			return b.String()
		}
		if head != "" {
			last = lastOf(head)
		}
		word := Blank
		if inWord(last) || inWord(firstOf(tail)) {
			word = name
		}
		b.WriteString(word)
		text, last = tail, lastOf(word)
	}
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_", r)
}

func firstOf(s string) rune {
	for _, r := range s {
		return r
	}
	return ' '
}

func lastOf(s string) rune {
	if s == "" {
		return ' '
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	return last
}

// blankQuoted replaces texts in quotes. An apostrophe within a word is no quote, and neither is one that is never closed.
func blankQuoted(text string) string {
	var b strings.Builder
	open := map[rune]bool{} // the quotes that the rest of the text does not close: it is not searched again
	for text != "" {
		quote := strings.IndexAny(text, "\"'`“")
		if quote < 0 {
			break
		}
		opening := firstOf(text[quote:])
		rest := text[quote+len(string(opening)):]
		size := -1
		if !inWord(lastOf(text[:quote])) && !open[opening] {
			size = strings.IndexRune(rest, closing(opening))
			open[opening] = size < 0
		}
		b.WriteString(text[:quote])
		if size < 0 {
			b.WriteRune(opening)
			text = rest
			continue
		}
		b.WriteString(Blank)
		text = rest[size+len(string(closing(opening))):]
	}
	return b.String() + text
}

func closing(quote rune) rune {
	if quote == '“' {
		return '”'
	}
	return quote
}
