package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"pgtower/internal/files"
	"pgtower/models"
)

// linked is the link of the current folder to a project and maybe a branch, made by the service's own command-line client.
// Only wait --linked narrows to it.
type linked struct {
	path string // of the file, or empty without one
	err  error  // why it could not be read

	ProjectID string `json:"projectId"`
	Branch    string `json:"branch"`   // its name or its id
	BranchID  string `json:"branchId"` // of an older file; then it is in Branch, too
}

const (
	linkFile    = ".neon"
	maxLinkFile = 64 << 10 // bytes
)

// link looks for the file of the link, upwards from the current folder.
func (p Process) link() linked {
	if p.Getwd == nil {
		return linked{}
	}
	folder, err := p.Getwd()
	if err != nil {
		return linked{} // the folder is gone
	}
	for {
		path := filepath.Join(folder, linkFile)
		text, err := files.Read(path, maxLinkFile)
		if !errors.Is(err, fs.ErrNotExist) && !isFolder(path) {
			return readLink(path, text.Bytes, err)
		}
		above := filepath.Dir(folder)
		if above == folder {
			return linked{}
		}
		folder = above
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readLink returns the link in a document, or the error with which reading it failed.
func readLink(path string, doc []byte, err error) linked {
	var l linked
	if err == nil {
		l, err = parseLink(doc)
	}
	if err != nil {
		return linked{path: path, err: err}
	}
	l.path = path
	return l
}

// parseLink decodes a link. The project becomes a part of a path, and another user may have written the file.
func parseLink(doc []byte) (linked, error) {
	var l linked
	if err := json.Unmarshal(doc, &l); err != nil {
		return linked{}, errors.New("it is no link: it must be a JSON object with the texts projectId and branch")
	}
	if l.ProjectID != "" && (!serviceID.MatchString(l.ProjectID) || len(l.ProjectID) > maxID) {
		return linked{}, errors.New("projectId must be the id of a project")
	}
	l.Branch = cmp.Or(l.Branch, l.BranchID)
	if l.Branch != "" && !models.MayName(l.Branch) {
		return linked{}, errors.New("branch must be the name or the id of a branch")
	}
	return l, nil
}

// usable returns the error for a command that needs the link, or nil.
func (l *linked) usable() error {
	switch {
	case l.path == "":
		return errors.New("there is no file " + linkFile + " in this folder or above")
	case l.err != nil:
		return fmt.Errorf("%s: %w", l.path, l.err)
	case l.ProjectID == "":
		return errors.New(l.path + " names no project")
	}
	return nil
}

// serviceID matches the ids of the live service, whose own tools write the file. Their length is checked with maxID: as a number
// of repetitions, it would slow down the start of every command.
var serviceID = regexp.MustCompile(`^[a-z0-9-]+$`)

const maxID = 60
