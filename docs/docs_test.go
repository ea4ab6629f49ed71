//go:build unix

// Package docs_test keeps README.md, CHANGELOG.md, SECURITY.md and the pages beside it true: their links lead to existing files
// and headings, and their commands run.
package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pgtower/internal/termtest"
)

// root is the repository's folder.
const root = ".."

var (
	fence   = regexp.MustCompile("(?ms)^ *```([^\n]*)\n(.*?)^ *```$")
	inline  = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// pages returns the text of each page, by its path from the repository's root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{
		"README.md": "", "CHANGELOG.md": "", ".github/SECURITY.md": "", filepath.Join("docs", "skill", "SKILL.md"): "",
	}
	for _, name := range names {
		out[filepath.Join("docs", name)] = ""
	}
	for path := range out {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		out[path] = string(text)
	}
	return out
}

// anchors returns the fragments that a page's headings can be linked by.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		out[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	return out
}

// Each link of a page leads to a file and a heading that exist.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for from, text := range all {
		prose := inline.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, ":") {
				continue // elsewhere: tests are offline
			}
			to := from
			if path != "" {
				to = filepath.Join(filepath.Dir(from), path)
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s links to %s: %v", from, m[1], err)
			} else if anchor != "" && strings.HasSuffix(to, ".md") && !anchors(all[to])[anchor] {
				t.Errorf("%s links to %s, but %s has no such heading", from, m[1], to)
			}
		}
	}
}

// rivalLine links a line of a client that .ci/clients runs.
var rivalLine = regexp.MustCompile(`\(\.ci/clients\.d/(\w+\.mjs)#L(\d+)\)`)

// Each cell about the service's own command line links to a line of a client that tried it, and that line names the row of the
// table. The README names the version that was tried.
func TestRivalIsTried(t *testing.T) {
	t.Parallel()
	packages, err := os.ReadFile(filepath.Join(root, ".ci", "clients.d", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`"neon": "(.+)"`).FindSubmatch(packages)
	if version == nil || !strings.Contains(pages(t)["README.md"], "`neon` "+string(version[1])+")") {
		t.Errorf("the README does not name the version of neon: %s", version)
	}
	_, rows, _ := strings.Cut(pages(t)["README.md"], "| `neon` |")
	rows, _, _ = strings.Cut(rows, "\n\n")
	for _, row := range strings.Split(rows, "\n")[2:] {
		cells := strings.Split(row, "|")
		links := rivalLine.FindAllStringSubmatch(cells[3], -1)
		if len(links) == 0 {
			t.Errorf("nothing tried this: %s", row)
		}
		for _, link := range links {
			name := regexp.MustCompile(` // README: (.+)$`).FindStringSubmatch(lineOf(t, link[1], link[2]))
			if name == nil || !strings.HasPrefix(strings.TrimSpace(cells[1]), name[1]) {
				t.Errorf("%s:%s does not try this: %s", link[1], link[2], row)
			}
		}
	}
}

// lineOf returns a line of a client, by its number.
func lineOf(t *testing.T, client, number string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".ci", "clients.d", client))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(lines) {
		return ""
	}
	return lines[i-1]
}

// build builds pgtower in a folder of its own, and returns its path.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pgtower")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestRunnableCommands runs the blocks that are fenced as "sh run", and each command in the other blocks. Each runs in an empty
// folder, which is also the home, with only the program, the system's own tools, and the mock as the service. No command may
// need a network.
func TestRunnableCommands(t *testing.T) {
	t.Parallel()
	program := build(t)
	bin := filepath.Dir(program)
	// With few projects, a report of a week reads few pages: requests are sent at a limited rate.
	mock := termtest.StartMock(t, program, "--live", "--speed", "20", "--projects", "4")
	for _, name := range []string{"vault", "gh"} { // examples pipe a secret to these
		termtest.WriteScript(t, filepath.Join(bin, name), "#!/bin/sh\ncat >/dev/null\n")
	}
	run := func(script string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", script)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{
			"HOME=" + cmd.Dir, "PATH=" + bin + ":" + os.Getenv("PATH"), "GITHUB_STEP_SUMMARY=" + cmd.Dir + "/summary",
			"PGTOWER_INTERVAL=1s", "PGTOWER_BASE_URL=" + mock.BaseURL, "PGTOWER_API_KEY=" + mock.APIKey,
		}
		return cmd
	}
	ran := 0
	for page, text := range pages(t) {
		for _, m := range fence.FindAllStringSubmatch(text, -1) {
			if m[1] != "sh run" {
				continue
			}
			ran++
			if out, err := run(m[2]).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s\n%s", page, err, m[2], out)
			}
		}
	}
	if ran == 0 {
		t.Error(`no block is fenced as "sh run"`)
	}
	checkExamples(t, run)
}

// Each of the six recipes has a block or a command that runs here, or the rules that promtool tests.
func TestRecipes(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(pages(t)[filepath.Join("docs", "scripting.md")], "\n## Recipes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	recipes := strings.Split(section, "\n### ")[1:]
	if len(recipes) != 6 {
		t.Errorf("there are %d recipes", len(recipes))
	}
	for _, recipe := range recipes {
		runs := strings.Contains(recipe, "\n```sh run\n") || strings.Contains(recipe, "\n```yaml\ngroups:\n")
		if !runs && len(examples(recipe)) == 0 {
			t.Errorf("nothing runs: %s", recipe)
		}
	}
}
