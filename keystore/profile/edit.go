package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
)

// maxRewrites is how often an edit is tried while others change the file.
const maxRewrites = 5

var (
	errChanged  = errors.New("another program keeps changing it: close that program and try again")
	errUnedited = errors.New("pgtower cannot edit this format: edit the file yourself")
)

// Add appends a new profile with its base URL and organisation to a configuration file. It is no error if the file has
// it already. See [edit].
func Add(path string, p Profile, check Check) error {
	if err := CheckName(p.Name); err != nil {
		return &FileError{Path: path, Err: err}
	}
	return edit(path, check, func(doc []byte, want *Config) ([]byte, error) {
		added := Profile{Name: p.Name, BaseURL: p.BaseURL, OrgID: p.OrgID}
		switch there, ok := want.Profiles[p.Name]; {
		case ok && there.BaseURL == p.BaseURL && there.OrgID == p.OrgID:
			return doc, nil // another process has added it just now
		case ok:
			return nil, fmt.Errorf("profile %s already exists", p.Name)
		}
		want.Profiles = maps.Clone(want.Profiles)
		if want.Profiles == nil {
			want.Profiles = map[string]Profile{}
		}
		want.Profiles[p.Name] = added
		name := p.Name
		if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
			name = `"` + name + `"` // no name contains what would have to be escaped
		}
		return appendTable(doc, "[profiles."+name+"]", given(&added))
	})
}

// SaveLayout writes the fields of a layout that are not zero to a configuration file. See [edit].
func SaveLayout(path string, layout Layout, check Check) error {
	return edit(path, check, func(doc []byte, want *Config) ([]byte, error) {
		settings := given(&layout)
		if len(settings) == 0 {
			return doc, nil
		}
		merge(&want.Layout, settings)
		return put(doc, keyPath{"layout"}, "[layout]", settings)
	})
}

// SaveView replaces the view with the same name in a configuration file, or appends a new one. Its alert and program stay
// as they are there. See [edit].
func SaveView(path string, view View, check Check) error {
	return edit(path, check, func(doc []byte, want *Config) ([]byte, error) {
		i := viewAt(doc, view.Name)
		want.Views = slices.Clone(want.Views)
		known := slices.IndexFunc(want.Views, func(v View) bool { return strings.EqualFold(v.Name, view.Name) })
		switch {
		case i < 0:
			known = len(want.Views)
			want.Views = append(want.Views, View{})
		case known < 0:
			return nil, fmt.Errorf("the view %s in it is invalid: correct it first", view.Name)
		}
		settings, table, at := given(&view), keyPath{"views", strconv.Itoa(i)}, placesIn(doc)
		// Settings that the view no longer has are emptied, not removed, so that their comments stay.
		for f := range fieldsOf(reflect.ValueOf(view)) {
			_, written := at.at[joinKey(table.below(f.key))]
			if written && f.value.IsZero() && f.key != "alert" && f.key != "run" {
				settings = append(settings, f)
			}
		}
		merge(&want.Views[known], settings)
		return put(doc, table, "[[views]]", settings)
	})
}

// viewAt returns the number of a view in a valid document, or -1.
func viewAt(doc []byte, name string) int {
	var named struct{ Views []struct{ Name string } }
	_ = toml.Unmarshal(doc, &named) // if a name is not a string, no view is found
	return slices.IndexFunc(named.Views, func(v struct{ Name string }) bool { return strings.EqualFold(v.Name, name) })
}

// given returns the fields of a struct that are not zero.
func given(of any) (settings []field) {
	for f := range fieldsOf(reflect.ValueOf(of).Elem()) {
		if !f.value.IsZero() {
			settings = append(settings, f)
		}
	}
	return settings
}

// merge sets fields of a struct as the decoder does, which sets an empty list to nil.
func merge(to any, settings []field) {
	for f := range fieldsOf(reflect.ValueOf(to).Elem()) {
		for _, s := range settings {
			switch {
			case s.key != f.key:
			case s.value.Kind() == reflect.Slice && s.value.Len() == 0:
				f.value.SetZero()
			default:
				f.value.Set(s.value)
			}
		}
	}
}

