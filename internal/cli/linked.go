package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"pgtower/internal/files"
)

// linked is the project that the service's own command-line client has linked the current folder to. It never narrows
// what is shown.
type linked struct {
	path string // of the file, or empty without one
	err  error  // why it could not be read

	ProjectID string `json:"projectId"`
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

// readLink returns the link in a file, whose reading may have failed.
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

// parseLink decodes a link. Its project becomes a part of a path, and the folder may be anyone's.
func parseLink(doc []byte) (linked, error) {
	var l linked
	if err := json.Unmarshal(doc, &l); err != nil {
		return linked{}, errors.New("it is no link: it must be a JSON object with the text projectId")
	}
	if l.ProjectID != "" && (!serviceID.MatchString(l.ProjectID) || len(l.ProjectID) > maxID) {
		return linked{}, errors.New("projectId must be the id of a project")
	}
	return l, nil
}

// serviceID matches the ids of the live service, whose own tools write the file; they have at most maxID characters. A
// number of repetitions would be compiled as so many states, at the start of every command.
var serviceID = regexp.MustCompile(`^[a-z0-9-]+$`)

const maxID = 60
