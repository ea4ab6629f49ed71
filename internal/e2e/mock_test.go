//go:build unix

package e2e

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"pgtower/client/mock/contract"
	"pgtower/internal/termtest"
)

// startMock runs pgtower mock and reads its first output. stop interrupts it and waits for its exit code.
func startMock(t *testing.T, args, env []string) (a api, stop func() int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), termtest.Binary(t), append([]string{"mock", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Env = append([]string{"HOME=" + t.TempDir(), goRace}, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	read := func(label string) string {
		line, err := lines.ReadString('\n')
		rest, ok := strings.CutPrefix(line, label)
		if err != nil || !ok {
			t.Fatalf("%q (%v) does not begin with %q", line, err, label)
		}
		return strings.TrimSpace(rest)
	}
	a = api{t: t, base: read("base URL "), key: read("API key ")}
	return a, func() int {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if rest, _ := io.ReadAll(lines); len(rest) > 0 {
			t.Errorf("it also printed %q", rest)
		}
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode()
	}
}

func TestMockKeepsTheContract(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"plain": nil, "live": {"--live"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, stop := startMock(t, args, nil)
			contract.Run(t, contract.Target{BaseURL: a.base, APIKey: a.key, Exact: args == nil})
			if code := stop(); code != 0 {
				t.Errorf("exit code %d after SIGINT", code)
			}
		})
	}
}

func TestMockTakesItsKeyFromTheEnvironment(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, nil, []string{"PGTOWER_MOCK_API_KEY=of-the-environment"})
	if a.key != "of-the-environment" || !a.accepts(a.key) {
		t.Errorf("the key is %q", a.key)
	}
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

func TestDashboardOnAMockOfItsOwnProcess(t *testing.T) {
	t.Parallel()
	a, stop := startMock(t, nil, nil)
	p := start(t, termtest.Options{
		Args: []string{"--interval", "1s"}, Env: []string{"PGTOWER_BASE_URL=" + a.base, "PGTOWER_API_KEY=" + a.key},
	})
	p.choose("storefront")
	p.Wait("● live, every 1s", "STATUS", "key from PGTOWER_API_KEY", strings.TrimPrefix(strings.TrimSuffix(a.base, "/api/v2"), "http://"))
	if code := stop(); code != 0 {
		t.Errorf("exit code %d after SIGINT with an open connection", code)
	}
	p.Wait("◌ no answer for ", "STATUS")
	p.quit()
	p.neverShowed(a.key)
}
