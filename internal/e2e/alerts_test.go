//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// A view rings and runs its program for each operation of a hidden project, once, although requests fail. A name of the
// service stays within one argument of the program, which no shell reads, and is no option.
func TestViewsAlert(t *testing.T) {
	t.Parallel()
	const script = `printf '%s\n' "$(printf '<%s>' "$@") keys $(env | grep -c napi_)" >>log`
	home := t.TempDir()
	log, config := filepath.Join(home, "log"), filepath.Join(home, "config.toml")
	view := fmt.Sprintf("[[views]]\nname = \"it's $(touch owned)\"\nfilter = 'project:scratchpad is:failed !old'\nalert = true\n"+
		"run = ['sh', '-c', %s, 'sh', '{view} {count}', '{action}', 'to {project}']\n", strconv.Quote(script))
	if err := os.WriteFile(config, []byte(view), 0o600); err != nil {
		t.Fatal(err)
	}
	b := serve(t, mock.Options{})
	quiet := b.project("scratchpad")
	b.begin(quiet, "old", time.Millisecond)
	p := start(t, termtest.Options{
		Args: []string{"--project", b.project("storefront"), "--config", config, "--interval", "1s", "--read-only"},
		Home: home, Env: b.env(),
	})
	p.Wait("● live")
	p.until("the first poll of the hidden project", func() bool { return b.count("GET /projects/"+quiet+"/operations") > 1 })
	b.inject("503 of list_operations p=0.3")
	for _, action := range []string{"$(touch owned)`touch owned`;touch owned", "two\nlines\x1b[2J", "-rf"} {
		b.begin(quiet, action, time.Millisecond)
	}
	lines := func() []string {
		text, _ := os.ReadFile(log)
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	p.Wait("was not run (-rf of scratchpad failed): the argument")
	p.until("the second run of the program", func() bool { return len(lines()) == 2 })
	for _, action := range []string{"$(touch owned)`touch owned`;touch owned", "two\uFFFDlines\uFFFD[2J"} {
		want := "<it's $(touch owned) 1><" + action + "><to scratchpad> keys 0"
		if text := strings.Join(lines(), "\n"); !strings.Contains(text, want) {
			t.Errorf("%s has no %q", text, want)
		}
	}
	p.until("the bells of the alert and of the refused argument", func() bool { return p.Bells() > 1 })
	if n := p.Bells(); n > 3 { // the operations may be found in two polls
		t.Errorf("%d bells", n)
	}
	if found, _ := filepath.Glob(filepath.Join(home, "owned")); len(found) > 0 {
		t.Error("a shell has read a name")
	}
	p.quit()
}
