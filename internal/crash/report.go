package crash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/ui/page"
)

const (
	// maxValue and maxStack bound what a panic may bring into a report, in bytes.
	maxValue = 2_000
	maxStack = 64 << 10
	// maxFact bounds each of the other lines.
	maxFact = 200
)

// Fact is a line of a report, such as the version.
type Fact struct{ Name, Value string }

// Report is what is written down of a panic.
type Report struct {
	Panic *page.Panic
	At    time.Time
	// Facts are what else there is to know of the program and its terminal.
	Facts []Fact
	// Redact takes the known secrets out of a text.
	Redact func(string) string
}

// What is the panic in one line, of at most so many bytes.
func (r *Report) What(most int) string {
	return cut(models.Clean(r.without(fmt.Sprint(r.Panic.Value))), most)
}

// without is a text without what is a secret, and without what might be an unknown one, such as a key that was being
// typed: long words with digits in them.
func (r *Report) without(text string) string {
	long := regexp.MustCompile(`[A-Za-z0-9_+=-]{16,}`)
	return long.ReplaceAllStringFunc(r.Redact(text), func(word string) string {
		if strings.ContainsAny(word, "0123456789") {
			return "•••"
		}
		return word
	})
}

// String is the report.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString("pgtower crashed. This is what is known of it; there are no keys in it, " +
		"and nothing of the environment but TERM.\n\n")
	line := func(name, value string) { fmt.Fprintf(&b, "%-9s %s\n", name, value) }
	line("time", r.At.UTC().Format(time.RFC3339))
	for _, f := range r.Facts {
		line(f.Name, cut(models.Clean(r.without(f.Value)), maxFact))
	}
	line("panic", fmt.Sprintf("%T", r.Panic.Value))
	line("", r.What(maxValue))
	b.WriteString("\n")
	for frame := range strings.Lines(cut(r.Redact(string(r.Panic.Stack)), maxStack)) {
		// The tabs are the stack's own.
		rest := strings.TrimLeft(frame, "\t")
		b.WriteString(frame[:len(frame)-len(rest)] + models.Clean(strings.TrimRight(rest, "\n")) + "\n")
	}
	return b.String()
}

// cut is a text of at most so many bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// Write writes the report to a new file that only its owner may read: in the folder, or
// in that for temporary files where the folder is empty or cannot be written to.
func (r *Report) Write(folder string) (path string, err error) {
	if folder != "" {
		if err = os.MkdirAll(folder, 0o700); err == nil {
			path, err = r.writeTo(folder)
		}
		if err == nil {
			return path, nil
		}
	}
	return r.writeTo(os.TempDir())
}

func (r *Report) writeTo(folder string) (path string, err error) {
	name := "pgtower-crash-" + r.At.UTC().Format("20060102T150405Z") + "-*.txt"
	f, err := os.CreateTemp(folder, name)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(r.String())
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name()) // half a report helps nobody, and a full disk least
		return "", fmt.Errorf("write %s: %w", filepath.Base(f.Name()), err)
	}
	return f.Name(), nil
}
