package profile

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// places has the places of the keys in a valid document, by joined key. Only the library's unstable parser tells them.
type places struct {
	p    unstable.Parser
	at   map[string]place
	last map[string]place // the last key of each table
	many map[string]int   // the number of tables in each array
}

// place is the place of a key in a document, as offsets in bytes.
type place struct {
	unstable.Position

	start  int  // of the whole key, with the tables before its dots
	key    int  // of the last part of the key
	value  int  // of the value; 0 for the header of a table
	end    int  // of the value, or of the name in a header
	inline bool // in an inline table
}

func placesIn(doc []byte) *places {
	at := &places{at: map[string]place{}, last: map[string]place{}, many: map[string]int{}}
	at.p.Reset(doc)
	var table []string
	for at.p.NextExpression() {
		switch e := at.p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = at.note(doc, nil, e, false)
		case unstable.KeyValue:
			at.note(doc, table, e, false)
		default: // a comment
		}
	}
	return at
}

// note adds the places of each part of a key, and of the keys in its value. It returns the whole [keyPath].
func (at *places) note(doc []byte, table []string, e *unstable.Node, inline bool) []string {
	path := slices.Clip(table)
	here := place{start: -1, inline: inline}
	for parts := e.Key(); parts.Next(); {
		raw := parts.Node().Raw
		here.Position = at.p.Shape(raw).Start
		here.key, here.end = int(raw.Offset), int(raw.Offset+raw.Length)
		if here.start < 0 {
			here.start = here.key
		}
		path = append(path, string(parts.Node().Data))
		at.add(path, here)
		name := joinKey(path)
		last := parts.IsLast()
		switch {
		case e.Kind == unstable.ArrayTable && last:
			at.many[name]++
			path = at.element(path, at.many[name]-1, here)
		case e.Kind != unstable.KeyValue && at.many[name] > 0:
			path = append(path, strconv.Itoa(at.many[name]-1)) // in the last table of an array
		}
	}
	if e.Kind != unstable.KeyValue {
		return path
	}
	here.value = here.end + bytes.IndexByte(doc[here.end:], '=') + 1
	here.value += len(doc[here.value:]) - len(bytes.TrimLeft(doc[here.value:], " \t"))
	here.end = int(e.Raw.Offset + e.Raw.Length)
	at.at[joinKey(path)] = here
	at.last[joinKey(path[:len(path)-1])] = here
	at.inside(doc, path, e.Value())
	return path
}

// inside adds the places of the keys in a value.
func (at *places) inside(doc []byte, path []string, value *unstable.Node) {
	switch value.Kind {
	case unstable.InlineTable:
		for inner := value.Children(); inner.Next(); {
			at.note(doc, path, inner.Node(), true)
		}
	case unstable.Array:
		i := 0
		for inner := value.Children(); inner.Next(); i++ {
			here := at.at[joinKey(path)]
			if raw := inner.Node().Raw; raw.Length > 0 { // a list in a list has none
				here.Position = at.p.Shape(raw).Start
			}
			at.inside(doc, at.element(path, i, here), inner.Node())
		}
	default:
	}
}

func (at *places) add(path []string, here place) {
	if _, known := at.at[joinKey(path)]; !known {
		at.at[joinKey(path)] = here
	}
}

// element adds an item of an array, and returns its path.
func (at *places) element(path []string, i int, here place) []string {
	path = append(slices.Clip(path), strconv.Itoa(i))
	at.add(path, here)
	return path
}

// of returns the place of a key, or of the innermost table around it that is in the document.
func (at *places) of(key []string) unstable.Position {
	for n := len(key); n > 0; n-- {
		if place, ok := at.at[joinKey(key[:n])]; ok {
			return place.Position
		}
	}
	return unstable.Position{Line: 1, Column: 1}
}

func joinKey(key []string) string { return strings.Join(key, "\x00") }
