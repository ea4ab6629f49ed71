package keystore

import (
	"cmp"
	"errors"
	"slices"
)

// KeySetting are the keys that the person gives an action of the dashboard. What pages,
// actions and keys there are is for [Check.Keys] to say.
type KeySetting struct {
	// Page is where, or empty for every page that has the action.
	Page, Action string
	// Keys may be none, for an action that is to have no key.
	Keys []string
}

// KeyFault is what is wrong with a [KeySetting].
type KeyFault struct {
	// Index is that of the setting.
	Index int
	// OfPage says that the page is what is wrong.
	OfPage bool
	Err    error
}

var errNotKeys = errors.New(`it is a key, such as "ctrl+r", or a list of keys, such as ["Q", "ctrl+q"]; of one page they stand below [keys.operations]`)

// keys reads the keys of all pages, and the tables with those of one page.
func (d *configDecoder) keys(value any) []KeySetting {
	table, ok := value.(map[string]any)
	if !ok {
		d.fail(errors.New("it is a table, [keys]"), keyKeys)
		return nil
	}
	before := len(d.wrong)
	var all []KeySetting
	for name, value := range table {
		page, ok := value.(map[string]any)
		if !ok {
			all = append(all, KeySetting{"", name, d.keyList(value, keyKeys, name)})
			continue
		}
		if name == "" {
			d.fail(errNotKeys, keyKeys, name)
			continue
		}
		for action, value := range page {
			all = append(all, KeySetting{name, action, d.keyList(value, keyKeys, name, action)})
		}
	}
	d.inOrder(all)
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
		return []string{keyKeys, s.Action}
	}
	return []string{keyKeys, s.Page, s.Action}
}

// inOrder sorts as the file does.
func (d *configDecoder) inOrder(all []KeySetting) {
	slices.SortFunc(all, func(a, b KeySetting) int {
		aLine, aColumn := d.at.of(a.path())
		bLine, bColumn := d.at.of(b.path())
		return cmp.Or(cmp.Compare(aLine, bLine), cmp.Compare(aColumn, bColumn))
	})
}

func (d *configDecoder) keyList(value any, path ...string) []string {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	keys := make([]string, 0, len(list))
	for _, one := range list {
		key, ok := one.(string)
		if !ok {
			d.fail(errNotKeys, path...)
			return nil
		}
		keys = append(keys, key)
	}
	return keys
}
