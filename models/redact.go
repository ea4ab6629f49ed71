package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// minKey is the minimum length of a redacted key: shorter ones are part of words by chance.
const minKey = 8

// Redactor removes API keys from texts. The zero Redactor knows no keys.
type Redactor struct{ spellings [][]byte }

// With returns a Redactor that also knows these keys.
func (r Redactor) With(keys ...Secret) Redactor {
	spellings := slices.Clone(r.spellings)
	for _, key := range keys {
		plain := key.Reveal()
		if len(plain) < minKey {
			continue
		}
		quoted := strconv.Quote(plain)
		for _, spelt := range []string{
			plain, quoted[1 : len(quoted)-1], url.QueryEscape(plain), url.PathEscape(plain),
		} {
			spellings = append(spellings, []byte(spelt))
		}
	}
	// A key may begin with another one: the longer one is replaced first.
	slices.SortFunc(spellings, longerFirst)
	return Redactor{slices.CompactFunc(spellings, bytes.Equal)}
}

func longerFirst(a, b []byte) int { return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a, b)) }

// Text replaces every key by dots, plain or as quoting and URL encoding spell it.
func (r Redactor) Text(s string) string {
	for _, spelt := range r.spellings {
		s = strings.ReplaceAll(s, string(spelt), masked)
	}
	return s
}

// JSON redacts every string of a valid document, whatever its escapes, or returns the document unchanged.
func (r Redactor) JSON(doc []byte) []byte {
	if bytes.IndexByte(doc, '\\') < 0 && !r.in(doc) {
		return doc
	}
	return jsonText.ReplaceAllFunc(doc, r.quoted)
}

// quoted redacts a string of a document.
func (r Redactor) quoted(literal []byte) []byte {
	text, ok := unquote(literal)
	if !ok || !r.in(text) {
		return literal
	}
	clean, _ := json.Marshal(r.Text(string(text))) // strings always marshal
	return clean
}

func (r Redactor) in(text []byte) bool {
	return slices.ContainsFunc(r.spellings, func(spelt []byte) bool { return bytes.Contains(text, spelt) })
}

var (
	jsonText    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	prefixedKey = regexp.MustCompile(`napi_[0-9A-Za-z_-]{6,}`)
	longWord    = regexp.MustCompile(`[0-9A-Za-z]{40,}`)
	doubtful    = regexp.MustCompile(`[0-9A-Za-z_+=-]{16,}`)
	keyShaped   = regexp.MustCompile(`^[0-9A-Za-z_]{20,}$`)
)

// FindKey returns the byte offset of the first word in a text that looks like an API key of any account, or -1. Such a
// word has the prefix of the service's keys, or is as long and random as keys without a prefix.
func FindKey(text string) int {
	first := -1
	if place := prefixedKey.FindStringIndex(text); place != nil {
		first = place[0]
	}
	for _, place := range longWord.FindAllStringIndex(text, -1) {
		if (first < 0 || place[0] < first) && random(text[place[0]:place[1]]) {
			return place[0]
		}
	}
	return first
}

// MaskKeys replaces every word of a text that looks like an API key, as [FindKey] finds it.
func MaskKeys(text string) string {
	text = prefixedKey.ReplaceAllString(text, masked)
	return longWord.ReplaceAllStringFunc(text, maskRandom)
}

func maskRandom(word string) string {
	if random(word) {
		return masked
	}
	return word
}

// MaskDoubtful replaces every word of a text that may be a secret, also long words with digits without a known form. Ids
// may look the same, so it is only for texts in which they do not matter.
func MaskDoubtful(text string) string {
	return doubtful.ReplaceAllStringFunc(MaskKeys(text), maskNumbered)
}

func maskNumbered(word string) string {
	if strings.ContainsAny(word, digits) {
		return masked
	}
	return word
}

// ProgramName returns the name of a program of the user for a message: it may be a key that was put in the wrong place.
func ProgramName(program string) string { return Clean(MaskDoubtful(program)) }

// MayBeKey reports whether a text is a single long word of letters and digits, as keys without a known form are.
func MayBeKey(text string) bool {
	return keyShaped.MatchString(text) && strings.ContainsAny(text, digits) && strings.Trim(text, digits) != ""
}

const digits = "0123456789"

// random reports whether digits and letters alternate more often than in names or hexadecimal digests.
func random(word string) bool {
	const hexadecimal = "0123456789abcdefABCDEF"
	changes := 0
	for i := range len(word) - 1 {
		if (word[i] <= '9') != (word[i+1] <= '9') { // one is a digit, the other one is a letter
			changes++
		}
	}
	return changes >= 4 && strings.Trim(word, hexadecimal) != ""
}
