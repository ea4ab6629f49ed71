package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
)

// AddProfile puts a new profile at the end of a configuration file, and leaves what is
// there as it is. It makes the file, for its owner only, where there is none. Of the
// profile it writes the base URL and the organisation.
//
// The file is replaced at once or not at all. One that is wrong already, or that would
// be afterwards, is not touched; the error is then a [*FileError].
func AddProfile(path string, p Profile, check Check) error {
	if err := CheckProfileName(p.Name); err != nil {
		return &FileError{Path: path, Err: err}
	}
	doc, before, err := readConfig(path, check)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, ok := before.Profile(p.Name); ok {
		return &FileError{Path: path, Err: fmt.Errorf("there is a profile %s already", p.Name)}
	}
	table, err := profileTable(p)
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	if len(doc) > 0 {
		doc = append(bytes.TrimRight(doc, "\r\n"), "\n\n"...)
	}
	doc = append(doc, table...)
	if _, err := parseConfig(path, doc, check); err != nil {
		return err
	}
	if err := replaceFile(path, doc); err != nil {
		return &FileError{Path: path, Err: err}
	}
	return nil
}

func profileTable(p Profile) ([]byte, error) {
	type table struct {
		BaseURL string `toml:"base_url,omitempty"`
		OrgID   string `toml:"org_id,omitempty"`
	}
	body, err := toml.Marshal(table{p.BaseURL, p.OrgID})
	name := p.Name
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		name = `"` + name + `"` // no name contains what would have to be escaped
	}
	return append([]byte("["+keyProfiles+"."+name+"]\n"), body...), err
}

// replaceFile writes beside the file and renames. Where the file is a link, what it
// leads to is replaced.
func replaceFile(path string, content []byte) error {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".config-*.toml") // for its owner only
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
