package profile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	toml "github.com/pelletier/go-toml/v2"

	"pgtower/models"
)

var errKeyInFile = errors.New("this looks like an API key, and no key belongs in this file: remove it and run " +
	"pgtower login, which keeps the key in the OS keyring, or set key_command to a program that prints it")

// keySetting matches the names under which users look for a setting with the API key.
var keySetting = regexp.MustCompile(`(?i)api[-_]?(key|token)$`)

// parse decodes a document, or returns its first error. An API key comes before all others, which might quote it.
func parse(path string, doc []byte, check Check) (Config, error) {
	_, doc = unmarked(doc)
	if i := models.FindKey(string(doc)); i >= 0 {
		lines := bytes.Split(doc[:i], []byte("\n"))
		return Config{}, &FileError{Path: path, Line: len(lines), Column: len(lines[len(lines)-1]) + 1, Err: errKeyInFile}
	}
	var tree map[string]any
	if err := toml.Unmarshal(doc, &tree); err != nil {
		e := &FileError{Path: path, Err: errors.New(models.Clean(strings.TrimPrefix(err.Error(), "toml: ")))}
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.Line, e.Column = at.Position()
		}
		return Config{}, e
	}
	d := decoder{path: path, check: check, places: placesIn(doc), faulty: map[string]bool{}}
	d.take(reflect.ValueOf(&d.config).Elem(), tree, nil, "")
	d.defaults()
	d.keys()
	slices.SortStableFunc(d.config.Faults, byPlace)
	slices.SortStableFunc(d.refused, byPlace)
	if len(d.refused) > 0 {
		return Config{}, d.refused[0]
	}
	return d.config, nil
}

func byPlace(a, b *FileError) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// keyPath is a key with the names of its tables. After the name of an array follows the number of the table in it.
type keyPath []string

func (p keyPath) below(name string) keyPath { return append(slices.Clip(p), name) }

// decoder decodes a configuration by its types and tags.
type decoder struct {
	path    string
	check   Check
	places  *places
	config  Config
	refused []*FileError    // errors by which the file cannot be used
	faulty  map[string]bool // by joined key
}

// fault adds an error in a key, and reports whether it is the first one there. The file stays usable after an error in
// the settings of the appearance.
func (d *decoder) fault(key keyPath, err error) bool {
	if d.faulty[joinKey(key)] {
		return false
	}
	d.faulty[joinKey(key)] = true
	at := d.places.of(key)
	if item, ok := errors.AsType[*ItemError](err); ok {
		at = d.places.of(key.below(strconv.Itoa(item.Index)))
	}
	err = fmt.Errorf("%s: %w", models.Clean(key[len(key)-1]), err)
	e := &FileError{Path: d.path, Line: at.Line, Column: at.Column, Err: err}
	if slices.Contains([]string{"default_view", "keys", "layout", "views", "commands"}, key[0]) {
		d.config.Faults = append(d.config.Faults, e)
	} else {
		d.refused = append(d.refused, e)
	}
	return true
}

// take sets a field to the value of a key.
func (d *decoder) take(to reflect.Value, value any, key keyPath, tag reflect.StructTag) {
	switch t := to.Type(); {
	case t == reflect.TypeFor[[]*KeySetting]():
		d.takeKeys(value, key, "")
	case t.Kind() == reflect.Struct && t != reflect.TypeFor[KeyCommand]():
		d.table(to, value, key)
	case t.Kind() == reflect.Map:
		d.named(to, value, key)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		d.list(to, value, key)
	default:
		d.leaf(to, value, key, tag)
	}
}

