package state

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

func usesPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "pgtower", "uses.jsonl")
}

func usesAt(minutes int) time.Time {
	return time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC).Add(time.Duration(minutes) * time.Minute)
}

func seenAt(id int64, minutes int) keys.Seen {
	return keys.Seen{
		Use: usesAt(minutes), From: "192.0.2.1", Read: usesAt(minutes + 1), ID: id, Name: "ci", Created: usesAt(-9999),
		ListPlace: keys.ListPlace{Host: "example.com"},
	}
}

// appendSeen appends lines, and returns those that were appended by others.
func appendSeen(t *testing.T, u *Uses, lines ...keys.Seen) (since []keys.Seen) {
	t.Helper()
	err := u.Append(func(others []keys.Seen, _ bool) []keys.Seen {
		since = others
		return lines
	})
	if err != nil {
		t.Fatal(err)
	}
	return since
}

func readSeen(t *testing.T, u *Uses) []keys.Seen {
	t.Helper()
	lines, err := u.Read()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Two programs read what the other one has appended, and not what they have appended themselves.
func TestUsesOfTwoPrograms(t *testing.T) {
	t.Parallel()
	path := usesPath(t)
	one, two := NewUses(path), NewUses(path)
	if lines := readSeen(t, one); len(lines) != 0 {
		t.Errorf("%v in no file", lines)
	}
	appendSeen(t, one, seenAt(1, 0), seenAt(2, 0))
	if since := appendSeen(t, two, seenAt(1, 5)); len(since) != 2 || since[0] != seenAt(1, 0) {
		t.Errorf("the second program reads %v", since)
	}
	if lines := readSeen(t, one); len(lines) != 1 || lines[0] != seenAt(1, 5) {
		t.Errorf("the first program reads %v", lines)
	}
	if lines := append(readSeen(t, one), readSeen(t, two)...); len(lines) > 0 {
		t.Errorf("it is read again: %v", lines)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Many writers at once lose no line.
func TestUsesOfManyPrograms(t *testing.T) {
	t.Parallel()
	path := usesPath(t)
	var programs sync.WaitGroup
	for program := range int64(4) {
		programs.Go(func() {
			u := NewUses(path)
			for n := range 10 {
				if err := u.Append(func([]keys.Seen, bool) []keys.Seen { return []keys.Seen{seenAt(program+1, n)} }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	programs.Wait()
	all := NewUses(path)
	if lines := readSeen(t, all); len(lines) != 40 || all.Damaged != 0 {
		t.Errorf("%d lines, %d damaged", len(lines), all.Damaged)
	}
}

// A line that a crash has cut off is left out. It is counted once another line follows.
func TestUsesThatWereCutOff(t *testing.T) {
	t.Parallel()
	path := usesPath(t)
	one := NewUses(path)
	appendSeen(t, one, seenAt(1, 0), seenAt(2, 0))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	two := NewUses(path)
	if lines := readSeen(t, two); len(lines) != 1 || two.Damaged != 0 {
		t.Errorf("%v, %d damaged", lines, two.Damaged)
	}
	appendSeen(t, two, seenAt(3, 0))
	three := NewUses(path)
	lines := readSeen(t, three)
	if len(lines) != 2 || lines[1].ID != 3 || three.Damaged != 1 {
		t.Errorf("%v, %d damaged", lines, three.Damaged)
	}
}

// Lines of a newer version are left out and counted, and stay in the file.
func TestUsesOfANewerVersion(t *testing.T) {
	t.Parallel()
	path := usesPath(t)
	newer := seenAt(1, 0)
	newer.Version = keys.SeenVersion + 1
	appendSeen(t, NewUses(path), newer, seenAt(2, 0))
	u := NewUses(path)
	if lines := readSeen(t, u); len(lines) != 1 || u.Newer != 1 || u.Damaged != 0 {
		t.Errorf("%v, %d newer, %d damaged", lines, u.Newer, u.Damaged)
	}
	appendSeen(t, u, seenAt(3, 0))
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), `"v":2`) {
		t.Errorf("the line is gone: %s", text)
	}
}

// A large or old file is renamed. A program that has not read its end does so, and one that starts reads both.
func TestUsesAreBounded(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]time.Duration{"large": 0, "old": maxUsesAge} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := usesPath(t)
			one, two := NewUses(path), NewUses(path)
			appendSeen(t, one, seenAt(1, 0))
			readSeen(t, two)
			last := seenAt(2, int(old/time.Minute)+10)
			lines := 1
			if old == 0 {
				last.Name, lines = strings.Repeat("long ", 180), maxUses/1000
			}
			appendSeen(t, one, slices.Repeat([]keys.Seen{last}, lines)...)
			fresh := false
			if err := one.Append(func(_ []keys.Seen, isNew bool) []keys.Seen {
				fresh = isNew
				return []keys.Seen{seenAt(3, 0)}
			}); err != nil || !fresh {
				t.Fatalf("new: %v, %v", fresh, err)
			}
			missed := readSeen(t, two)
			if n := len(missed); n != lines+1 || missed[n-1].ID != 3 || missed[0].ID != 2 {
				t.Errorf("the second program reads %d lines, not %d", n, lines+1)
			}
			if all := readSeen(t, NewUses(path)); len(all) != lines+2 {
				t.Errorf("a third one reads %d lines, not %d", len(all), lines+2)
			}
		})
	}
}

// A name that looks like a secret is not written, and one in another text is masked.
func TestUsesHaveNoSecret(t *testing.T) {
	t.Parallel()
	path := usesPath(t)
	const secret = "napi_abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnop"
	line := seenAt(1, 0)
	line.Name, line.From = secret, "192.0.2.1 "+secret
	appendSeen(t, NewUses(path), line)
	text, err := os.ReadFile(path)
	if err != nil || bytes.Contains(text, []byte(secret[:20])) || bytes.Contains(text, []byte(`"name"`)) {
		t.Errorf("%s, %v", text, err)
	}
}

// A link is followed, and what others can write to is not read.
func TestUsesThroughLinks(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, link := filepath.Join(folder, "real.jsonl"), filepath.Join(folder, "uses.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	appendSeen(t, NewUses(link), seenAt(1, 0))
	if lines := readSeen(t, NewUses(path)); len(lines) != 1 {
		t.Errorf("%v", lines)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if lines, err := NewUses(link).Read(); err == nil {
		t.Errorf("%v is read", lines)
	}
}

// A crash or another program may have left anything in the file: what can be read is read, and a line is appended as one of its
// own.
func FuzzUses(f *testing.F) {
	const line = `{"use":"2026-11-26T22:41:57Z","read":"2026-11-26T22:42:00Z","id":7,"name":"ci","created_at":"2025-01-01T00:00:00Z","host":"h"}`
	for _, seed := range []string{
		"", "\n", "null", "[]\n", line, line + "\n", line + "\n" + line[:40], "\x00\n" + line, `{"id":1e9}`, `{"read":"yesterday"}`,
		`{"id":1,"host":"h","name":"\u001b[31m\ud800"}` + "\r\n", `{"ID":1,"id":-9223372036854775808,"host":"h"}`,
		`{"v":2,"id":1,"host":"h"}` + "\n", `{"sum":"ff","host":"h","read":"9999-01-01T00:00:00Z"}` + "\n\n\n{",
		`{"id":1,"host":"h","told":"can-go"}` + "\n" + `{"id":1,"host":"h","gone":true}` + "\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		u := NewUses(filepath.Join(t.TempDir(), "uses.jsonl"))
		if err := os.WriteFile(u.file.path, doc, 0o600); err != nil {
			t.Fatal(err)
		}
		before := readSeen(t, u)
		if lines := bytes.Count(doc, []byte("\n")) + 1; len(before)+u.Damaged+u.Newer > lines {
			t.Errorf("%q: %d lines, %d damaged and %d newer of %d", doc, len(before), u.Damaged, u.Newer, lines)
		}
		appendSeen(t, u, seenAt(9, 0))
		after := readSeen(t, NewUses(u.file.path))
		if n := len(after); n == 0 || after[n-1] != seenAt(9, 0) {
			t.Fatalf("%q: %v", doc, after)
		}
		checkSeen(t, after)
	})
}

// checkSeen checks that lines have only what can be shown, and that they tell something or nothing, but fail nothing.
func checkSeen(t *testing.T, lines []keys.Seen) {
	t.Helper()
	var h keys.History
	for i := range lines {
		for _, text := range []string{lines[i].Name, lines[i].From, lines[i].Host, lines[i].Account} {
			if text != models.Clean(text) || models.FindKey(text) >= 0 {
				t.Errorf("%q is shown as it is", text)
			}
		}
		h.Add(&lines[i])
	}
	for _, usage := range h.Usages() {
		_ = fmt.Sprint(usage.Strip(30, usesAt(0), time.UTC), usage.Sentences(usesAt(0), time.UTC), usage.Watched())
	}
	_ = h.Lines()
}
