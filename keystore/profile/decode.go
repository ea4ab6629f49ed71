package profile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	toml "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"pgtower/models"
)

var errKeyInFile = errors.New("this looks like an API key, and no key belongs in this file: remove it and run " +
	"pgtower login, which keeps the key in the OS keyring, or set key_command to a program that prints it")

// parse reads a document, or says what is wrong first: an API key before all else, as other errors may quote it.
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
	var config Config
	var key []string
	var err error
	places := placesIn(doc)
	for _, key = range places.keys {
		var value any = tree
		for _, part := range key {
			table, _ := value.(map[string]any)
			value = table[part]
		}
		if err = config.take(key, value); err != nil {
			break
		}
	}
	if err == nil {
		key, err = config.check(check)
	}
	if err != nil {
		at := places.of(key)
		err = fmt.Errorf("%s: %w", models.Clean(key[len(key)-1]), err)
		return Config{}, &FileError{Path: path, Line: at.Line, Column: at.Column, Err: err}
	}
	slices.SortFunc(config.Profiles, func(a, b Profile) int { return cmp.Compare(a.Name, b.Name) })
	return config, nil
}

func (c *Config) take(key []string, value any) error {
	_, isTable := value.(map[string]any)
	switch section, depth := key[0], len(key); {
	case section == "default_profile":
		return take(&c.Default, value)
	case section != "profiles" && section != "keys":
		return unknown(section, []string{"default_profile", "profiles", "keys"})
	case depth == 1 && isTable, depth > 3:
	case depth == 1 && section == "profiles":
		return errors.New("must be a table, such as [profiles.work]")
	case depth == 1:
		return errors.New("must be a table, [keys]")
	case section == "profiles" && depth == 3:
		return c.takeSetting(key[1], key[2], value)
	case section == "profiles" && !isTable:
		return errors.New("belongs in a profile, such as below [profiles.work]")
	case section == "profiles":
		c.Profiles = append(c.Profiles, Profile{Name: key[1]})
		return CheckName(key[1])
	case depth == 3:
		return c.takeKeys(key[1], key[2], value)
	case !isTable || key[1] == "":
		return c.takeKeys("", key[1], value)
	}
	return nil
}

func (c *Config) takeSetting(profile, key string, value any) error {
	i := slices.IndexFunc(c.Profiles, func(p Profile) bool { return p.Name == profile })
	var known []string
	for one, field := range c.Profiles[i].settings() {
		if one == key {
			return take(field, value)
		}
		known = append(known, one)
	}
	return unknown(key, known)
}

func (c *Config) takeKeys(page, action string, value any) error {
	if key, ok := value.(string); ok {
		value = []any{key}
	}
	keys, ok := texts(value)
	if !ok {
		return errors.New(`must be a key, such as "ctrl+r", or a list of keys, such as ["Q", "ctrl+q"]; ` +
			"those of one page go below [keys.operations]")
	}
	c.Keys = append(c.Keys, KeySetting{page, action, keys})
	return nil
}

// unknown refuses a key, and names the one that may be meant.
func unknown(key string, known []string) error {
	if near := models.Nearest(key, known); near != "" {
		return fmt.Errorf("no such setting; did you mean %s?", near)
	}
	return fmt.Errorf("no such setting; there are %s", strings.Join(known, ", "))
}

func take(field, value any) error {
	var ok bool
	var want string
	text, _ := value.(string)
	list, isList := texts(value)
	switch field := field.(type) {
	case *string:
		*field = text
		ok, want = strings.TrimSpace(text) != "", `must be text in "quotes", and not empty`
	case *time.Duration:
		*field, _ = time.ParseDuration(text)
		ok, want = *field > 0, `must be a duration, such as "5s"`
	case *int:
		n, _ := value.(int64)
		*field = int(n)
		ok, want = n >= 1 && n <= math.MaxInt32, "must be a number, 1 or more"
	case *[]string:
		ok, want = isList, `must be a list of project ids, such as ["floral-king-961888"]`
		for _, id := range list {
			ok = ok && id != "" && id == models.Clean(id)
			if !slices.Contains(*field, id) {
				*field = append(*field, id)
			}
		}
	case *KeyCommand:
		*field = KeyCommand{Args: list, Shell: text}
		isProgram := len(list) > 0 && list[0] != "" && !strings.ContainsRune(strings.Join(list, ""), 0)
		ok = strings.TrimSpace(text) != "" || isList && isProgram
		want = `must be a line for the shell, or a list such as ["pass", "show", "key"]`
	}
	if !ok {
		return errors.New(want)
	}
	return nil
}

func texts(value any) (all []string, ok bool) {
	list, ok := value.([]any)
	if ok {
		all = []string{}
	}
	for _, one := range list {
		text, isText := one.(string)
		all, ok = append(all, text), ok && isText
	}
	return all, ok
}

// check returns the first key whose value the checks refuse, and why.
func (c *Config) check(check Check) (key []string, err error) {
	if _, ok := c.Profile(c.Default); !ok && c.Default != "" && c.Default != Default {
		return []string{"default_profile"}, fmt.Errorf("there is no [profiles.%s]", models.Clean(c.Default))
	}
	for _, p := range c.Profiles {
		if setting, err := check.Profile(p); err != nil {
			return []string{"profiles", p.Name, setting}, err
		}
	}
	faults := check.Keys(c.Keys)
	if len(faults) == 0 {
		return nil, nil
	}
	fault := slices.MinFunc(faults, func(a, b KeyFault) int { return cmp.Compare(a.Index, b.Index) })
	one := c.Keys[fault.Index]
	key = slices.DeleteFunc([]string{"keys", one.Page, one.Action}, func(part string) bool { return part == "" })
	if fault.OfPage {
		key = key[:2]
	}
	return key, fault.Err
}

type places struct {
	keys [][]string // in the order of the file
	at   map[string]unstable.Position
}

// placesIn finds the keys of a valid document. Only the decoder's unstable parser tells where they are.
func placesIn(doc []byte) places {
	at := places{at: map[string]unstable.Position{}}
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

// note keeps the place of each part of a key, and of those in its value if that is a table. It returns all of the key.
func (at *places) note(p *unstable.Parser, table []string, e *unstable.Node) []string {
	path := slices.Clip(table)
	for parts := e.Key(); parts.Next(); {
		path = append(path, string(parts.Node().Data))
		if _, known := at.at[joinKey(path)]; !known {
			at.keys = append(at.keys, slices.Clip(path))
			at.at[joinKey(path)] = p.Shape(parts.Node().Raw).Start
		}
	}
	if e.Kind == unstable.KeyValue && e.Value().Kind == unstable.InlineTable {
		for inner := e.Value().Children(); inner.Next(); {
			at.note(p, path, inner.Node())
		}
	}
	return path
}

// of returns the place of a key, or of the nearest table around it that has one.
func (at *places) of(key []string) unstable.Position {
	for n := len(key); n > 0; n-- {
		if place, ok := at.at[joinKey(key[:n])]; ok {
			return place
		}
	}
	return unstable.Position{Line: 1, Column: 1}
}

func joinKey(key []string) string { return strings.Join(key, "\x00") }