// table takes the keys of a table and checks it. Settings that the check refuses are cleared.
func (d *decoder) table(to reflect.Value, value any, key keyPath) {
	table, ok := value.(map[string]any)
	if !ok {
		d.fault(key, fmt.Errorf("must be a table, such as [%s]", strings.Join(key, ".")))
		return
	}
	fields := map[string]reflect.Value{}
	var known []string
	for f := range fieldsOf(to) {
		fields[f.key] = f.value
		known = append(known, f.key)
		switch one, given := table[f.key]; {
		case given:
			d.take(f.value, one, key.below(f.key), f.tag)
		case f.tag.Get("required") != "":
			d.fault(key.below(f.key), errors.New("is required"))
		}
	}
	for name := range table {
		if _, ok := fields[name]; ok {
			continue
		}
		err := models.Unknown("setting", name, known)
		if keySetting.MatchString(name) {
			err = errKeyInFile
		}
		d.fault(key.below(name), err)
	}
	for d.check.Table != nil {
		setting, err := d.check.Table(to.Interface())
		if err == nil || !d.fault(key.below(setting), err) {
			return
		}
		fields[setting].SetZero()
	}
}

// named takes the profiles.
func (d *decoder) named(to reflect.Value, value any, key keyPath) {
	profiles, ok := value.(map[string]any)
	if !ok {
		d.fault(key, errors.New("must be a table, such as [profiles.work]"))
		return
	}
	to.Set(reflect.MakeMap(to.Type()))
	for name, one := range profiles {
		if _, ok := one.(map[string]any); !ok {
			d.fault(key.below(name), errors.New("must be in a profile, such as [profiles.work]"))
			continue
		}
		if err := CheckName(name); err != nil {
			d.fault(key.below(name), err)
			continue
		}
		p := Profile{Name: name}
		d.table(reflect.ValueOf(&p).Elem(), one, key.below(name))
		to.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(p))
	}
}

// list takes the tables of an array, without the faulty ones.
func (d *decoder) list(to reflect.Value, value any, key keyPath) {
	tables, ok := value.([]any)
	isNoTable := func(one any) bool { _, ok := one.(map[string]any); return !ok }
	if !ok || slices.ContainsFunc(tables, isNoTable) {
		d.fault(key, fmt.Errorf("must be tables, each with the header [[%s]]", key[0]))
	}
	for i, one := range tables {
		at, before := key.below(strconv.Itoa(i)), len(d.faulty)
		item := reflect.New(to.Type().Elem()).Elem()
		if isNoTable(one) {
			continue
		}
		d.table(item, one, at)
		for other := range to.Len() {
			if strings.EqualFold(nameOf(to.Index(other)), nameOf(item)) {
				d.fault(at.below("name"), errors.New("must be unique"))
			}
		}
		if len(d.faulty) > before {
			continue
		}
		to.Set(reflect.Append(to, item))
		if c, ok := reflect.TypeAssert[Command](item); ok && c.Key != "" {
			d.config.Keys = append(d.config.Keys, &KeySetting{c.Page, c.Name, []string{c.Key}, i + 1})
		}
	}
}

// nameOf returns the name of a view or a command.
func nameOf(item reflect.Value) string { return item.FieldByName("Name").String() }

func (d *decoder) takeKeys(value any, key keyPath, page string) {
	table, ok := value.(map[string]any)
	if !ok {
		d.fault(key, errors.New("must be a table, [keys]"))
		return
	}
	for action, one := range table {
		at := key.below(action)
		if _, ok := one.(map[string]any); ok && page == "" && action != "" {
			d.takeKeys(one, at, action)
			continue
		}
		if key, ok := one.(string); ok {
			one = []any{key}
		}
		keys, ok := texts(one)
		if !ok {
			d.fault(at, inItem(one, `must be a key, such as "ctrl+r", or a list of keys, such as ["Q", "ctrl+q"]; `+
				"the keys of one page belong in a table such as [keys.operations]"))
			continue
		}
		d.config.Keys = append(d.config.Keys, &KeySetting{Page: page, Action: action, Keys: keys})
	}
}

func (k *KeySetting) path() keyPath {
	if k.Command > 0 {
		return keyPath{"commands", strconv.Itoa(k.Command - 1), "key"}
	}
	return slices.DeleteFunc(keyPath{"keys", k.Page, k.Action}, func(part string) bool { return part == "" })
}

