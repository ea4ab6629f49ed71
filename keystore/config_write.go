package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
)

// AddProfile puts a new profile at the end of a configuration file, and leaves what is
// there as it is. It makes the file, for its owner only, where there is none. Of the
// profile it writes the base URL and the organisation.
//
// The file is replaced at once or not at all. One that is wrong already, or that would
// be afterwards, is not touched. Others may add profiles at the same time, and what an
// editor saves meanwhile stays. A profile that is there already with the same base URL and
// organisation is no error. The errors are [*FileError].
func AddProfile(path string, p Profile, check Check) error {
	if err := CheckProfileName(p.Name); err != nil {
		return &FileError{Path: path, Err: err}
	}
	// Where the file is a link, what it leads to is locked and replaced.
	target := path
	if to, err := filepath.EvalSymlinks(path); err == nil {
		target = to
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return &FileError{Path: path, Err: err}
	}
	unlock, err := lockFile(target + ".lock")
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	defer unlock()
	err = errChanged
	for tries := 0; tries < maxRewrites && errors.Is(err, errChanged); tries++ {
		err = addProfile(path, target, p, check)
	}
	return err
}

// maxRewrites is how often a profile is added to a file that others change meanwhile.
const maxRewrites = 5

var errChanged = errors.New("another program keeps changing it: close that, then try again")

// addProfile adds the profile to what the file has now. The error is errChanged where it
// has something else by the time that it would be replaced.
func addProfile(path, target string, p Profile, check Check) error {
	doc, before, err := readConfig(path, check)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there, ok := before.Profile(p.Name); ok {
		if there.BaseURL == p.BaseURL && there.OrgID == p.OrgID {
			return nil // another process has added it just now
		}
		return &FileError{Path: path, Err: fmt.Errorf("there is a profile %s already", p.Name)}
	}
	table, err := profileTable(p)
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	after := table
	if len(doc) > 0 {
		after = slices.Concat(bytes.TrimRight(doc, "\r\n"), []byte("\n\n"), table)
	}
	if _, err := parseConfig(path, after, check); err != nil {
		return err
	}
	if err := replaceFile(target, doc, after); err != nil {
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

// replaceFile writes beside the file and renames, or returns errChanged where the file no
// longer has what it had before.
func replaceFile(path string, before, after []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".config-*.toml") // for its owner only
	if err != nil {
		return err
	}
	_, err = f.Write(after)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		now, _, unread := readDocument(path)
		if !bytes.Equal(now, before) || unread != nil && !errors.Is(unread, fs.ErrNotExist) {
			err = errChanged
		}
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
