//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// A view alerts for each operation of a hidden project, once, although requests fail and a page does not hold all. A
// name of the service stays within one argument of its program, which no shell reads, and is no option.
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
	b.begin(quiet, "old", time.Millisecond, true)
	p := start(t, termtest.Options{
		Args: []string{"--project", b.project("storefront"), "--config", config, "--interval", "1s", "--page-size", "10", "--read-only"},
		Home: home, Env: b.env(),
	})
	p.Wait("● live")
	p.until("the project that alerts is read", func() bool { return b.count("GET /projects/"+quiet+"/operations") > 1 })
	b.inject("503 of list_operations p=0.3")
	hostile := []string{"$(touch owned)`touch owned`;touch owned", "a 'b' \"c\" \\", "two\nlines\x1b[2J", "{id} *", "-rf"}
	shown := slices.Clone(hostile)
	shown[2] = "two\uFFFDlines\uFFFD[2J"
	for _, action := range hostile {
		b.begin(quiet, action, time.Millisecond, true)
	}
	lines := func() []string {
		text, _ := os.ReadFile(log)
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	p.Wait("was not run: the argument \"-rf\" would begin with a dash")
	p.until("the program ran four times", func() bool { return len(lines()) == 4 })
	for _, action := range shown[:4] {
		want := "<it's $(touch owned) 1><" + action + "><to scratchpad> keys 0"
		if !slices.Contains(lines(), want) {
			t.Errorf("%q has no %q", lines(), want)
		}
	}
	if n := p.Bells(); n < 2 || n > 3 { // one is for the refused argument, and the others may be found in two polls
		t.Errorf("%d bells", n)
	}
	// More than a page arrived while nothing could be read: they are one alert.
	b.inject("503 of list_operations")
	for i := range 25 {
		b.begin(quiet, fmt.Sprint("burst", i), time.Millisecond, true)
	}
	b.Faults.Clear()
	p.until("the program ran for all", func() bool { return sum(lines()) == 4+25 })
	if n := p.Bells(); n < 3 || n > 5 || len(lines()) > 4+2*11 {
		t.Errorf("%d bells, %q", n, lines())
	}
	p.Press(":")
	p.enter("mute 1h")
	p.Wait("muted 1h", "read-only")
	b.begin(quiet, "unheard", time.Millisecond, true)
	p.Press(":")
	p.Send("alerts")
	p.Press("enter")
	p.Wait("it's $(touch owned): ✗ Burst", " of ")
	p.Press("esc")
	p.until("it is listed", func() bool {
		p.Press(":")
		p.enter("alerts")
		p.Wait("Alerts")
		p.Send("unheard")
		p.Settle(settled)
		found := strings.Contains(p.Screen().String(), "it's $(touch owned): ✗ Unheard")
		if !found {
			p.Press("esc")
		}
		return found
	})
	p.Press("enter")
	p.Wait("▌ ✗ failed", "Unheard")
	if n := sum(lines()); n != 4+25 {
		t.Errorf("the program ran for %d operations: %q", n, lines())
	}
	if found, _ := filepath.Glob(filepath.Join(home, "owned")); len(found) > 0 {
		t.Error("a shell has read a name")
	}
	p.quit()
}

// sum returns the total of the operations that the programs ran for.
func sum(lines []string) (n int) {
	for _, line := range lines {
		_, rest, _ := strings.Cut(line, "owned) ")
		count, _, _ := strings.Cut(rest, ">")
		one, _ := strconv.Atoi(count)
		n += one
	}
	return n
}
