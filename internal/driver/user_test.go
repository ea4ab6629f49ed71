package driver

import (
	"fmt"
	"strings"
	"testing"
)

// drawing is a terminal whose screen depends on the keys so far: that of the longest known beginning.
type drawing struct {
	screens map[string]string
	keys    string
	failed  string
}

func (d *drawing) Press(names ...string) {
	for _, name := range names {
		d.keys += "<" + name + ">"
	}
}

func (d *drawing) Type(text string)  { d.keys += text }
func (d *drawing) Paste(text string) { d.keys += text }

func (d *drawing) Until(what string, wanted func(screen string) bool) {
	screen, longest := "", -1
	for keys, s := range d.screens {
		if strings.HasPrefix(d.keys, keys) && len(keys) > longest {
			screen, longest = s, len(keys)
		}
	}
	if !wanted(screen) {
		d.Fatalf("not %s", what)
	}
}

// Helper implements [TB].
func (*drawing) Helper() {}

// Errorf implements [TB].
func (d *drawing) Errorf(format string, args ...any) { d.failed = fmt.Sprintf(format, args...) }

// Fatalf implements [TB].
func (d *drawing) Fatalf(format string, args ...any) {
	d.Errorf(format, args...)
	panic(d)
}

// Each action of a user presses its keys, and fails the test if the screen does not change as expected.
func TestUser(t *testing.T) {
	t.Parallel()
	const (
		list  = " NAME  LAST USED\n ▌ ci-deploy  7h\n   ci  2d\n 1 / 2"
		below = " NAME  LAST USED\n   ci-deploy  7h\n●▌ ci  2d\n 2 / 2"
		asked = "╭─ Revoke ci? ────╮\n│ It stops working. │\n│ [ Cancel ] Revoke │\n╰"
		typed = "╭─ Revoke my ci? ─╮\n│ Type the key's  │\n│ name to confirm: │\n╰"
		many  = "╭─ Revoke 12 keys? ─╮\n│ Type 12 to confirm: │\n╰"
		ready = "╭─ Revoke ci? ────╮\n│ Cancel [ Revoke ] │\n╰"
		over  = "✓ revoked"
	)
	revoke := func(u User) { u.Keys().Revoke().Confirm() }
	for name, c := range map[string]struct {
		screens map[string]string
		do      func(u User)
		keys    string
		fails   string
	}{
		"a row is selected by its whole name": {
			map[string]string{"": list, "<3><g><j>": below}, func(u User) { u.Keys().Select("ci") }, "<3><g><j>", "",
		},
		"a row that is not there": {
			map[string]string{"": list, "<3><g><j>": below}, func(u User) { u.Keys().Select("c") }, "<3><g><j>", `no row begins with "c"`,
		},
		"a question by its button": {
			map[string]string{"": list, "<3><x>": asked, "<3><x><tab>": ready, "<3><x><tab><enter>": over}, revoke, "<3><x><tab><enter>", "",
		},
		"a name is typed": {
			map[string]string{"": list, "<3><x>": typed, "<3><x>my ci<enter>": ready, "<3><x>my ci<enter><enter>": over},
			revoke, "<3><x>my ci<enter><enter>", "",
		},
		"a number is typed": {
			map[string]string{"": list, "<3><x>": many, "<3><x>12<enter>": ready, "<3><x>12<enter><enter>": over},
			revoke, "<3><x>12<enter><enter>", "",
		},
		"a button that cannot be reached": {map[string]string{"": list, "<3><x>": asked}, revoke, "<3><x><tab>", "not the button that confirms"},
		"a question that stays": {
			map[string]string{"": list, "<3><x>": asked, "<3><x><tab>": ready}, revoke, "<3><x><tab><enter>", `not a screen without ["╭─ Revoke "]`,
		},
		"no question":              {map[string]string{"": list}, revoke, "<3><x>", `not a screen with ["╭─ Revoke "]`},
		"a wrapped text is read":   {map[string]string{"": typed}, func(u User) { u.Reads("Type the key's name to confirm:") }, "", ""},
		"and not seen on one line": {map[string]string{"": typed}, func(u User) { u.Sees("Type the key's name") }, "", `not a screen with ["Type the key's name"]`},
	} {
		d := &drawing{screens: c.screens}
		func() {
			defer func() { _ = recover() }()
			c.do(NewUser(d, d))
		}()
		if d.keys != c.keys || d.failed != c.fails {
			t.Errorf("%s: pressed %s, failed with %q", name, d.keys, d.failed)
		}
	}
}
