package profile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	toml "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"pgtower/models"
)

var errKeyInFile = errors.New("this looks like an API key, and no key belongs in this file: remove it and run pgtower login, " +
	"which keeps the key in the OS keyring, or set key_command to a program that prints it")

// parse reads a document, and reports the first thing in it that is wrong. That is an
// API key before all else, wherever it is: whatever else is wrong may quote it.
func parse(path string, doc []byte, check Check) (Config, error) {
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
	d := decoder{path: path, at: positionsIn(doc), check: check}
	config := d.config(tree)
	if len(d.wrong) == 0 {
		return config, nil
	}
	return Config{}, slices.MinFunc(d.wrong, func(a, b *FileError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// decoder turns the tree of a document into a [Config], and collects what is wrong.
type decoder struct {
	path  string
	at    positions
	check Check
	wrong []*FileError
}

// fail notes what is wrong with a key or its value.
func (d *decoder) fail(err error, key ...string) {
	at := d.at.of(key)
	d.wrong = append(d.wrong, &FileError{
		Path: d.path, Line: at.Line, Column: at.Column, Err: fmt.Errorf("%s: %w", models.Clean(key[len(key)-1]), err),
	})
}

// unknown refuses a key, and names the one that may be meant.
func (d *decoder) unknown(known []string, key ...string) {
	if near := models.Nearest(key[len(key)-1], known); near != "" {
		d.fail(fmt.Errorf("no such setting; did you mean %s?", near), key...)
		return
	}
	d.fail(fmt.Errorf("no such setting; there are %s", strings.Join(known, ", ")), key...)
}

func (d *decoder) config(tree map[string]any) Config {
	var c Config
	for key, value := range tree {
		table, isTable := value.(map[string]any)
		switch {
		case key == "default_profile" && !takeText(&c.Default, value):
			d.fail(errNotText, key)
		case key == "profiles" && isTable:
			c.Profiles = d.profiles(table)
		case key == "keys" && isTable:
			c.Keys = d.keys(table)
		case key == "profiles":
			d.fail(errors.New("must be a table, such as [profiles.work]"), key)
		case key == "keys":
			d.fail(errors.New("must be a table, [keys]"), key)
		case key != "default_profile":
			d.unknown([]string{"default_profile", "profiles", "keys"}, key)
		}
	}
	if _, ok := c.Profile(c.Default); !ok && c.Default != "" && c.Default != Default {
		d.fail(fmt.Errorf("there is no [profiles.%s]", models.Clean(c.Default)), "default_profile")
	}
	return c
}

func (d *decoder) profiles(tables map[string]any) (all []Profile) {
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		table, isTable := tables[name].(map[string]any)
		err := CheckName(name)
		switch {
		case !isTable:
			d.fail(errors.New("belongs in a profile, such as below [profiles.work]"), "profiles", name)
		case err != nil:
			d.fail(err, "profiles", name)
		default:
			all = append(all, d.profile(name, table))
		}
	}
	return all
}

func (d *decoder) profile(name string, table map[string]any) Profile {
	p := Profile{Name: name}
	before := len(d.wrong)
	for key, value := range table {
		i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
		switch {
		case i < 0:
			var known []string
			for _, s := range settings {
				known = append(known, s.key)
			}
			d.unknown(known, "profiles", name, key)
		case !settings[i].take(&p, value):
			d.fail(settings[i].wrong, "profiles", name, key)
		}
	}
	if len(d.wrong) == before && d.check.Profile != nil {
		if key, err := d.check.Profile(p); err != nil {
			d.fail(err, "profiles", name, key)
		}
	}
	return p
}

// setting is a key of a profile. take takes its value, or reports that it cannot be.
type setting struct {
	key   string
	wrong error
	take  func(p *Profile, value any) bool
}

var (
	errNotText     = errors.New(`must be text in "quotes", and not empty`)
	errNotDuration = errors.New(`must be a duration, such as "5s"`)
	errNotCount    = errors.New("must be a number, 1 or more")
	errNotIDs      = errors.New(`must be a list of project ids, such as ["floral-king-961888"]`)
	errNotCommand  = errors.New(`must be a line for the shell, or a list such as ["pass", "show", "key"]`)
	errNotKeys     = errors.New(`must be a key, such as "ctrl+r", or a list of keys, such as ["Q", "ctrl+q"]; ` +
		"those of one page go below [keys.operations]")
)

var settings = []setting{
	{"base_url", errNotText, func(p *Profile, v any) bool { return takeText(&p.BaseURL, v) }},
	{"org_id", errNotText, func(p *Profile, v any) bool { return takeText(&p.OrgID, v) }},
	{"interval", errNotDuration, func(p *Profile, v any) bool { return takeDuration(&p.Interval, v) }},
	{"page_size", errNotCount, func(p *Profile, v any) bool { return takeCount(&p.PageSize, v) }},
	{"window", errNotDuration, func(p *Profile, v any) bool { return takeDuration(&p.Window, v) }},
	{"pinned", errNotIDs, func(p *Profile, v any) bool { return takeIDs(&p.Pinned, v) }},
	{"search_back", errNotDuration, func(p *Profile, v any) bool { return takeDuration(&p.SearchBack, v) }},
	{"theme", errNotText, func(p *Profile, v any) bool { return takeText(&p.Theme, v) }},
	{"time", errNotText, func(p *Profile, v any) bool { return takeText(&p.Time, v) }},
	{"key_command", errNotCommand, func(p *Profile, v any) bool { return takeCommand(&p.KeyCommand, v) }},
}

func takeText(to *string, value any) bool {
	*to, _ = value.(string)
	return strings.TrimSpace(*to) != ""
}

func takeDuration(to *time.Duration, value any) (ok bool) {
	text, _ := value.(string)
	t, err := time.ParseDuration(text)
	*to = t
	return err == nil && t > 0
}

func takeCount(to *int, value any) bool {
	n, ok := value.(int64)
	*to = int(n)
	return ok && n >= 1 && n <= math.MaxInt32
}

func takeIDs(to *[]string, value any) bool {
	all, ok := texts(value)
	for _, id := range all {
		ok = ok && id != "" && id == models.Clean(id)
		if !slices.Contains(*to, id) {
			*to = append(*to, id)
		}
	}
	return ok
}

func takeCommand(to *KeyCommand, value any) bool {
	if takeText(&to.Shell, value) {
		return true
	}
	args, ok := texts(value)
	to.Args = args
	return ok && len(args) > 0 && args[0] != "" && !strings.ContainsRune(strings.Join(args, ""), 0)
}

// texts are those of a list, if it has nothing else in it.
func texts(value any) (all []string, ok bool) {
	list, ok := value.([]any)
	all = make([]string, len(list))
	for i, one := range list {
		text, isText := one.(string)
		all[i], ok = text, ok && isText
	}
	return all, ok
}

// keys reads the keys of all pages, and the tables with those of one page.
func (d *decoder) keys(table map[string]any) (all []KeySetting) {
	before := len(d.wrong)
	add := func(page, action string, value any) {
		if key, ok := value.(string); ok {
			value = []any{key}
		}
		keys, ok := texts(value)
		one := KeySetting{page, action, keys}
		if !ok {
			d.fail(errNotKeys, one.path()...)
		}
		all = append(all, one)
	}
	for name, value := range table {
		page, ok := value.(map[string]any)
		if !ok || name == "" {
			add("", name, value)
			continue
		}
		for action, value := range page {
			add(name, action, value)
		}
	}
	slices.SortFunc(all, func(a, b KeySetting) int {
		return cmp.Compare(d.at.of(a.path()).Offset, d.at.of(b.path()).Offset)
	})
	if len(d.wrong) > before || d.check.Keys == nil {
		return all
	}
	for _, fault := range d.check.Keys(all) {
		path := all[fault.Index].path()
		if fault.OfPage {
			path = path[:2]
		}
		d.fail(fault.Err, path...)
	}
	return all
}

func (s KeySetting) path() []string {
	if s.Page == "" {
		return []string{"keys", s.Action}
	}
	return []string{"keys", s.Page, s.Action}
}

// positions are the places of a document's keys.
type positions map[string]unstable.Position

// positionsIn finds the keys of a document that is valid. Only the parser below the decoder tells
// where they are, and its interface may change with a new version. A strict decoder tells it of
// keys that are unknown, but not of those whose value cannot be.
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
			at.note(&p, table, e)
		default: // a comment
		}
	}
	return at
}

// note keeps the place of each part of a key, where it stands first, and of those in its value
// if that is a table. It returns all of the key.
func (at positions) note(p *unstable.Parser, table []string, e *unstable.Node) []string {
	path := slices.Clone(table)
	for parts := e.Key(); parts.Next(); {
		path = append(path, string(parts.Node().Data))
		if _, known := at[joinKey(path)]; !known {
			at[joinKey(path)] = p.Shape(parts.Node().Raw).Start
		}
	}
	if e.Kind == unstable.KeyValue && e.Value().Kind == unstable.InlineTable {
		for inner := e.Value().Children(); inner.Next(); {
			at.note(p, path, inner.Node())
		}
	}
	return path
}

// of returns the place of a key, or of the nearest table around it whose place is known.
func (at positions) of(key []string) unstable.Position {
	for n := len(key); n > 0; n-- {
		if place, ok := at[joinKey(key[:n])]; ok {
			return place
		}
	}
	return unstable.Position{Line: 1, Column: 1}
}

func joinKey(key []string) string { return strings.Join(key, "\x00") }
