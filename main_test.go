//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"pgtower": main}) }

// A change of a key is decided by a clock with the monotonic reading, which nobody sets. All else is by the time of day, which
// goes on while the computer sleeps.
func TestClocksOfTheProcess(t *testing.T) {
	t.Parallel()
	const monotonic = " m="
	p := process()
	if clock := p.Clock().String(); strings.Contains(clock, monotonic) {
		t.Errorf("the clock has a monotonic reading: %s", clock)
	}
	if steady := p.Steady().String(); !strings.Contains(steady, monotonic) {
		t.Errorf("the steady clock has none: %s", steady)
	}
}

// TestScripts runs the sessions of testdata/script. Each has its own home, which is also the current folder, and no
// keyring. Those of Cmds are added to the commands of testscript. PGTOWER_UPDATE=1 accepts what is compared.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: os.Getenv("PGTOWER_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"HOME", "XDG_RUNTIME_DIR"} {
				env.Setenv(name, env.WorkDir)
			}
			env.Setenv("LANG", "C.UTF-8")
			env.Values[mocks{}] = &mocks{}
			// A race ends the program, so that the test sees it, and a normal exit has no delay.
			env.Setenv("GORACE", "halt_on_error=1 atexit_sleep_ms=0")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "let": let, "mock": startMock, "stopmock": stopMock, "api": callAPI, "control": control,
		},
	})
}

// exits runs a command and checks its exit code: exits 2 pgtower wait.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// let sets a variable to what the last output has in the parentheses of a pattern: let id '"id":"(.+?)"'.
func let(ts *testscript.TestScript, _ bool, args []string) {
	found := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if found == nil {
		ts.Fatalf("there is no %s", args[1])
	}
	ts.Setenv(args[0], found[1])
}

// mocks has the last mock of a session.
type mocks struct{ last *exec.Cmd }

// startMock runs pgtower mock with flags beside the session, whose key and base URL it sets.
func startMock(ts *testscript.TestScript, _ bool, flags []string) {
	args := append([]string{"mock", "--listen", "127.0.0.1:0"}, flags...)
	server := exec.CommandContext(context.Background(), "pgtower", args...)
	server.Dir, server.Env = ts.Getenv("WORK"), []string{"PGTOWER_MOCK_API_KEY=" + ts.Getenv("PGTOWER_MOCK_API_KEY")}
	out, err := server.StdoutPipe()
	ts.Check(err)
	server.Stderr, err = os.Create(ts.MkAbs("mock.stderr"))
	ts.Check(err)
	ts.Check(server.Start())
	ts.Value(mocks{}).(*mocks).last = server
	ts.Defer(func() {
		_ = server.Process.Kill() // it may have ended
		_ = server.Wait()
	})
	lines := bufio.NewScanner(out)
	for _, name := range []string{"PGTOWER_BASE_URL", "PGTOWER_API_KEY"} {
		lines.Scan()
		words := strings.Fields(lines.Text())
		ts.Setenv(name, words[len(words)-1])
	}
}

// stopMock interrupts the mock, which ends in order.
func stopMock(ts *testscript.TestScript, _ bool, _ []string) {
	server := ts.Value(mocks{}).(*mocks).last
	ts.Check(server.Process.Signal(os.Interrupt))
	ts.Check(server.Wait())
}

// callAPI makes a request to the service: api GET /projects.
func callAPI(ts *testscript.TestScript, _ bool, args []string) { call(ts, "", args) }

// control makes a request to the control surface of the mock: control POST /faults '503 of list_projects'.
func control(ts *testscript.TestScript, _ bool, args []string) { call(ts, "/_mock", args) }

// call makes a request, and prints the status and the body of the answer.
func call(ts *testscript.TestScript, root string, args []string) {
	base := ts.Getenv("PGTOWER_BASE_URL")
	if root != "" {
		base = strings.TrimSuffix(base, "/api/v2") + root
	}
	body := strings.NewReader(strings.Join(args[2:], " "))
	r, err := http.NewRequestWithContext(context.Background(), args[0], base+args[1], body)
	ts.Check(err)
	r.Header.Set("Authorization", "Bearer "+ts.Getenv("PGTOWER_API_KEY"))
	if len(args) > 2 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	text, err := io.ReadAll(answer.Body)
	ts.Check(errors.Join(err, answer.Body.Close()))
	_, err = fmt.Fprintf(ts.Stdout(), "%s %v\n%s\n", answer.Status, answer.Header, text)
	ts.Check(err)
}
