package driver

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Operations is the page of operations.
type Operations struct{ User }

// Operations goes to the page of operations.
func (u User) Operations() Operations {
	u.tb.Helper()
	u.Press("1")
	return Operations{u}
}

// Projects is the page of projects.
type Projects struct{ User }

// Projects goes to the page of projects.
func (u User) Projects() Projects {
	u.tb.Helper()
	u.Press("2")
	u.Sees("READ")
	return Projects{u}
}

// Select selects a project by its name.
func (p Projects) Select(name string) Projects {
	p.tb.Helper()
	p.selects(name)
	return p
}

// OpenOperations shows the operations of the selected project.
func (p Projects) OpenOperations() { p.Press("o") }

// Keys is the page of API keys.
type Keys struct{ User }

// Keys goes to the page of API keys, once they are listed.
func (u User) Keys() Keys {
	u.tb.Helper()
	u.Press("3")
	u.Until("the list of keys", listsKeys)
	return Keys{u}
}

func listsKeys(screen string) bool {
	row, _ := positionOf(screen)
	return row > 0 && strings.Contains(screen, "LAST USED")
}

// Select selects a key by its name.
func (k Keys) Select(name string) Keys {
	k.tb.Helper()
	k.selects(name)
	return k
}

// selects moves the selection from the top down to the row that begins with a name.
func (u User) selects(name string) {
	u.tb.Helper()
	u.Press("g")
	for line := 1; ; line++ {
		onLine := func(screen string) bool { row, _ := positionOf(screen); return row == line }
		screen := u.screen(fmt.Sprintf("row %d selected, on the way to %s", line, name), onLine)
		if rest, ok := strings.CutPrefix(selectedRow(screen), name); ok && (rest == "" || rest[0] == ' ') {
			return
		}
		if _, last := positionOf(screen); line >= last {
			u.tb.Fatalf("no row begins with %q", name)
		}
		u.Press("j")
	}
}

// Mark marks the selected key, which selects the next one.
func (k Keys) Mark() Keys {
	k.Press("space")
	return k
}

// MarkAll marks all keys that the filter shows.
func (k Keys) MarkAll() Keys {
	k.Press("A")
	return k
}

// New opens the form for a new key, with a name.
func (k Keys) New(name string) Form {
	k.tb.Helper()
	k.Press("n")
	f := Form{k.Dialog("New API key")}
	k.Type(name)
	return f
}

// Create creates a key, and stops at the dialog with its secret.
func (k Keys) Create(name string) Secret {
	k.tb.Helper()
	k.New(name).Submit()
	k.Sees(name + " · id ")
	return k.Secret()
}

// Rotate opens the form that replaces the selected key.
func (k Keys) Rotate() Form {
	k.tb.Helper()
	k.Press("R")
	return Form{k.Dialog("Rotate ")}
}

// RotateOwn opens the form that replaces the key of the session.
func (u User) RotateOwn() Form {
	u.tb.Helper()
	u.Command("rotate this session")
	return Form{u.Dialog("Rotate this session's key")}
}

// Revoke asks about the selected key, or about those that are marked.
func (k Keys) Revoke() Question {
	k.tb.Helper()
	k.Press("x")
	return k.Question("Revoke")
}

// Dialog is the dialog on the screen.
type Dialog struct {
	User

	title string // its first words
}

// Dialog returns the dialog on the screen, by the words that its title begins with.
func (u User) Dialog(title string) Dialog {
	u.tb.Helper()
	u.Sees(edge + title)
	return Dialog{u, title}
}

// edge begins the first line of a dialog's box.
const edge = "╭─ "

// Reads checks that the dialog says texts.
func (d Dialog) Reads(texts ...string) Dialog {
	d.tb.Helper()
	d.User.Reads(texts...)
	return d
}

// Leave leaves the dialog without an answer. It waits until the dialog is gone: together with Esc, the next key would be read
// as one with Alt.
func (d Dialog) Leave() {
	d.tb.Helper()
	d.Press("esc")
	d.SeesNot(edge + d.title)
}

// Form is a dialog that asks for text.
type Form struct{ Dialog }

// Submit sends the form.
func (f Form) Submit() { f.Press("enter") }

// Question is a dialog that asks before something that cannot be undone.
type Question struct{ Dialog }

// Question returns the question on the screen, by the words that it begins with.
func (u User) Question(begin string) Question {
	u.tb.Helper()
	return Question{u.Dialog(begin + " ")}
}

// wantsName are the words of a question that wants the key's name to be typed.
const wantsName = "Type the key's name to confirm:"

var (
	wantsCount = regexp.MustCompile(`Type (\d+) to confirm:`)
	asksAbout  = regexp.MustCompile(edge + `\w+ (.*)\? ─`)
	confirms   = regexp.MustCompile(`\[ (.+?) \]`) // the button with the focus
	declines   = []string{"Cancel", "Later"}
)

// WantsTheName checks that the name of the key has to be typed.
func (q Question) WantsTheName() Question {
	q.tb.Helper()
	q.Reads(wantsName)
	return q
}

// Answer types the text that the question wants, if any, and goes to its button.
func (q Question) Answer() {
	q.tb.Helper()
	screen := q.screen("a question", func(screen string) bool { return strings.Contains(screen, edge+q.title) })
	if text := wanted(screen); text == "" {
		q.Press("tab")
	} else {
		q.Enter(text)
	}
	q.Until("the button that confirms", canConfirm)
}

// canConfirm reports whether the button that confirms has the focus.
func canConfirm(screen string) bool {
	button := confirms.FindStringSubmatch(screen)
	return button != nil && !slices.Contains(declines, button[1])
}

// Confirm answers yes.
func (q Question) Confirm() {
	q.tb.Helper()
	q.Answer()
	q.Press("enter")
	q.SeesNot(edge + q.title)
}

// wanted returns the text that a question wants to have typed, or "".
func wanted(screen string) string {
	text := unwrapped(screen)
	if count := wantsCount.FindStringSubmatch(text); count != nil {
		return count[1]
	}
	name := asksAbout.FindStringSubmatch(screen)
	if name == nil || !strings.Contains(text, wantsName) {
		return ""
	}
	return name[1]
}

// Secret is the dialog with the secret of a new key, which is shown once.
type Secret struct{ Dialog }

// Secret returns the dialog with a secret that is on the screen.
func (u User) Secret() Secret {
	u.tb.Helper()
	u.Reads("Save the secret now: it cannot be shown again.")
	return Secret{Dialog{u, ""}}
}

// Leave leaves the dialog, once the user or a command has the secret.
func (s Secret) Leave() {
	s.tb.Helper()
	s.Press("esc")
	s.SeesNot("Save the secret now")
}

// Copy copies the secret.
func (s Secret) Copy() { s.Press("c") }

// Reveal shows the secret, or hides it.
func (s Secret) Reveal() { s.Press("r") }

// Keep saves the secret as the profile's key.
func (s Secret) Keep() { s.Press("k") }

// ToFile saves the secret to a file.
func (s Secret) ToFile(file string) {
	s.tb.Helper()
	s.gives("f", "Save the secret to a file", file)
}

// ToCommand pipes the secret to a command.
func (s Secret) ToCommand(line string) {
	s.tb.Helper()
	s.gives("p", "Pipe the secret to a command", line)
}

func (s Secret) gives(key, title, place string) {
	s.tb.Helper()
	s.Press(key)
	s.User.Dialog(title)
	s.Press("ctrl+u")
	s.Enter(place)
}
