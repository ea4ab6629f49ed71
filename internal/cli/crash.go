package cli

import (
	"fmt"
	"path/filepath"

	"golang.org/x/term"

	"pgtower/internal/crash"
	"pgtower/ui/page"
)

// maxSaid is how much of what a panic says is repeated on the terminal, in bytes.
const maxSaid = 160

// crashed writes a report of a panic and returns the error that says so.
func (p Process) crashed(caught *page.Panic, redact func(string) string) error {
	b := thisBuild()
	size := "unknown"
	if columns, lines, err := term.GetSize(int(p.Stdout.Fd())); err == nil {
		size = fmt.Sprintf("%d×%d", columns, lines)
	}
	r := &crash.Report{
		Panic: caught, At: p.Clock(), Redact: redact,
		Facts: []crash.Fact{
			{Name: "version", Value: b.Version},
			{Name: "commit", Value: b.Commit},
			{Name: "go", Value: b.Go},
			{Name: "platform", Value: b.Platform},
			{Name: "terminal", Value: size},
			{Name: "TERM", Value: p.Getenv("TERM")},
		},
	}
	folder := ""
	if cache, err := p.CacheDir(); err == nil {
		folder = filepath.Join(cache, "pgtower")
	}
	path, err := r.Write(folder)
	if err != nil {
		return fmt.Errorf("it crashed: %s. No report could be written: %w", r.What(maxSaid), err)
	}
	return fmt.Errorf("it crashed: %s. The report, which has no keys in it, is %s: please send it to the "+
		"maintainers with what you did last. Nothing of the account was changed by this", r.What(maxSaid), path)
}
