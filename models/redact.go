package models

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// minKey is the length in bytes from which a key is looked for in texts: a shorter one,
// such as a test's, is part of many words and ids by chance.
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
			if !slices.ContainsFunc(all, func(known []byte) bool { return string(known) == spelt }) {
				all = append(all, []byte(spelt))
			}
		}
	}
	return Redactor{all}
}

// Text puts dots in the place of every key, as it is and as quoting and addresses spell it.
func (r Redactor) Text(s string) string {
	for _, spelt := range r.spellings {
		s = strings.ReplaceAll(s, string(spelt), masked)
	}
	return s
}

// JSON does so in every string of a valid document, however that escapes it. A document
// without a key is returned as it is, without an allocation.
func (r Redactor) JSON(doc []byte) []byte {
	if bytes.IndexByte(doc, '\\') < 0 && !r.in(doc) {
		return doc
	}
	var out []byte
	copied := 0
	s := scanner{doc: doc}
	for {
		next := bytes.IndexByte(doc[s.at:], '"')
		if next < 0 {
			break
		}
		s.at += next
		start := s.at
		text, ok := unquote(s.text())
		if !ok || !r.in(text) {
			continue
		}
		// Text marshals always.
		clean, _ := json.Marshal(r.Text(string(text)))
		out = append(append(out, doc[copied:start]...), clean...)
		copied = s.at
	}
	if copied == 0 {
		return doc
	}
	return append(out, doc[copied:]...)
}

// in reports whether a text has a key in it.
func (r Redactor) in(text []byte) bool {
	return slices.ContainsFunc(r.spellings, func(spelt []byte) bool { return bytes.Contains(text, spelt) })
}
