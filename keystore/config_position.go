package keystore

import (
	"bytes"
	"errors"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
)

// positions are the places of a document's keys.
type positions map[string]position

type position struct{ line, column int }

// positionsIn finds the keys of a document that is valid. The parser tells the places of
// the keys that it has no field for: so it is given values without fields, once without
// profiles, which finds the tables, and once without what is in them.
func positionsIn(doc []byte) positions {
	at := positions{}
	for _, empty := range []any{&struct{}{}, &struct{ Profiles map[string]struct{} }{}} {
		d := toml.NewDecoder(bytes.NewReader(doc))
		d.DisallowUnknownFields()
		missing, ok := errors.AsType[*toml.StrictMissingError](d.Decode(empty))
		if !ok {
			continue
		}
		for i := range missing.Errors {
			e := &missing.Errors[i]
			key := joinKey(e.Key())
			if _, known := at[key]; !known {
				line, column := e.Position()
				at[key] = position{line, column}
			}
		}
	}
	return at
}

// of returns the place of a key, or of the nearest table around it whose place is known.
func (p positions) of(key []string) (line, column int) {
	for n := len(key); n > 0; n-- {
		if at, ok := p[joinKey(key[:n])]; ok {
			return at.line, at.column
		}
	}
	return 1, 1
}

func joinKey(key []string) string { return strings.Join(key, "\x00") }
