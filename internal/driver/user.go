package driver

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// TB is what the driver needs of a test.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Terminal is the whole program as a user sees it: in fake time, or in a real terminal.
type Terminal interface {
	// Press presses keys, with Bubble Tea's names.
	Press(keys ...string)
	// Type types a text, and Paste pastes it.
	Type(text string)
	Paste(text string)
	// Until fails the test unless the screen is as wanted. In a real terminal, it waits for that.
	Until(what string, expected func(screen string) bool)
}

// User uses the program in nouns: pages, rows, dialogs. Only this package knows the keys that open and answer dialogs, and
// the words of their questions.
type User struct {
	Terminal

	tb TB
}

// NewUser returns a user of a program.
func NewUser(tb TB, t Terminal) User {
	tb.Helper()
	return User{t, tb}
}

// Sees checks that texts are on the screen.
func (u User) Sees(texts ...string) {
	u.tb.Helper()
	u.Until(fmt.Sprintf("a screen with %q", texts), func(screen string) bool { return hasAll(screen, texts) })
}

// SeesNot checks that texts are not on the screen.
func (u User) SeesNot(texts ...string) {
	u.tb.Helper()
	u.Until(fmt.Sprintf("a screen without %q", texts), func(screen string) bool { return hasNone(screen, texts) })
}

// Reads is [User.Sees] for texts that may be wrapped in a dialog.
func (u User) Reads(texts ...string) {
	u.tb.Helper()
	u.Until(fmt.Sprintf("a screen that says %q", texts), func(screen string) bool { return hasAll(unwrapped(screen), texts) })
}

// screen is [User.Until], and returns the screen.
func (u User) screen(what string, expected func(screen string) bool) (seen string) {
	u.tb.Helper()
	u.Until(what, func(screen string) bool { seen = screen; return expected(screen) })
	return seen
}

func hasAll(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

func hasNone(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// unwrapped returns a screen as one line: wrapped lines are joined, within a dialog's box if there is one.
func unwrapped(screen string) string {
	var b strings.Builder
	for line := range strings.Lines(screen) {
		if parts := strings.Split(line, "│"); len(parts) > 1 {
			line = parts[1]
		}
		b.WriteString(line + " ")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// selectedRow returns the line of the selected row, without its mark.
func selectedRow(screen string) string {
	for line := range strings.Lines(screen) {
		if head, row, ok := strings.Cut(line, "▌ "); ok && len(head) <= len("●") {
			return strings.TrimRight(row, "\n")
		}
	}
	return ""
}

var counted = regexp.MustCompile(`(?m) ([\d,]+) / ([\d,]+)(?: of [\d,]+)?[ ─]*$`)

// positionOf returns the number of the selected row and of all rows, as the page shows them, or zeros.
func positionOf(screen string) (row, rows int) {
	found := counted.FindStringSubmatch(screen)
	if found == nil {
		return 0, 0
	}
	return parseCount(found[1]), parseCount(found[2])
}

// parseCount parses a number that may have commas.
func parseCount(text string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	return n
}

// Command types a command into the palette, and runs it.
func (u User) Command(typed string) {
	u.tb.Helper()
	u.Press(":")
	u.Enter(typed)
}

// Enter types a text into the input with the focus, and sends it.
func (u User) Enter(text string) {
	u.Type(text)
	u.Press("enter")
}

// SwitchProfile switches to the profile whose name begins with a text.
func (u User) SwitchProfile(name string) {
	u.tb.Helper()
	u.Profiles()
	u.Enter(name)
}

// Profiles opens the list of profiles.
func (u User) Profiles() Dialog {
	u.tb.Helper()
	u.Press("P")
	return u.Dialog("Switch profile")
}

// Failures opens the list of failed requests.
func (u User) Failures() { u.Press("!") }

// SignInWith pastes a key into the form that asks for one.
func (u User) SignInWith(key string) {
	u.tb.Helper()
	u.Sees("Sign in", "API key:")
	u.Paste(key)
	u.Sees("API key: •••")
	u.Press("enter")
}

// ChooseProject shows the operations of a project.
func (u User) ChooseProject(name string) {
	u.tb.Helper()
	u.Press("O")
	u.Sees("Choose a project")
	u.Enter(name)
	u.SeesNot("Choose a project")
	u.Sees(" " + name + " ")
}

// Export saves the rows to a file.
func (u User) Export(file string) {
	u.tb.Helper()
	u.Press("e", "ctrl+u")
	u.Paste(file)
	u.Press("enter")
}

// Filter replaces the filter of the page.
func (u User) Filter(text string) {
	u.tb.Helper()
	u.Press("/", "ctrl+u")
	u.Enter(text)
}
