package state

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

// Uses is the file of the uses of API keys that were seen, a line of JSON for each change. Several programs append to it. It
// remembers how far it was read, so its methods are not safe for concurrent use.
type Uses struct {
	// Damaged and Newer are the numbers of lines that were left out: damaged ones, and those of a newer version of the program.
	Damaged, Newer int

	file   lineFile
	read   fs.FileInfo // the file that was read last, or nil
	offset int64       // how much of it was read
	first  time.Time   // when its first line was written
	last   time.Time   // the newest time of any line
}

// NewUses returns the file with a path. An empty one stands for none.
func NewUses(path string) *Uses { return &Uses{file: lineFile{path}} }

// The file is renamed once it has this size in bytes, or its lines span this time. Together with the one that was renamed before,
// it has at most 20 MB and a year.
const (
	maxUses    = 10 << 20
	maxUsesAge = keys.HistoryFor / 2
)

// Read returns the lines that were appended since the last call of a method. Those that it cannot read are counted.
func (u *Uses) Read() ([]keys.Seen, error) {
	file, err := u.file.target()
	if err != nil {
		return nil, err
	}
	return u.since(file)
}

// Append appends the lines that a function returns. It gets the lines that were appended since the last call of a method, and
// whether the file begins anew. Other programs wait meanwhile.
func (u *Uses) Append(lines func(since []keys.Seen, fresh bool) []keys.Seen) error {
	file, unlock, err := u.file.locked()
	if err != nil {
		return err
	}
	defer unlock()
	since, err := u.since(file)
	if err != nil {
		return err
	}
	fresh := u.read != nil && (u.offset >= maxUses || u.last.Sub(u.first) > maxUsesAge)
	if fresh {
		if err := file.rename(); err != nil {
			return err
		}
		u.read, u.offset, u.first = nil, 0, time.Time{}
	}
	return u.append(file, lines(since, fresh))
}

// append appends lines, which are not read again.
func (u *Uses) append(file lineFile, lines []keys.Seen) error {
	if len(lines) == 0 {
		return nil
	}
	var text bytes.Buffer
	for i := range lines {
		line, err := json.Marshal(plain(lines[i]))
		if err != nil {
			return err
		}
		_, _ = text.Write(append(line, '\n'))
	}
	if err := file.append(text.Bytes()); err != nil {
		return err
	}
	info, err := file.stat()
	if err != nil || info == nil {
		return err
	}
	for i := range lines {
		u.note(&lines[i])
	}
	u.read, u.offset = info, info.Size()
	return nil
}

// since returns the lines that were not read yet.
func (u *Uses) since(file lineFile) (lines []keys.Seen, err error) {
	info, err := file.stat()
	if err != nil {
		return nil, err
	}
	if u.read == nil || info == nil || !os.SameFile(info, u.read) {
		lines, err = u.renamed(file)
		if err != nil {
			return nil, err
		}
		u.offset, u.first = 0, time.Time{}
	}
	u.read = info
	if info == nil {
		return lines, nil
	}
	if info.Size() < u.offset { // it was written anew
		u.offset = 0
	}
	rest, err := u.rest(file)
	return append(lines, rest...), err
}

// renamed returns the lines that were not read yet of the file that was renamed.
func (u *Uses) renamed(file lineFile) ([]keys.Seen, error) {
	previous := lineFile{file.before()}
	info, err := previous.stat()
	if err != nil || info == nil {
		return nil, err
	}
	if u.read == nil || !os.SameFile(info, u.read) {
		u.offset = 0
	}
	return u.rest(previous)
}

// rest reads the whole lines of a file after the offset.
func (u *Uses) rest(file lineFile) (lines []keys.Seen, err error) {
	f, err := os.Open(file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if _, err := f.Seek(u.offset, io.SeekStart); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, 4*maxUses)) // no file is much larger than maxUses
	if err != nil {
		return nil, err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1] // the rest is being written, or was cut off
	u.offset += int64(len(text))
	for line := range bytes.Lines(text) {
		lines = u.parse(lines, line)
	}
	return lines, nil
}

// parse adds a line to others, or counts it.
func (u *Uses) parse(lines []keys.Seen, line []byte) []keys.Seen {
	var s keys.Seen
	switch err := json.Unmarshal(line, &s); {
	case len(bytes.TrimSpace(line)) == 0:
	case err == nil && s.Version > keys.SeenVersion:
		u.Newer++
	case err != nil, !isSeen(&s):
		u.Damaged++
	default:
		s = plain(s)
		u.note(&s)
		return append(lines, s)
	}
	return lines
}

// note updates the times of the first and of the newest line.
func (u *Uses) note(s *keys.Seen) {
	if u.first.IsZero() {
		u.first = s.Read
	}
	if s.Read.After(u.last) {
		u.last = s.Read
	}
}

// isSeen reports whether the program may have written a line.
func isSeen(s *keys.Seen) bool {
	const years = 200 * 366 * 24 * time.Hour // what a duration can hold
	for _, t := range []time.Time{s.Use, s.Was, s.Until, s.Read, s.Created} {
		if !t.IsZero() && (t.Unix() < 0 || t.Unix() > int64(years/time.Second)) {
			return false
		}
	}
	place := s.OrgID == "" || models.IsOrgID(s.OrgID)
	return s.ID >= 0 && s.Host != "" && place && s.Version >= 0 && (s.ID != 0 || s.Sum != "")
}

// plain returns a line whose texts can be shown: cleaned, bounded, and without a name that looks like an API key. Its times are
// in UTC.
func plain(s keys.Seen) keys.Seen {
	if models.FindKey(s.Name) >= 0 {
		s.Name = ""
	}
	for _, text := range []*string{&s.From, &s.Name, &s.Host, &s.Account, &s.OrgID, &s.Told, &s.Sum} {
		*text = models.Shorten(models.MaskKeys(models.Clean(*text)), maxField)
	}
	for _, t := range []*time.Time{&s.Use, &s.Was, &s.Until, &s.Read, &s.Created} {
		*t = t.UTC()
	}
	return s
}
