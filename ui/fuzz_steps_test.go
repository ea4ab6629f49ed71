package ui_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/internal/play"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
)

// hostileText tries to act on the terminal, and to break the counting of cells: wide and joined characters, marks, and
// more than any column's width.
const hostileText = "e\x1b[2J\x1b]0;owned\x07\u009b31m\u009d0;owned\u009c\u202Eevil\u200B\r\n\tb\x1bPq\x1b\\\u2066\x7f漢字" +
	"👩‍👩‍👧‍👦e\u0301\u0301\u0301\u0301\u0301\u0301🏳️‍🌈ﷺ"

// script is the bytes that determine a fuzzed session.
type script []byte

// next removes a byte, or returns zero at the end.
func (s *script) next() int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b)
}

// pick uses a byte as the choice of a thing.
func pick[T any](s *script, from []T) T { return from[s.next()%len(from)] }

// step is a kind of event in a session.
type step int

const (
	pressAny step = iota
	pressDeclared
	typeText
	pasteText
	resize
	focus
	letPass
	breakService
	mendService
	happen
	signInAgain
	steps
)

// anyKeys are the keys that may be pressed, declared or not.
func anyKeys() []string {
	all := strings.Fields(
		"enter esc tab shift+tab up down left right pgup pgdown home end backspace space delete f1 " +
			"ctrl+a ctrl+b ctrl+d ctrl+e ctrl+f ctrl+j ctrl+k ctrl+n ctrl+p ctrl+u ctrl+w ctrl+z",
	)
	for r := '!'; r <= '~'; r++ {
		all = append(all, string(r))
	}
	return append(all, "é", "漢", "👩‍👩‍👧‍👦", "\u202e", "\u0301")
}

func texts() []string {
	return []string{
		hostileText, "feed.csv", "status:failed !check", "took:>5s age:<10m", "is:(", "pgtower-demo", "9", "2", strings.Repeat("漢", 70),
		"ci-deploy", "default", "staging", "demo", "\xff\xfe", "", "a\nb\nc", "start_comp",
	}
}

func passes() []time.Duration {
	return []time.Duration{time.Millisecond, 50 * time.Millisecond, time.Second, 6 * time.Second, 31 * time.Second, 3 * time.Minute}
}

func faults() []string {
	return []string{
		"500 p=0.5",
		"429 retry-after=20s",
		"503 retry-after=1h of /projects/*/operations",
		"403 body=" + strconv.Quote(`{"message":`+quoted(hostileText)+`,"code":`+quoted(hostileText)+`}`),
		"401 count=1",
		"404 of /projects/*/operations",
		"latency=40s",
		"truncate p=0.5",
		"reset carry-out of DELETE",
		"empty carry-out of POST",
		"body=[] count=2",
		`body="{\"operations\":[{}],\"projects\":[{}]}"`,
		"type=text/html body=" + strconv.Quote("<html>"+hostileText),
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// names puts the hostile text into every text shown of an answer.
func names(_ *http.Request, body []byte) []byte {
	text := quoted(hostileText)
	for _, field := range []string{"name", "action", "branch_id", "endpoint_id", "error", "region_id", "last_used_from_addr", "message"} {
		opening := []byte(`"` + field + `":"`)
		body = bytes.ReplaceAll(body, opening, append(opening, text[1:len(text)-1]...))
	}
	return body
}

// take performs the next step of the script.
func take(p *play.Program, s *script) {
	switch step(s.next() % int(steps)) {
	case pressAny:
		pressFuzzed(p, pick(s, anyKeys()))
	case pressDeclared:
		pressOneDeclared(p, s.next())
	case typeText:
		p.Type(pick(s, texts()))
	case pasteText:
		p.Send(tea.PasteMsg{Content: pick(s, texts())})
	case resize:
		p.Send(tea.WindowSizeMsg{Width: widthOf(s.next()), Height: heightOf(s.next())})
	case focus:
		p.Send(pick(s, []tea.Msg{tea.FocusMsg{}, tea.BlurMsg{}, tea.ResumeMsg{}}))
	case letPass:
		p.Wait(pick(s, passes()))
	case breakService:
		p.Inject(pick(s, faults()))
	case mendService:
		p.Server.Faults.Clear()
		p.Down, p.Spoil, p.KeepErr, p.Board.None = false, nil, nil, nil
	case happen:
		letHappen(p, s.next())
	case signInAgain:
		p.Send(tea.PasteMsg{Content: p.Server.APIKey()})
		pressFuzzed(p, "enter")
	case steps:
	}
}

// pressOneDeclared presses one of the declared keys.
func pressOneDeclared(p *play.Program, n int) {
	var declared []string
	for _, g := range action.Visible(p.Model.Offered()) {
		for _, a := range g.Actions {
			declared = append(declared, a.Keys...)
		}
	}
	if len(declared) > 0 {
		pressFuzzed(p, declared[n%len(declared)])
	}
}

// pressFuzzed presses a key, unless it would end the session too early or name a file outside of the test's folder.
func pressFuzzed(p *play.Program, name string) {
	ends := name == "ctrl+c" || name == "q"
	inDialog := len(p.Model.Dialogs()) > 0
	if inDialog {
		if _, ok := p.Model.Dialogs()[len(p.Model.Dialogs())-1].(*dialog.Viewer); ok {
			inDialog = false // which names no file
		}
	}
	if ends || name == "/" && inDialog {
		return
	}
	switch name {
	case "space":
		p.Send(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
	case "delete":
		p.Send(tea.KeyPressMsg{Code: tea.KeyDelete})
	case "f1":
		p.Send(tea.KeyPressMsg{Code: tea.KeyF1})
	default:
		p.Press(name)
	}
}

// letHappen makes something happen to the service or the computer.
func letHappen(p *play.Program, n int) {
	events := []func(){
		func() { p.Spoil = names },
		func() { p.Down = !p.Down },
		func() { p.Server.RevokeSecret(p.Server.APIKey()) },
		func() { p.KeepErr = fmt.Errorf("%s", models.Clean(hostileText)) },
		func() { p.NotReady = fmt.Errorf("the keyring is locked") },
		func() { p.Board.None = fmt.Errorf("no clipboard") },
		func() {
			p.Begin(mock.Task{Action: "e\x1b[2J\u202e漢\n", Wait: time.Second, Run: time.Minute})
		},
		func() {
			for range 150 {
				p.Begin(mock.Task{Action: "create_branch", Wait: time.Millisecond, Run: time.Second, Fail: true})
			}
		},
		func() { _, _ = p.Server.RevokeKey("", 165074) },
	}
	events[n%len(events)]()
}

// widthOf and heightOf return sizes up to 500×200, mostly where the layout changes.
func widthOf(n int) int {
	edges := []int{0, 1, 2, 59, 60, 61, 79, 80, 99, 100, 101, 120, 140, 200, 500}
	if n < 128 {
		return edges[n%len(edges)]
	}
	return (n - 128) * 4
}

func heightOf(n int) int {
	edges := []int{0, 1, 2, 14, 15, 16, 17, 20, 24, 36, 60, 200}
	return edges[n%len(edges)]
}

// keyIndex returns the index of a key in anyKeys.
func keyIndex(name string) byte {
	i := slices.Index(anyKeys(), name)
	if i < 0 {
		panic("no such key: " + name)
	}
	return byte(i)
}
