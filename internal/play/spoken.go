package play

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui"
	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Speaking runs f with a program in accessible mode.
func Speaking(t *testing.T, prepare func(*Backend, *ui.Options), f func(p *Program)) {
	t.Helper()
	Run(t, 200, 36, func(b *Backend, o *ui.Options) { prepareSpeech(b, o, prepare) }, f)
}

func prepareSpeech(b *Backend, o *ui.Options, prepare func(*Backend, *ui.Options)) {
	o.Accessible = true
	if prepare != nil {
		prepare(b, o)
	}
}

// prints records the lines of Bubble Tea's print messages, and reports whether msg is one.
func (p *Program) prints(msg tea.Msg) bool {
	switch fmt.Sprintf("%T", msg) {
	case "tea.printLineMessage":
		p.printed = append(p.printed, strings.Split(reflect.ValueOf(msg).Field(0).String(), "\n")...)
	case "tea.sequenceMsg":
		value := reflect.ValueOf(msg)
		for i := range value.Len() {
			cmd, ok := reflect.TypeAssert[tea.Cmd](value.Index(i))
			if !ok || !p.prints(cmd()) {
				p.T.Fatal("a sequence that is not printed")
			}
		}
	default:
		return false
	}
	return true
}

// Heard returns the lines printed since its last call, with wrapped lines joined.
func (p *Program) Heard() string {
	p.T.Helper()
	time.Sleep(announce.SpeakAfterTyping)
	p.Settle()
	lines := p.printed
	p.printed = nil
	for _, line := range append(lines, p.Prompt()) {
		if bad := unreadable(line); bad != "" {
			p.T.Errorf("%q is in %q", bad, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Prompt returns the last line of the screen.
func (p *Program) Prompt() string { return p.Model.View().Content }

// Hears checks that these lines were printed in this order, ignoring others.
func (p *Program) Hears(lines ...string) {
	p.T.Helper()
	list := p.Heard()
	rest := list
	for _, line := range lines {
		_, tail, ok := strings.Cut(rest, line)
		if !ok {
			p.T.Fatalf("%q was not said, or not in this order:\n%s", line, list)
		}
		rest = tail
	}
}

// unreadable returns the first character of a text that screen readers stumble over.
func unreadable(s string) string {
	for _, r := range s {
		if !announce.Readable(r) && r != '\n' {
			return string(r)
		}
	}
	return ""
}

// Transcript has the inputs of a user and the words of the accessible mode, as a text.
type Transcript struct {
	program *Program
	text    strings.Builder
}

// Transcribe begins a transcript with the words so far.
func (p *Program) Transcribe() *Transcript {
	t := &Transcript{program: p}
	t.hear("the program starts")
	return t
}

// Press presses keys, one after the other, and notes the words after each.
func (t *Transcript) Press(keys ...string) {
	for _, key := range keys {
		t.program.Press(key)
		t.program.Wait(time.Second)
		t.hear(key)
	}
}

// Type types a text, and notes the words after its end.
func (t *Transcript) Type(text string) {
	t.program.Type(text)
	t.hear(text)
}

func (t *Transcript) hear(why string) {
	t.program.T.Helper()
	fmt.Fprintf(&t.text, "[%s]\n", why)
	for line := range strings.Lines(t.program.Heard()) {
		t.text.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
	}
	prompt := strings.TrimRight(t.program.Prompt(), " ")
	t.text.WriteString("> " + prompt + "\n\n")
}

// actions matches how many commands there are.
var actions = regexp.MustCompile(`(\d+) actions match`)

// Golden compares the transcript with a file in testdata. It leaves out the keys of the pages and the number of commands, so
// that a recording does not change with every new page.
func (t *Transcript) Golden(name string) {
	t.program.T.Helper()
	text := t.text.String()
	for id := range page.Count {
		text = strings.Replace(text, fmt.Sprintf("  %d: go to %s\n", id+1, id.Title()), "", 1)
	}
	for _, found := range actions.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, found[0], "{commands} actions match")
		text = strings.ReplaceAll(text, " of "+found[1]+"\n", " of {commands}\n")
	}
	Golden(t.program.T, name+".txt", text)
}
