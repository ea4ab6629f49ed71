package settings

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	toml "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/query"
)

var errKeyInFile = errors.New("this looks like an API key, and no key belongs in this file: remove it and run " +
	"pgtower login, which keeps the key in the OS keyring, or set key_command to a program that prints it")

// keySetting matches the names under which users look for a setting with the API key.
var keySetting = regexp.MustCompile(`(?i)api[-_]?(key|token)$`)

// Parse decodes and checks a document, or returns its first error, a [*FileError] that names the path. An API key comes before all others, which might quote it.
func Parse(path string, doc []byte, check Check) (Config, error) {
	if i := models.FindKey(string(doc)); i >= 0 {
		lines := bytes.Split(doc[:i], []byte("\n"))
		return Config{}, &FileError{Path: path, Line: len(lines), Column: len(lines[len(lines)-1]) + 1, Err: errKeyInFile}
	}
	if err := toml.Unmarshal(doc, &map[string]any{}); err != nil {
		e := &FileError{Path: path, Err: errors.New(models.Clean(models.MaskDoubtful(strings.TrimPrefix(err.Error(), "toml: "))))}
		if detail, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.Line, e.Column = detail.Position()
		}
		return Config{}, e
	}
	d := decoder{path: path, check: check, root: readTree(doc), keys: map[*KeySetting]*node{}}
	d.table(reflect.ValueOf(&d.config).Elem(), d.root)
	d.checkNames()
	d.checkKeys()
	if len(d.refused) > 0 {
		return Config{}, d.refused[0]
	}
	return d.config, nil
}

// decoder decodes a configuration by its types and tags.
type decoder struct {
	path    string
	check   Check
	root    *node
	config  Config
	keys    map[*KeySetting]*node // of the settings in the configuration
	refused []*FileError          // errors by which the file cannot be used, in its order
}

// fault adds an error in a node, or in a setting below it, and reports whether it is the first one there. The file stays
// usable after an error in the settings of the appearance.
func (d *decoder) fault(n *node, err error, below ...string) bool {
	n, _ = n.get(below...)
	position := n.Position
	if item, ok := errors.AsType[*ItemError](err); ok && n.kind == unstable.Array && item.Index >= 0 {
		position = n.nodes[item.Index].Position
	}
	// Other names and values are not repeated: they may be a key that was put in the wrong place.
	if _, ok := about()[n.setting()]; ok && (n.path[0] != "keys" || len(n.path) == 1) {
		err = fmt.Errorf("%s: %w", n.name(), err)
	}
	e := &FileError{d.path, position.Line, position.Column, err, n.name()}
	faults := &d.refused
	if slices.Contains([]string{"default_view", "keys", "layout", "views", "commands"}, n.path[0]) {
		faults = &d.config.Faults
	}
	i, found := slices.BinarySearchFunc(*faults, e, (*FileError).compare)
	if !found {
		*faults = slices.Insert(*faults, i, e)
	}
	return !found
}

// set sets a field to the value of a node.
func (d *decoder) set(f field, n *node) {
	switch f.value.Interface().(type) {
	case Layout, Audit:
		d.table(f.value, n)
	case map[string][]string:
		d.item(f.value, n)
	case map[string]Profile:
		d.profiles(n)
	case []*KeySetting:
		d.setKeys(n, "")
	case []query.SavedView, []Command:
		d.list(f.value, n)
	default:
		d.leaf(f, n)
	}
}

// settings returns the settings of a table. Without a table, it adds an error.
func (d *decoder) settings(n *node) []*node {
	if isNoTable(n) {
		d.fault(n, errors.New("must be a table, such as "+exampleOf(n)))
		return nil
	}
	return n.nodes
}

