//go:build unix

package docs_test

import (
	"bufio"
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// notHere has the examples that cannot run in a test, with the reason. Only their commands and flags are checked.
var notHere = map[string]string{
	"pgtower":                 "needs a terminal",
	"pgtower --demo":          "needs a terminal",
	"pgtower --accessible":    "needs a terminal",
	"pgtower --reduce-motion": "needs a terminal",
	"pass show console/api-key | pgtower login":    "needs a keyring",
	"./create-branch | pgtower wait":               "create-branch is an example",
	"pgtower wait --project winter-river-207621 -": "that project is an example",
	"pgtower apikeys watch --json":                 "prints what changes, which may take a day",
}

var (
	example = regexp.MustCompile(`^(?:\$ .*\bpgtower\b|\$ export |pgtower |go run \. |\S+ \| pgtower )`)
	comment = regexp.MustCompile(`\s+# .*$`)
	endless = regexp.MustCompile(`^pgtower (mock|metrics|operations --follow)\b`)
	// anyPort are the commands that listen, with the port that an example may name.
	anyPort = regexp.MustCompile(`^(pgtower (?:mock|metrics))(?: --listen \S+)?`)
	// findings are the commands that exit with 1 after a finding, or without the proof for a revocation. The examples run one
	// after the other on the same keys, so that either may happen.
	findings = regexp.MustCompile(`^pgtower apikeys (audit\b|revoke .*--(if-can-go|replaced-by)\b)`)
	misused  = regexp.MustCompile(`(?m)^pgtower: .*\nSee pgtower .*--help`) // also before a pipe
	synopsis = regexp.MustCompile(`[()|\[\]]`)                              // what marks choices in a synopsis
)

// examples returns the commands in the blocks of a page that are not run as a whole.
func examples(text string) []string {
	var out []string
	inFence, skip := false, false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		mark, isMark := strings.CutPrefix(strings.TrimSpace(lines[i]), "```")
		if isMark {
			inFence = !inFence
			skip = inFence && mark != "" && mark != "sh" && mark != "yaml"
			continue
		}
		line, indented := strings.TrimSpace(lines[i]), strings.HasPrefix(lines[i], "    ")
		if skip || !inFence && !indented || !example.MatchString(line) {
			continue
		}
		line = comment.ReplaceAllString(strings.TrimPrefix(line, "$ "), "")
		for strings.HasSuffix(line, "|") && i+1 < len(lines) {
			i++
			line += " " + strings.TrimSpace(lines[i])
		}
		out = append(out, strings.Replace(line, "go run .", "pgtower", 1))
	}
	return out
}

// checkExamples runs the examples of the pages, and checks the commands in their text.
func checkExamples(t *testing.T, run func(script string) *exec.Cmd) {
	t.Helper()
	used := map[string]bool{}
	for page, text := range pages(t) {
		for _, script := range examples(text) {
			known := listed(script)
			used[known] = true
			out, err := tryExample(script, known != "", run)
			if err != nil || misused.Match(out) {
				t.Errorf("%s: %v\n%s\n%s", page, err, script, out)
			}
		}
		for _, code := range inline.FindAllString(fence.ReplaceAllString(text, ""), -1) {
			script := strings.Trim(code, "`")
			words := strings.Fields(script)
			if len(words) < 2 || words[0] != "pgtower" || words[1] == "COMMAND" {
				continue
			}
			out, err := run(script + " --help").CombinedOutput()
			isCommand := strings.HasPrefix(words[1], "-") || bytes.Contains(out, []byte("pgtower "+words[1]))
			if err != nil || !isCommand {
				t.Errorf("%s: %s: %v\n%s", page, code, err, out)
			}
		}
	}
	for script := range notHere {
		if !used[script] {
			t.Errorf("no page has the example %q", script)
		}
	}
}

// listed returns the entry of [notHere] for an example, or "".
func listed(script string) string {
	for known := range notHere {
		if script == known || known != "pgtower" && strings.HasPrefix(script, known) {
			return known
		}
	}
	return ""
}

// tryExample runs an example, or only checks its command and flags, and returns what it printed.
func tryExample(script string, onlyCheck bool, run func(script string) *exec.Cmd) ([]byte, error) {
	if strings.Contains(script, "| jq ") {
		_, err := exec.LookPath("jq")
		if err != nil {
			script, _, _ = strings.Cut(script, "| jq ")
			onlyCheck = true
		}
	}
	if strings.Contains(script, "(--") || strings.Contains(script, "[--") {
		script, onlyCheck = synopsis.ReplaceAllString(script, ""), true
	}
	if onlyCheck {
		return run(script + " --help").CombinedOutput()
	}
	if endless.MatchString(script) {
		return nil, begin(run(anyPort.ReplaceAllString(script, "$1 --listen 127.0.0.1:0")))
	}
	out, err := run(script).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && findings.MatchString(script) {
		err = nil
	}
	return out, err
}

// begin runs a command that does not end on its own until it prints a line.
func begin(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	err = cmd.Start()
	if err != nil {
		return err
	}
	_, err = bufio.NewReader(stdout).ReadString('\n')
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait() // it was killed
	return err
}
