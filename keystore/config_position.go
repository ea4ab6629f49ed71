package keystore

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// positions are the places of a document's keys.
type positions map[string]position

type position struct{ line, column int }

// positionsIn finds the keys of a document that is valid. Only the parser below the
// decoder tells where they are, and its interface may change with a new version.
func positionsIn(doc []byte) positions {
	at := positions{}
	var p unstable.Parser
	p.Reset(doc)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = at.note(&p, nil, e)
		case unstable.KeyValue:
			at.noteValue(&p, table, e)
		default: // a comment
		}
	}
	return at
}

// note keeps the place of each part of a key, where it stands first, and returns all of
// the key.
func (at positions) note(p *unstable.Parser, table []string, e *unstable.Node) []string {
	path := slices.Clone(table)
	for parts := e.Key(); parts.Next(); {
		part := parts.Node()
		path = append(path, string(part.Data))
		if _, known := at[joinKey(path)]; !known {
			start := p.Shape(part.Raw).Start
			at[joinKey(path)] = position{start.Line, start.Column}
		}
	}
	return path
}

// noteValue keeps the place of a key and of those in its value, if that is a table.
func (at positions) noteValue(p *unstable.Parser, table []string, e *unstable.Node) {
	path := at.note(p, table, e)
	if e.Value().Kind != unstable.InlineTable {
		return
	}
	for inner := e.Value().Children(); inner.Next(); {
		at.noteValue(p, path, inner.Node())
	}
}

// of returns the place of a key, or of the nearest table around it whose place is known.
func (at positions) of(key []string) (line, column int) {
	for n := len(key); n > 0; n-- {
		if place, ok := at[joinKey(key[:n])]; ok {
			return place.line, place.column
		}
	}
	return 1, 1
}

func joinKey(key []string) string { return strings.Join(key, "\x00") }