// table sets the settings of a table and checks them. Those that the check refuses are cleared.
func (d *decoder) table(value reflect.Value, n *node) {
	fields := map[string]field{}
	var names []string
	for _, f := range fieldsOf(value, n.setting()) {
		fields[f.key] = f
		names = append(names, f.key)
		if _, given := n.get(f.key); !given && f.tag.Get("required") != "" {
			d.fault(n, errors.New("is required"), f.key)
		}
	}
	for _, child := range d.settings(n) {
		switch f, ok := fields[child.name()]; {
		case ok:
			d.set(f, child)
		case keySetting.MatchString(child.name()):
			d.fault(child, errKeyInFile)
		default:
			d.fault(child, models.Unknown("setting", child.name(), names))
		}
	}
	for d.check.Table != nil {
		setting, err := d.check.Table(value.Interface())
		below := strings.Split(setting, ".")
		if err == nil || !d.fault(n, err, below...) {
			return
		}
		fields[below[0]].clear()
	}
}

// item sets the item of a map that has the name of a node.
func (d *decoder) item(value reflect.Value, n *node) {
	item := reflect.New(value.Type().Elem()).Elem()
	d.leaf(field{key: n.name(), value: item}, n)
	if value.IsNil() {
		value.Set(reflect.MakeMap(value.Type()))
	}
	if !item.IsNil() {
		value.SetMapIndex(reflect.ValueOf(n.name()), item)
	}
}

func (d *decoder) profiles(n *node) {
	d.config.Profiles = map[string]Profile{}
	for _, child := range d.settings(n) {
		p := Profile{Name: child.name()}
		err := CheckName(p.Name)
		if isNoTable(child) {
			err = errors.New("must be in a profile, such as " + exampleOf(n))
		}
		if err != nil {
			d.fault(child, err)
			continue
		}
		d.table(reflect.ValueOf(&p).Elem(), child)
		d.config.Profiles[p.Name] = p
	}
}

func isNoTable(n *node) bool { return n.kind != unstable.Table }

func nameOf(item reflect.Value) string { return item.FieldByName("Name").String() }

// list sets a list to the tables of an array, without the faulty ones. If the array has anything else, the list stays
// empty.
func (d *decoder) list(value reflect.Value, n *node) {
	if n.kind != unstable.Array || slices.ContainsFunc(n.nodes, isNoTable) {
		d.fault(n, errors.New("must be tables, each with the header "+exampleOf(n)))
		return
	}
	for i, child := range n.nodes {
		item, previous := reflect.New(value.Type().Elem()).Elem(), len(d.config.Faults)
		d.table(item, child)
		for index := range value.Len() {
			if strings.EqualFold(nameOf(value.Index(index)), nameOf(item)) {
				d.fault(child, errors.New("must be unique"), "name")
			}
		}
		if len(d.config.Faults) > previous {
			continue
		}
		value.Set(reflect.Append(value, item))
		if c, ok := reflect.TypeAssert[Command](item); ok && c.Key != "" {
			key, _ := child.get("key")
			d.addKey(key, KeySetting{c.Page, c.Name, []string{c.Key}, i + 1})
		}
	}
}

func (d *decoder) setKeys(n *node, page string) {
	for _, child := range d.settings(n) {
		if child.kind == unstable.Table && page == "" && child.name() != "" {
			d.setKeys(child, child.name())
			continue
		}
		keys, ok := child.value.([]string)
		if key, isText := child.value.(string); isText {
			keys, ok = []string{key}, true
		}
		if !ok {
			d.fault(child, inItem(child, `must be a key, such as "ctrl+r", or a list of keys, such as ["Q", "ctrl+q"]; `+
				"the keys of one page belong in a table such as [keys.operations]"))
			continue
		}
		d.addKey(child, KeySetting{Page: page, Action: child.name(), Keys: keys})
	}
}

func (d *decoder) addKey(n *node, s KeySetting) {
	d.config.Keys = append(d.config.Keys, &s)
	d.keys[&s] = n
}

// checkKeys removes the keys that the check refuses.
func (d *decoder) checkKeys() {
	for d.check.Keys != nil && len(d.config.Keys) > 0 {
		wrong := d.check.Keys(d.config.Keys, d.config.Commands)
		if wrong == nil {
			return
		}
		key := d.keys[d.config.Keys[wrong.Index]].path
		if wrong.OfPage {
			key = key[:2]
		}
		d.fault(d.root, wrong.Err, key...)
		d.config.Keys = slices.Delete(d.config.Keys, wrong.Index, wrong.Index+1)
	}
}