// keys sorts the keys in the order of the file, and removes those that the check refuses.
func (d *decoder) keys() {
	slices.SortFunc(d.config.Keys, func(a, b *KeySetting) int {
		x, y := d.places.of(a.path()), d.places.of(b.path())
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	for d.check.Keys != nil && len(d.config.Keys) > 0 {
		wrong := d.check.Keys(d.config.Keys, d.config.Commands)
		if wrong == nil {
			return
		}
		key := d.config.Keys[wrong.Index].path()
		if wrong.OfPage {
			key = key[:2]
		}
		d.fault(key, wrong.Err)
		d.config.Keys = slices.Delete(d.config.Keys, wrong.Index, wrong.Index+1)
	}
}

// defaults checks the names of the default profile and view.
func (d *decoder) defaults() {
	if name := d.config.Default; name != "" && name != Default {
		if _, ok := d.config.Profiles[name]; !ok {
			d.fault(keyPath{"default_profile"}, fmt.Errorf("[profiles.%s] does not exist", models.Clean(name)))
		}
	}
	if name := d.config.View; name != "" && d.check.DefaultView != nil {
		if err := d.check.DefaultView(name, d.config.Views); err != nil {
			d.fault(keyPath{"default_view"}, err) // it stays: a view of this name may be saved later
		}
	}
}

// leaf sets a field that is not a table.
func (d *decoder) leaf(to reflect.Value, value any, key keyPath, tag reflect.StructTag) {
	var ok bool
	var want string
	text, isText := value.(string)
	list, isList := texts(value)
	switch field := to.Addr().Interface().(type) {
	case *string:
		*field = text
		ok, want = isText && (strings.TrimSpace(text) != "" || tag.Get("blank") != ""),
			`must be non-empty text in "quotes"`
		if enum := tag.Get("enum"); enum != "" {
			ok, want = slices.Contains(strings.Split(enum, ","), text), "must be one of "+strings.ReplaceAll(enum, ",", ", ")
		}
	case *bool:
		*field, ok = value.(bool)
		want = "must be true or false"
	case **bool:
		*field = new(bool)
		**field, ok = value.(bool)
		want = "must be true or false"
	case *time.Duration:
		*field, ok = models.ParseDuration(text)
		// Zero would be an unset field. The check refuses the millisecond, too, with the range of the setting.
		*field = max(*field, time.Millisecond)
		want = "must be a duration, such as " + d.example(key)
	case *int:
		n, _ := value.(int64)
		*field = int(n)
		ok, want = n >= 1 && n <= math.MaxInt32, "must be a number, 1 or more"
	case *[]string:
		*field = list
		ok, want = isList && !slices.ContainsFunc(value.([]any), isNoText), "must be a list, such as "
		if tag.Get("empty") == "no" {
			ok, want = ok && len(list) > 0, "must be a program and its arguments, such as "
		}
		want += d.example(key)
	case *KeyCommand:
		*field = KeyCommand{Args: list, Shell: text}
		isProgram := isList && len(list) > 0 && list[0] != "" && !strings.ContainsRune(strings.Join(list, ""), 0)
		ok = strings.TrimSpace(text) != "" || isProgram
		want = `must be a shell command, or a list such as ["pass", "show", "key"]`
	}
	if !ok {
		to.SetZero()
		d.fault(key, inItem(value, want))
	}
}

// inItem returns an error in a value, which is in its first item that is no text if it is a list.
func inItem(value any, text string) error {
	list, _ := value.([]any)
	return &ItemError{slices.IndexFunc(list, isNoText), errors.New(text)}
}

// isNoText reports whether an item of a list is not a text, or an empty one, or one that cannot be an argument.
func isNoText(item any) bool {
	text, _ := item.(string)
	return text == "" || strings.ContainsRune(text, 0)
}

// example returns the example of a setting. The key has three parts if the second one is a profile or a number.
func (d *decoder) example(key keyPath) string {
	if len(key) > 2 {
		key = keyPath{key[0], key[2]}
	}
	return about()[strings.Join(key, ".")].value
}

// texts returns a list of strings, and whether the value is one.
func texts(value any) (all []string, ok bool) {
	list, ok := value.([]any)
	for _, one := range list {
		text, isText := one.(string)
		all, ok = append(all, text), ok && isText
	}
	return all, ok
}
