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

// minKey is the least length of a key that is looked for: shorter ones are part of words by chance.
const minKey = 8

// Redactor takes API keys out of texts. The zero Redactor knows none.
type Redactor struct{ spellings [][]byte }

// With returns a Redactor that knows these keys, too.
func (r Redactor) With(keys ...Secret) Redactor {
	all := slices.Clone(r.spellings)
	for _, key := range keys {
		plain := key.Reveal()
		if len(plain) < minKey {
			continue
		}
		quoted := strconv.Quote(plain)
		for _, spelt := range []string{plain, quoted[1 : len(quoted)-1], url.QueryEscape(plain), url.PathEscape(plain)} {
			all = append(all, []byte(spelt))
		}
	}
	// Of two keys, one may begin with the other: of the longer one nothing must be left.
	slices.SortFunc(all, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a, b)) })
	return Redactor{slices.CompactFunc(all, bytes.Equal)}
}

// Text puts dots in the place of every key, as it is and as quoting and addresses spell it.
func (r Redactor) Text(s string) string {
	for _, spelt := range r.spellings {
		s = strings.ReplaceAll(s, string(spelt), masked)
	}
	return s
}

// JSON does so in every string of a valid document, however that escapes it, or returns the document itself.
func (r Redactor) JSON(doc []byte) []byte {
	if bytes.IndexByte(doc, '\\') < 0 && !r.in(doc) {
		return doc
	}
	return jsonText.ReplaceAllFunc(doc, func(quoted []byte) []byte {
		text, ok := unquote(quoted)
		if !ok || !r.in(text) {
			return quoted
		}
		clean, _ := json.Marshal(r.Text(string(text))) // text marshals always
		return clean
	})
}

func (r Redactor) in(text []byte) bool {
	return slices.ContainsFunc(r.spellings, func(spelt []byte) bool { return bytes.Contains(text, spelt) })
}

var (
	jsonText    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	prefixedKey = regexp.MustCompile(`napi_[0-9A-Za-z_-]{6,}`)
	longWord    = regexp.MustCompile(`[0-9A-Za-z]{40,}`)
)

// FindKey returns the byte offset of the first word in a text that looks like an API key of any account, or -1: one
// that has the prefix of the service's keys, or is as long and random as those without a prefix.
func FindKey(text string) int {
	first := -1
	if at := prefixedKey.FindStringIndex(text); at != nil {
		first = at[0]
	}
	for _, at := range longWord.FindAllStringIndex(text, -1) {
		if (first < 0 || at[0] < first) && random(text[at[0]:at[1]]) {
			return at[0]
		}
	}
	return first
}

// random reports whether digits and letters alternate more than in names, or in hexadecimal digests.
func random(word string) bool {
	const hexadecimal = "0123456789abcdefABCDEF"
	isDigit := func(c byte) bool { return c <= '9' }
	changes := 0
	for i := range len(word) - 1 {
		if isDigit(word[i]) != isDigit(word[i+1]) {
			changes++
		}
	}
	return changes >= 4 && strings.Trim(word, hexadecimal) != ""
}
