package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"pgtower/internal/files"
	"pgtower/models"
	"pgtower/models/keys"
)

// Journal is the file of the changes of API keys, a line of JSON for each record. Lines are only appended.
// An empty path stands for none.
type Journal struct{ Path string }

// maxJournal is the size in bytes from which the journal is renamed, in place of the one that was renamed before.
const maxJournal = 2 << 20

// Check returns why the journal cannot be written, or nil.
func (j Journal) Check() error { return j.append(nil) }

// Append appends a record. When it returns, the record is on the disk. What looks like an API key is masked in it: a secret
// that was pasted as a name is revoked with a record, too.
func (j Journal) Append(r keys.Record) error {
	line, err := json.Marshal(checked(r))
	if err != nil {
		return err
	}
	return j.append(append(line, '\n'))
}

// maxField is how long a text of a record may be, in bytes.
const maxField = 1000

// checked returns a record whose texts can be shown: cleaned, without what looks like an API key, and bounded.
func checked(r keys.Record) keys.Record {
	for _, text := range []*string{
		&r.Account, &r.Change, &r.Outcome, &r.Name, &r.OrgID, &r.ProjectID, &r.RequestID, &r.Error, &r.By, &r.Handed,
	} {
		*text = models.Shorten(models.MaskKeys(models.Clean(*text)), maxField)
	}
	return r
}

// isSound reports whether a line can be a record of the program.
func isSound(r *keys.Record) bool {
	changes := []string{keys.Created, keys.Rotated, keys.Revoke}
	outcomes := []string{keys.Trying, keys.Done, keys.Failed, keys.Undecided}
	return r.ID >= 0 && r.Replaces >= 0 && r.RequestID != "" &&
		slices.Contains(changes, r.Change) && slices.Contains(outcomes, r.Outcome)
}

// append appends a line, or only opens the file for that.
func (j Journal) append(line []byte) error {
	file, unlock, err := lineFile{j.Path}.locked()
	if err != nil {
		return err
	}
	defer unlock()
	info, err := file.stat()
	if err == nil && info != nil && info.Size()+int64(len(line)) > maxJournal {
		err = file.rename()
	}
	if err != nil {
		return err
	}
	return file.append(line)
}

// Read returns the records, oldest first, and how many lines could not be read. Without a file, there are none.
func (j Journal) Read() (list []keys.Record, damaged int, err error) {
	if j.Path == "" {
		return nil, 0, nil
	}
	file, err := lineFile{j.Path}.target()
	if err != nil {
		return nil, 0, err
	}
	for _, path := range []string{file.before(), file.path} {
		text, err := files.Read(path, 2*maxJournal) // none is much larger than maxJournal
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil:
			err = text.Untrusted
		}
		if err != nil {
			return list, damaged, fmt.Errorf("%s: %w", path, err)
		}
		for line := range bytes.Lines(text.Bytes) {
			var r keys.Record
			switch {
			case len(bytes.TrimSpace(line)) == 0:
			case json.Unmarshal(line, &r) != nil, !isSound(&r):
				damaged++
			default:
				list = append(list, checked(r))
			}
		}
	}
	return list, damaged, nil
}
