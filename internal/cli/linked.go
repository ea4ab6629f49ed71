package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir(), errors.Is(err, fs.ErrNotExist):
		default:
			return readLink(path, info, err)
		}
		above := filepath.Dir(folder)
		if above == folder {
			return linked{}
		}
		folder = above
	}
}

func readLink(path string, info fs.FileInfo, err error) linked {
	if err == nil && !info.Mode().IsRegular() { // reading a pipe would block
		err = errNotRegular
	}
	var doc []byte
	if err == nil {
		doc, err = readLinkFile(path)
	}
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

func readLinkFile(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the user works in this folder
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	doc, err := io.ReadAll(io.LimitReader(f, maxLinkFile+1))
	if err == nil && len(doc) > maxLinkFile {
		err = fmt.Errorf("it has more than %d KiB", maxLinkFile>>10)
	}
	return doc, err
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