// edit changes a configuration file, or creates one that only its owner can read. change returns the changed document,
// and applies the same change to the configuration.
//
// The rest of the file stays byte for byte. It is replaced atomically, and only if it decodes to exactly the changed
// configuration. A change by another program at the same time is not lost. Every error is a [*FileError].
func edit(path string, check Check, change func(doc []byte, want *Config) ([]byte, error)) (err error) {
	defer func() {
		if _, placed := errors.AsType[*FileError](err); err != nil && !placed {
			err = &FileError{Path: path, Err: err}
		}
	}()
	target := linked(path)
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	lock, err := LockFolder(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer lock.Close() //nolint:errcheck // it was not written to
	err = errChanged
	for tries := 0; tries < maxRewrites && errors.Is(err, errChanged); tries++ {
		err = editNow(path, target, check, change)
	}
	return err
}

// editNow makes one attempt. It returns errChanged if the file changes meanwhile.
func editNow(path, target string, check Check, change func([]byte, *Config) ([]byte, error)) error {
	doc, before, err := readFile(path, check)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	mark, text := unmarked(doc)
	want := before
	after, err := change(text, &want)
	if err != nil {
		return err
	}
	if bytes.Equal(after, text) {
		return nil
	}
	got, err := parse(path, after, check)
	switch {
	case err != nil:
		return err
	case len(got.Faults) > len(before.Faults):
		return got.Faults[0]
	}
	got.Faults, want.Faults = nil, nil
	if !reflect.DeepEqual(got, want) {
		return errUnedited
	}
	return replaceFile(target, doc, slices.Concat(mark, after))
}

// newline returns the line ending of a document.
func newline(doc []byte) string {
	if bytes.Contains(doc, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// appendTable appends a table to a document.
func appendTable(doc []byte, header string, settings []field) ([]byte, error) {
	end := newline(doc)
	out := slices.Clone(doc)
	if len(out) > 0 {
		if out[len(out)-1] != '\n' {
			out = append(out, end...)
		}
		out = append(out, end...)
	}
	out = append(out, header+end...)
	for _, s := range settings {
		literal, err := literal(s.value)
		if err != nil {
			return nil, err
		}
		out = append(out, s.key+" = "+literal+end...)
	}
	return out, nil
}

// put sets keys of a table, or appends a table with them if the document has none.
func put(doc []byte, table keyPath, header string, settings []field) ([]byte, error) {
	if _, ok := placesIn(doc).at[joinKey(table)]; !ok {
		return appendTable(doc, header, settings)
	}
	for _, s := range settings {
		value, err := literal(s.value)
		if err != nil {
			return nil, err
		}
		doc = set(doc, table, s.key, value)
	}
	return doc, nil
}

// set replaces the value of a key, or inserts the key after the last one of its table.
func set(doc []byte, table keyPath, key, value string) []byte {
	at := placesIn(doc)
	replace := func(from, to int, text string) []byte {
		return slices.Concat(doc[:from], []byte(text), doc[to:])
	}
	// endOfLine returns the end of the line at an offset.
	endOfLine := func(offset int) int {
		if n := bytes.IndexByte(doc[offset:], '\n'); n >= 0 {
			return offset + len(bytes.TrimSuffix(doc[offset:offset+n], []byte("\r")))
		}
		return len(doc)
	}
	if there, ok := at.at[joinKey(table.below(key))]; ok {
		return replace(there.value, there.end, value)
	}
	assigned := key + " = " + value
	last, ok := at.last[joinKey(table)]
	header := at.at[joinKey(table)]
	switch {
	case ok && last.inline:
		return replace(last.end, last.end, ", "+string(doc[last.start:last.key])+assigned)
	case ok:
		line := bytes.LastIndexByte(doc[:last.start], '\n') + 1
		end := endOfLine(last.end)
		return replace(end, end, newline(doc)+string(doc[line:last.key])+assigned)
	case header.value > 0:
		return replace(header.value, header.end, "{ "+assigned+" }")
	default:
		end := endOfLine(header.end)
		return replace(end, end, newline(doc)+assigned)
	}
}

// literal returns a value as TOML.
func literal(v reflect.Value) (string, error) {
	out, err := toml.Marshal(map[string]any{"x": v.Interface()})
	return strings.TrimSuffix(strings.TrimPrefix(string(out), "x = "), "\n"), err
}