// checkNames checks the names of the default profile and view.
func (d *decoder) checkNames() {
	name := d.config.Default
	_, ok := d.config.Profiles[name]
	if !ok && d.check.Profile != nil {
		ok = d.check.Profile(name)
	}
	if name != "" && name != Default && !ok {
		d.fault(d.root, errors.New("there is no such profile"), "default_profile")
	}
	if name := d.config.View; name != "" && d.check.DefaultView != nil {
		if err := d.check.DefaultView(name, d.config.Views); err != nil {
			d.fault(d.root, err, "default_view") // it stays: a view of this name may be saved later
		}
	}
}

// leaf sets a field that is not a table.
func (d *decoder) leaf(f field, n *node) {
	ok, expected := false, ""
	text, isText := n.value.(string)
	list, isList := n.value.([]string)
	switch field := f.value.Addr().Interface().(type) {
	case *string:
		*field = text
		ok, expected = isText && (strings.TrimSpace(text) != "" || f.tag.Get("blank") != ""),
			`must be non-empty text in "quotes"`
		if enum := f.tag.Get("enum"); enum != "" {
			ok, expected = slices.Contains(strings.Split(enum, ","), text), "must be one of "+strings.ReplaceAll(enum, ",", ", ")
		}
	case **string:
		*field = &text
		ok, expected = isText && (text == "" || strings.TrimSpace(text) != ""), `must be text in "quotes"`
	case *bool:
		*field, ok = n.value.(bool)
		*field = *field != (f.tag.Get("not") != "") // the flag says the opposite of the file
		expected = "must be true or false"
	case **bool:
		*field = new(bool)
		**field, ok = n.value.(bool)
		expected = "must be true or false"
	case *time.Duration:
		*field, ok = models.ParseDuration(text)
		// Zero would be an unset field. The check refuses the millisecond, too, with the range of the setting.
		*field = max(*field, time.Millisecond)
		expected = "must be a duration, such as " + exampleOf(n)
	case *moment.Time:
		*field, ok = moment.Parse(text)
		expected = "must be a time or a duration, such as " + exampleOf(n)
	case *int:
		number, _ := n.value.(int64)
		*field = int(number)
		ok, expected = number >= 1 && number <= math.MaxInt32, "must be a number, 1 or more"
	case *[]string:
		*field = list
		ok, expected = isList && !slices.ContainsFunc(n.nodes, isNoText), "must be a list, such as "
		if f.tag.Get("empty") == "no" {
			ok, expected = ok && len(list) > 0, "must be a program and its arguments, such as "
		}
		expected += exampleOf(n)
	case *KeyCommand:
		*field = KeyCommand{Args: list, Shell: text}
		isProgram := isList && len(list) > 0 && list[0] != "" && !strings.ContainsRune(strings.Join(list, ""), 0)
		ok = strings.TrimSpace(text) != "" || isProgram
		expected = `must be a shell command, or a list such as ["pass", "show", "key"]`
	}
	if !ok {
		f.value.SetZero()
		d.fault(n, inItem(n, expected))
	}
}

// inItem returns an error in a value. In a list, it is in the first item that is no text.
func inItem(n *node, text string) error {
	return &ItemError{slices.IndexFunc(n.nodes, isNoText), errors.New(text)}
}

// isNoText reports whether an item of a list is not a text, or an empty one, or one that cannot be an argument.
func isNoText(item *node) bool {
	text, _ := item.value.(string)
	return text == "" || strings.ContainsRune(text, 0)
}

// exampleOf returns the example of a setting or table.
func exampleOf(n *node) string { return about()[n.setting()].value }

// setting returns the path of a setting or table in the example. In one of three names, the second is a profile or a
// number.
func (n *node) setting() string {
	key := n.path
	if len(key) > 3 && key[2]+"." == auditTable {
		return key[0] + "." + auditTable + key[3]
	}
	if len(key) > 2 {
		key = []string{key[0], key[2]}
	}
	return strings.Join(key, ".")
}
