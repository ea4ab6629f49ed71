package ui_test

import (
	"slices"
	"strings"

	"pgtower/internal/play"

	tea "charm.land/bubbletea/v2"
)

// resizeTo draws the screen in another size and checks it.
func resizeTo(p *play.Program, w, h int) {
	p.T.Helper()
	p.Send(tea.WindowSizeMsg{Width: w, Height: h})
	p.CheckView()
}

// presses returns the script of keys.
func presses(names string) []byte {
	var out []byte
	for name := range strings.FieldsSeq(names) {
		out = append(out, byte(pressAny), keyIndex(name))
	}
	return out
}

// types returns the script of typing one of the texts.
func types(text string) []byte { return []byte{byte(typeText), textIndex(text)} }

func textIndex(text string) byte {
	i := slices.Index(texts(), text)
	if i < 0 {
		panic("no such text: " + text)
	}
	return byte(i)
}

// after returns the script of time passing, by its index in [passes].
func after(n byte) []byte { return []byte{byte(letPass), n} }

// does returns the script of one step with its argument.
func does(what step, argument byte) []byte { return []byte{byte(what), argument} }

// place is a page or dialog: how to reach it, and how to recognize it.
type place struct {
	script []byte
	sees   string
}

// places returns all pages and dialogs.
func places() map[string]place {
	secret := slices.Concat(presses("3 n"), types("start_comp"), presses("enter"))
	hostile := does(happen, 0)
	return map[string]place{
		"operations":         {nil, "all projects"},
		"operation":          {presses("down enter"), "endpoint"},
		"statistics":         {presses("v"), "15M  FAILED"},
		"one project":        {presses("O down enter"), "● live"},
		"choose a project":   {presses("O"), "Choose a project"},
		"filter":             {slices.Concat(presses("/"), types("status:failed !check")), "!check"},
		"wrong filter":       {slices.Concat(presses("/"), types("is:(")), "is:("},
		"json":               {presses("enter enter"), `"operation": {`},
		"copy":               {presses("y"), "of the whole operation"},
		"export":             {presses("e"), "Saves the"},
		"projects":           {presses("2"), "REGION"},
		"project":            {presses("2 d"), "provisioner"},
		"keys":               {presses("3"), "LAST USED"},
		"key":                {presses("3 enter"), "last_used_at"},
		"create":             {presses("3 n"), "Name:"},
		"secret":             {secret, "Save the secret now"},
		"secret revealed":    {slices.Concat(secret, presses("r")), "pgt_"},
		"secret in danger":   {slices.Concat(secret, presses("esc")), "copied, revealed or saved"},
		"revoke":             {presses("3 x"), "Revoke first-try?"},
		"revoke one in use":  {presses("3 j j j x"), "Revoke ci-deploy?"},
		"revoke many":        {presses("3 A x"), "keys?"},
		"many revoked":       {slices.Concat(presses("3 space j space x"), types("2"), presses("enter enter")), "2 of 2 keys revoked"},
		"rotate":             {presses("3 G R"), "Rotate this session's key"},
		"rotated":            {presses("3 G R enter"), "Revoke pgtower-demo?"},
		"help":               {presses("?"), "Operations: keys"},
		"key that is found":  {slices.Concat(presses("3 ? /"), types("9")), "No matches for 9."},
		"profiles":           {presses("P"), "Switch profile"},
		"sign in":            {slices.Concat(does(happen, 2), after(3)), "Sign in"},
		"hostile operations": {slices.Concat(hostile, after(3), presses("enter enter")), "\uFFFD"},
		"hostile project":    {slices.Concat(hostile, presses("2 r d")), "\uFFFD"},
		"hostile keys":       {slices.Concat(hostile, presses("3 r enter")), "\uFFFD"},
		"hostile revocation": {slices.Concat(hostile, presses("3 r A x")), "\uFFFD"},
		"hostile error":      {slices.Concat(does(breakService, 3), after(3)), "status 403"},
		"out of reach":       {slices.Concat(does(happen, 1), after(4)), "offline"},
	}
}

// seeds are the initial scripts: how to reach each place, and events there.
func seeds() [][]byte {
	trouble := slices.Concat(
		does(breakService, 0), after(3), does(breakService, 1), after(2), does(mendService, 0), after(4), does(happen, 7), after(3), presses("G m g"),
	)
	shrink := []byte{byte(resize), 3, 3, byte(resize), 4, 4, byte(resize), 14, 11, byte(resize), 11, 9}
	leave := slices.Concat(does(happen, 2), after(3), does(signInAgain, 0), presses("P"), types("staging"), presses("enter"), after(2))
	// A secret is shown on a narrow terminal.
	narrow := []byte("\x00.\x00i\v\xba\x00\x00\x00\x00m\x00\t\x02\x06\x03\x04m\x03\x00\x00m\x00\t\x02\x06\x03\x04\x03\x03\x04\x04\x04\x04\x0e\v\x04\x02\t")
	out := [][]byte{trouble, leave, narrow, slices.Concat(does(happen, 6), does(pasteText, 0), after(3))}
	for _, at := range places() {
		s := at.script
		out = append(out, slices.Concat(s, does(pasteText, 0), does(happen, 2), after(3), shrink))
		if thorough() {
			out = append(out, s, slices.Concat(s, shrink, presses("tab enter esc")))
		}
	}
	return out
}
