package keystore

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// The keys of a configuration file.
const (
	keyDefaultProfile = "default_profile"
	keyProfiles       = "profiles"
	keyKeys           = "keys"

	keyBaseURL    = "base_url"
	keyOrgID      = "org_id"
	keyInterval   = "interval"
	keyPageSize   = "page_size"
	keyWindow     = "window"
	keyPinned     = "pinned"
	keySearchBack = "search_back"
	keyTheme      = "theme"
	keyTime       = "time"
	keyKeyCommand = "key_command"
)

func topKeys() []string { return []string{keyDefaultProfile, keyProfiles, keyKeys} }

func profileKeys() []string {
	return []string{keyBaseURL, keyOrgID, keyInterval, keyPageSize, keyWindow, keyPinned, keySearchBack, keyTheme, keyTime, keyKeyCommand}
}

var (
	errKeyInFile = errors.New("this looks like an API key, and no key belongs in this file: remove it and run pgtower login, " +
		"which keeps the key in the OS keyring, or set key_command to a program that prints it")
	errNotText    = errors.New(`it is a text, in "quotes"`)
	errEmpty      = errors.New("it is empty: leave the line out instead")
	errNotTime    = errors.New(`it is a time, such as "5s"`)
	errNotCount   = errors.New("it is a number from 1 on")
	errNotIDs     = errors.New(`it is a list of ids of projects, such as ["floral-king-961888"]`)
	errNotTable   = errors.New("it is a table, such as [profiles.work]")
	errNotCommand = errors.New(`it is a line for the shell, or a list such as ["pass", "show", "key"]`)
)

// configDecoder turns the tree of a document into a [Config], and collects what is wrong.
type configDecoder struct {
	path  string
	at    positions
	check Check
	wrong []*FileError
}

// fail notes what is wrong with the value of a key.
func (d *configDecoder) fail(err error, key ...string) {
	line, column := d.at.of(key)
	d.wrong = append(d.wrong, &FileError{
		Path: d.path, Line: line, Column: column, Err: fmt.Errorf("%s: %w", models.Clean(key[len(key)-1]), err),
	})
}

func (d *configDecoder) config(tree map[string]any) Config {
	var c Config
	for key, value := range tree {
		switch key {
		case keyDefaultProfile:
			c.Default = d.text(value, key)
		case keyProfiles:
			c.Profiles = d.profiles(value)
		case keyKeys:
			c.Keys = d.keys(value)
		default:
			d.unknown(topKeys(), key)
		}
	}
	if _, ok := c.Profile(c.Default); !ok && c.Default != "" && c.Default != DefaultProfile {
		d.fail(fmt.Errorf("there is no [profiles.%s]", models.Clean(c.Default)), keyDefaultProfile)
	}
	return c
}

func (d *configDecoder) profiles(value any) []Profile {
	tables, ok := value.(map[string]any)
	if !ok {
		d.fail(errNotTable, keyProfiles)
		return nil
	}
	var all []Profile
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		table, ok := tables[name].(map[string]any)
		if !ok {
			// A setting that stands outside its profile, or a key.
			d.unknown(nil, keyProfiles, name)
			continue
		}
		if err := CheckProfileName(name); err != nil {
			d.fail(err, keyProfiles, name)
			continue
		}
		all = append(all, d.profile(name, table))
	}
	return all
}

func (d *configDecoder) profile(name string, table map[string]any) Profile {
	p := Profile{Name: name}
	before := len(d.wrong)
	for key, value := range table {
		path := []string{keyProfiles, name, key}
		switch key {
		case keyBaseURL:
			p.BaseURL = d.text(value, path...)
		case keyOrgID:
			p.OrgID = d.text(value, path...)
		case keyInterval:
			p.Interval = d.duration(value, path...)
		case keyPageSize:
			p.PageSize = d.count(value, path...)
		case keyWindow:
			p.Window = d.duration(value, path...)
		case keyPinned:
			p.Pinned = d.ids(value, path...)
		case keySearchBack:
			p.SearchBack = d.duration(value, path...)
		case keyTheme:
			p.Theme = d.text(value, path...)
		case keyTime:
			p.Time = d.text(value, path...)
		case keyKeyCommand:
			p.KeyCommand = d.command(value, path...)
		default:
			d.unknown(profileKeys(), path...)
		}
	}
	if len(d.wrong) == before && d.check.Profile != nil {
		if setting, err := d.check.Profile(p); err != nil {
			d.fail(err, keyProfiles, name, setting)
		}
	}
	return p
}

// unknown refuses a key, and names the one that may be meant.
func (d *configDecoder) unknown(known []string, key ...string) {
	last := key[len(key)-1]
	switch near := models.Nearest(last, known); {
	case near != "":
		d.fail(fmt.Errorf("pgtower has no such setting; %s is meant, perhaps", near), key...)
	case known == nil:
		d.fail(errors.New("it belongs into a profile, such as below [profiles.work]"), key...)
	default:
		d.fail(fmt.Errorf("pgtower has no such setting; there are %s", strings.Join(known, ", ")), key...)
	}
}

func (d *configDecoder) text(value any, key ...string) string {
	s, ok := value.(string)
	switch {
	case !ok:
		d.fail(errNotText, key...)
	case strings.TrimSpace(s) == "":
		d.fail(errEmpty, key...)
	}
	return s
}

func (d *configDecoder) duration(value any, key ...string) time.Duration {
	s, _ := value.(string)
	t, err := time.ParseDuration(s)
	if err != nil || t <= 0 {
		d.fail(errNotTime, key...)
	}
	return t
}

func (d *configDecoder) count(value any, key ...string) int {
	n, ok := value.(int64)
	if !ok || n < 1 || n > math.MaxInt32 {
		d.fail(errNotCount, key...)
		return 0
	}
	return int(n)
}

func (d *configDecoder) ids(value any, key ...string) (ids []string) {
	list, ok := value.([]any)
	for _, v := range list {
		id, text := v.(string)
		ok = ok && text && id != "" && id == models.Clean(id)
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if !ok {
		d.fail(errNotIDs, key...)
	}
	return ids
}

func (d *configDecoder) command(value any, key ...string) KeyCommand {
	list, ok := value.([]any)
	if !ok {
		if _, ok := value.(string); !ok {
			d.fail(errNotCommand, key...)
			return KeyCommand{}
		}
		return KeyCommand{Shell: d.text(value, key...)}
	}
	var args []string
	for _, v := range list {
		s, ok := v.(string)
		if !ok || len(args) == 0 && s == "" || strings.ContainsRune(s, 0) {
			d.fail(errNotCommand, key...)
			return KeyCommand{}
		}
		args = append(args, s)
	}
	if len(args) == 0 {
		d.fail(errEmpty, key...)
	}
	return KeyCommand{Args: args}
}
