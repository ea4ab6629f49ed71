package profile

import (
	"errors"
	"fmt"
	"io/fs"
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
	return edit(path, check, func(doc string, want *Config) (string, error) {
		added := Profile{Name: p.Name, BaseURL: p.BaseURL, OrgID: p.OrgID}
		switch there, ok := want.Profiles[p.Name]; {
		case ok && there.BaseURL == p.BaseURL && there.OrgID == p.OrgID:
			return doc, nil // another process has added it just now
		case ok:
			return "", fmt.Errorf("profile %s already exists", p.Name)
		case want.Profiles == nil:
			want.Profiles = map[string]Profile{}
		}
		want.Profiles[p.Name] = added
		table, err := toml.Marshal(map[string]any{"profiles": map[string]Profile{p.Name: added}})
		header, settings, _ := strings.Cut(strings.TrimPrefix(string(table), "[profiles]\n"), "\n")
		return put(doc, header, []byte(settings), "profiles", p.Name), err
	})
}

// SaveLayout writes the fields of a layout that are not zero to a configuration file. See [edit].
func SaveLayout(path string, layout Layout, check Check) error {
	return edit(path, check, func(doc string, want *Config) (string, error) {
		settings, err := toml.Marshal(layout) //nolint:gosec // the columns of API keys, which are no secret
		if err != nil || len(settings) == 0 {
			return doc, err
		}
		return put(doc, "[layout]", settings, "layout"), toml.Unmarshal(settings, &want.Layout)
	})
}

// SaveView replaces the view with the same name in a configuration file, or appends a new one. Its alert and program stay
// as they are there. See [edit].
func SaveView(path string, view View, check Check) error {
	return edit(path, check, func(doc string, want *Config) (string, error) {
		settings, err := toml.Marshal(view)
		if err != nil {
			return "", err
		}
		views, _ := readTree([]byte(doc)).get("views")
		i := slices.IndexFunc(views.nodes, func(one *node) bool {
			name, _ := one.get("name")
			text, _ := name.value.(string)
			return strings.EqualFold(text, view.Name)
		})
		there, exists := views.get(strconv.Itoa(i))
		known := slices.IndexFunc(want.Views, func(v View) bool { return strings.EqualFold(v.Name, view.Name) })
		switch {
		case !exists:
			known = len(want.Views)
			want.Views = append(want.Views, View{})
		case known < 0:
			return "", fmt.Errorf("the view %s in it is invalid: correct it first", view.Name)
		}
		// Settings that the view no longer has are emptied, not removed, so that their comments stay.
		for _, f := range fieldsOf(reflect.ValueOf(view)) {
			if _, written := there.get(f.key); written && f.value.IsZero() && f.key != "alert" && f.key != "run" {
				empty, _ := toml.Marshal(map[string]any{f.key: f.value.Interface()}) // a text or list has no error
				settings = append(settings, empty...)
			}
		}
		return put(doc, "[[views]]", settings, "views", strconv.Itoa(i)), toml.Unmarshal(settings, &want.Views[known])
	})
}

// edit changes a configuration file, or creates one that only its owner can read. change returns the changed document,
// and applies the same change to the configuration.
//
// The rest of the file stays byte for byte. It is replaced atomically, and only if it decodes to exactly the changed
// configuration. A change by another program at the same time is not lost. Every error is a [*FileError].
func edit(path string, check Check, change func(doc string, want *Config) (string, error)) (err error) {
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
func editNow(path, target string, check Check, change func(string, *Config) (string, error)) error {
	doc, want, err := readFile(path, check)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := len(want.Faults)
	mark, text := unmarked(doc)
	after, err := change(string(text), &want)
	if err != nil {
		return err
	}
	if after == string(text) {
		return nil
	}
	got, err := parse(path, []byte(after), check)
	switch {
	case err != nil:
		return err
	case len(got.Faults) > known:
		return got.Faults[0]
	}
	got.Faults, want.Faults = nil, nil
	if !reflect.DeepEqual(got, want) {
		return errUnedited
	}
	return replaceFile(target, doc, slices.Concat(mark, []byte(after)))
}

// newline returns the line ending of a document.
func newline(doc string) string {
	if strings.Contains(doc, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// put sets settings of a table, one a line as [toml.Marshal] returns them, or appends a table with them if the document
// has none.
func put(doc, header string, settings []byte, table ...string) string {
	if _, ok := readTree([]byte(doc)).get(table...); ok {
		for line := range strings.Lines(string(settings)) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
			doc = set(doc, table, key, value)
		}
		return doc
	}
	end := newline(doc)
	if doc != "" {
		doc = strings.TrimSuffix(doc, end) + end + end
	}
	return doc + strings.ReplaceAll(header+"\n"+string(settings), "\n", end)
}

// set replaces the value of a setting, or inserts the setting after the last one of its table.
func set(doc string, path []string, key, value string) string {
	replace := func(from, to int, text string) string { return doc[:from] + text + doc[to:] }
	// below inserts a line below that at an offset.
	below := func(offset int, text string) string {
		end := offset + strings.IndexAny(doc[offset:]+"\n", "\r\n")
		return replace(end, end, newline(doc)+text)
	}
	table, _ := readTree([]byte(doc)).get(path...)
	var last *node
	for _, one := range table.nodes {
		if one.begin > 0 {
			last = one
		}
	}
	assigned := key + " = " + value
	there, exists := table.get(key)
	switch {
	case exists:
		return replace(there.begin, there.end, value)
	case last == nil && table.begin > 0:
		return replace(table.begin, table.end, "{ "+assigned+" }")
	case table.inline:
		return replace(last.end, last.end, ", "+assigned)
	case last != nil:
		line := strings.LastIndexByte(doc[:last.Offset], '\n') + 1
		return below(last.end, doc[line:last.Offset]+assigned)
	default:
		return below(table.end, assigned)
	}
}
