package settings

import (
	"slices"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// node is a table, a list or a value in a valid document. Only the library's unstable parser has the places.
type node struct {
	unstable.Position // of the last part of the key

	path  []string // the name, after those of the tables around it; an item of a list has its number, from 0
	kind  unstable.Kind
	value any     // string, bool, int64 or, for a list of texts, []string; otherwise nil
	nodes []*node // of a table or list, in the order of the file
}

// readTree returns the root of a valid document.
func readTree(doc []byte) *node {
	root := &node{kind: unstable.Table, Position: unstable.Position{Line: 1, Column: 1}}
	table := root
	var p unstable.Parser
	p.Reset(doc)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = root.add(&p, e)
		case unstable.KeyValue:
			table.add(&p, e)
		default: // a comment
		}
	}
	return root
}

// add adds a key with its value, or a header. It returns the node, or the new item if the header is that of an array.
func (n *node) add(p *unstable.Parser, e *unstable.Node) *node {
	entry := node{kind: unstable.Table}
	for parts := e.Key(); parts.Next(); {
		if n.kind == unstable.Array {
			n = n.nodes[len(n.nodes)-1]
		}
		entry.Position = p.Shape(parts.Node().Raw).Start
		name := string(parts.Node().Data)
		child, ok := n.get(name)
		if !ok {
			child = n.append(name, entry)
		}
		n = child
	}
	switch e.Kind {
	case unstable.ArrayTable:
		n.kind = unstable.Array
		return n.append(strconv.Itoa(len(n.nodes)), entry)
	case unstable.KeyValue:
		n.set(p, e.Value())
	default: // the header of a table
	}
	return n
}

// set sets the value, and adds the nodes in it.
func (n *node) set(p *unstable.Parser, value *unstable.Node) {
	n.kind = value.Kind
	switch value.Kind {
	case unstable.String:
		n.value = string(value.Data)
	case unstable.Bool:
		n.value = value.Data[0] == 't'
	case unstable.Integer:
		n.value, _ = strconv.ParseInt(string(value.Data), 0, 64)
	case unstable.InlineTable:
		n.kind = unstable.Table
		for inner := value.Children(); inner.Next(); {
			n.add(p, inner.Node())
		}
	case unstable.Array:
		texts := []string{}
		for inner := value.Children(); inner.Next(); {
			child := node{Position: n.Position}
			if raw := inner.Node().Raw; raw.Length > 0 { // a list in a list has none
				child.Position = p.Shape(raw).Start
			}
			item := n.append(strconv.Itoa(len(n.nodes)), child)
			item.set(p, inner.Node())
			if text, ok := item.value.(string); ok {
				texts = append(texts, text)
			}
		}
		if len(texts) == len(n.nodes) {
			n.value = texts
		}
	default: // no setting has a value of another kind
	}
}

func (n *node) append(name string, child node) *node {
	child.path = append(slices.Clip(n.path), name)
	n.nodes = append(n.nodes, &child)
	return &child
}

// get returns the node with a path below this one, and whether it exists. If not, its place is that of the innermost
// table around it.
func (n *node) get(path ...string) (*node, bool) {
	for i, name := range path {
		index := slices.IndexFunc(n.nodes, func(child *node) bool { return child.name() == name })
		if index < 0 {
			return &node{Position: n.Position, path: slices.Concat(n.path, path[i:])}, false
		}
		n = n.nodes[index]
	}
	return n, true
}

func (n *node) name() string { return n.path[len(n.path)-1] }
