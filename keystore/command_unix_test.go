//go:build unix

package keystore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"pgtower/models"
	"pgtower/models/settings"
)

func work(c settings.KeyCommand) settings.Profile {
	return settings.Profile{Name: "work", KeyCommand: c}
}

// The key is the first line of the standard output, without the space around it, whatever else the command does.
func TestKeyCommands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]settings.KeyCommand{
		"shell":                   {Shell: "echo s3cret | cat"},
		"program":                 {Args: []string{"printf", `%s\n`, "s3cret"}},
		"no shell for a list":     {Args: []string{"printf", `%s`, "s3cret"}},
		"more lines":              {Shell: "printf 's3cret\\nlogin: me\\n'"},
		"space around":            {Shell: "printf '\\n  s3cret \\r\\n'"},
		"words on the other side": {Shell: "echo unlocked >&2; echo s3cret"},
		"leaves something behind": {Shell: "sleep 3 & echo s3cret"},
		"a byte order mark":       {Shell: `printf '\357\273\277s3cret\r\n'`},
		"much":                    {Shell: "echo s3cret; head -c 300000 /dev/zero"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := runKeyCommand(t.Context(), work(c), nil); err != nil || got.Reveal() != "s3cret" {
				t.Errorf("got %q, %v", got.Reveal(), err)
			}
		})
	}
}

// A key command that fails, or prints no key, is an error that helps, without what may be a key.
func TestKeyCommandsThatFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command settings.KeyCommand
		says    []string
	}{
		"fails":     {settings.KeyCommand{Shell: "echo 'gpg: no\tkey' >&2; exit 3"}, []string{"failed (exit status 3): gpg: no key"}},
		"is killed": {settings.KeyCommand{Shell: "kill -9 $$"}, []string{"failed (signal: killed)"}},
		"prints it": {settings.KeyCommand{Shell: "echo s3cret-key; echo 's3cret-key is wrong' >&2; exit 1"}, []string{"failed (exit status 1): ••• is wrong"}},
		"prints another": {
			settings.KeyCommand{Shell: "echo 'tried napi_s3cret-key, Ab3dEf9hIj2kLm5nOp8qRs1t of /home/me' >&2; exit 1"},
			[]string{"failed (exit status 1): tried •••, ••• of /home/me"},
		},
		"acts":       {settings.KeyCommand{Shell: `printf 'a\033[31mb' >&2; exit 1`}, []string{"a\uFFFD[31mb"}},
		"says much":  {settings.KeyCommand{Shell: "head -c 300000 /dev/zero | tr '\\0' x >&2; echo ' the end' >&2; exit 1"}, []string{": …xxx", "xxx the end"}},
		"no program": {settings.KeyCommand{Args: []string{"no-such-program-of-pgtower"}}, []string{"could not run (no-such-program-of-pgtower: "}},
		"no program but a key": {
			settings.KeyCommand{Args: []string{"Ab3dEf9hIj2kLm5nOp8qRs1t"}}, []string{"could not run (•••: "},
		},
		"a folder of a key": {
			settings.KeyCommand{Args: []string{"/Ab3dEf9hIj2kLm5nOp8qRs1t/x"}}, []string{"could not run (", "/•••/x"},
		},
		"a shell's word": {settings.KeyCommand{Shell: "Ab3dEf9hIj2kLm5nOp8qRs1t"}, []string{"•••"}},
		"no file":        {settings.KeyCommand{Args: []string{"/no/such/program"}}, []string{"could not run (", "no such file"}},
		"nothing":        {settings.KeyCommand{Shell: "true"}, []string{"printed no key: invalid API key: it is empty"}},
		"not a key":      {settings.KeyCommand{Shell: "echo 'Vault s3cret is locked'"}, []string{"printed no key: invalid API key: white space at character 6"}},
		"UTF-16":         {settings.KeyCommand{Shell: `printf '\377\376s\000'`}, []string{"printed no key: it is UTF-16"}},
		"no key first":   {settings.KeyCommand{Args: []string{"printf", `s3cr\033et`}}, []string{"printed no key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := runKeyCommand(t.Context(), work(c.command), nil)
			var e *CommandError
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			for _, says := range append(c.says, "the key command of profile work ") {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%q is not said by %q", says, err)
				}
			}
			if s := err.Error(); strings.Contains(s, "s3cret") || strings.ContainsRune(s, '\x1b') || len(s) > 700 {
				t.Errorf("got %q", s)
			}
			if e.Advice() == "" {
				t.Error("it does not help")
			}
		})
	}
}

// However much a command prints, little of it is kept: io.Copy writes it as exec does.
func TestOutputOfKeyCommandsIsBounded(t *testing.T) {
	t.Parallel()
	var first output
	last := output{last: true}
	for _, kept := range []struct {
		by   io.Writer
		is   *[]byte
		want string
	}{{&first, &first.kept, "begin"}, {&last, &last.kept, "end"}} {
		text := "begin" + strings.Repeat("x", 10*maxCommandOutput) + "end"
		if _, err := io.Copy(kept.by, struct{ io.Reader }{strings.NewReader(text)}); err != nil {
			t.Error(err)
		}
		if len(*kept.is) != maxCommandOutput || !bytes.Contains(*kept.is, []byte(kept.want)) || cap(*kept.is) > 4*maxCommandOutput {
			t.Errorf("%d bytes are kept for %s, in %d", len(*kept.is), kept.want, cap(*kept.is))
		}
	}
}

// Commands end with their time limit.
func TestKeyCommandThatNeverEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := runKeyCommand(ctx, work(settings.KeyCommand{Shell: "sleep 600"}), nil)
	for _, err := range []error{err, Pipe(ctx, "sleep 600", models.NewSecret("s3cret-key"))} {
		if err == nil || !strings.Contains(err.Error(), "timed out") {
			t.Errorf("got %v", err)
		}
	}
}

// A command that is canceled ends at once, with the processes that it started.
func TestKeyCommandIsCanceled(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "child")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := runKeyCommand(ctx, work(settings.KeyCommand{Shell: "sleep 600 & echo $! > '" + file + ".new'; mv '" + file + ".new' '" + file + "'; wait"}), nil)
		ended <- err
	}()
	var child []byte
	eventually(t, "the command runs", func() (done bool) {
		child, _ = os.ReadFile(file)
		return len(child) > 0
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// Its children are killed with it; only their parent can reap them.
	eventually(t, "its child is gone", func() bool {
		state, _ := exec.CommandContext(t.Context(), "ps", "-o", "stat=", "-p", strings.TrimSpace(string(child))).Output()
		s := strings.TrimSpace(string(state))
		return s == "" || strings.HasPrefix(s, "Z")
	})
}

// A command gets the key's bytes, and no others, on its standard input, and nowhere else.
func TestPipe(t *testing.T) {
	t.Parallel()
	key := models.NewSecret("s3cret-key")
	file := filepath.Join(t.TempDir(), "taken")
	for name, line := range map[string]string{
		"all":       "cat > '" + file + ".all'",
		"a line":    "read -r line; printf %s \"$line\" > '" + file + ".line'",
		"in a pipe": "tr -d x | cat > '" + file + ".pipe'; head -c 3000000 /dev/zero",
	} {
		if err := Pipe(t.Context(), line, key); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, end := range []string{".all", ".line", ".pipe"} {
		if got, err := os.ReadFile(file + end); err != nil || string(got) != "s3cret-key" {
			t.Errorf("%s: got %q, %v", end, got, err)
		}
	}
	elsewhere := "cat >/dev/null; { cat /proc/$$/cmdline /proc/$$/environ || env; } 2>/dev/null | grep -c s3cret-ke[y] >&2; exit 1"
	if err := Pipe(t.Context(), elsewhere, key); err == nil || !strings.HasSuffix(err.Error(), "(exit status 1): 0") {
		t.Errorf("got %v", err)
	}
}

// A command that fails, or does not read the whole key, is an error without the key. It may have saved the key.
func TestPipeThatFails(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("s3cret-key", 100_000) // more than a pipe holds
	for name, c := range map[string]struct{ line, says string }{
		"exits at once":    {"exit 0", "the command ended without reading the key"},
		"fails unread":     {"exit 7", "the command failed (exit status 7)"},
		"reads a part":     {"head -c 3 > /dev/null", "the command ended without reading all of the key"},
		"complains":        {`cat >/dev/null; printf 'no\tstore\033[31m\n' >&2; exit 2`, "failed (exit status 2): no store\uFFFD[31m"},
		"repeats it":       {"cat >&2; exit 1", "failed (exit status 1): •••"},
		"writes very much": {"head -c 100000000 /dev/zero; head -c 100000000 /dev/zero >&2", "the command ended without reading the key"},
		"no program":       {"no-such-program-of-pgtower", "failed (exit status 127)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"s3cret-key", long} {
				if key == long && name == "repeats it" {
					continue
				}
				err := Pipe(t.Context(), c.line, models.NewSecret(key))
				var e *CommandError
				if !errors.As(err, &e) || !strings.Contains(err.Error(), c.says) || !e.Changed || e.Advice() != "" {
					t.Errorf("got %v", err)
				}
				if err != nil && (strings.Contains(err.Error(), "s3cret") || len(err.Error()) > 1500) {
					t.Errorf("got %q", err)
				}
			}
		})
	}
}

// A key_store_command has saved a key only once the key command prints it.
func TestSaveByCommand(t *testing.T) {
	t.Parallel()
	key := Key{Secret: models.NewSecret("s3cret-key"), ID: 7}
	for name, c := range map[string]struct {
		store   settings.KeyCommand
		says    string
		changed bool
	}{
		"saves":         {store: settings.KeyCommand{Shell: "cat > FILE"}},
		"saves a list":  {store: settings.KeyCommand{Args: []string{"tee", "FILE"}}},
		"fails":         {settings.KeyCommand{Shell: "cat > FILE; exit 1"}, "the key_store_command of profile work failed (exit status 1)", true},
		"saves nothing": {settings.KeyCommand{Shell: "cat > /dev/null"}, "the key command of profile work still prints another key", true},
		"breaks it":     {settings.KeyCommand{Shell: "cat > /dev/null; rm FILE"}, "the key command of profile work failed (exit status 1)", true},
		"never starts":  {settings.KeyCommand{Args: []string{"/no/such/program"}}, "the key_store_command of profile work could not run", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "key")
			if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			s, ring := places(t, live, "keyring")
			s.Profile.KeyCommand = settings.KeyCommand{Args: []string{"cat", file}}
			s.Profile.KeyStoreCommand.Shell = strings.ReplaceAll(c.store.Shell, "FILE", "'"+file+"'")
			for _, arg := range c.store.Args {
				s.Profile.KeyStoreCommand.Args = append(s.Profile.KeyStoreCommand.Args, strings.ReplaceAll(arg, "FILE", file))
			}
			if err := s.CanSave(t.Context()); err != nil {
				t.Error(err)
			}
			origin, err := s.Save(t.Context(), key)
			if c.says == "" && err != nil || origin != OriginCommand || ring.count() > 0 {
				t.Errorf("got %s, %v; the keyring was asked %d times", origin, err, ring.count())
			}
			if e, ok := errors.AsType[*CommandError](err); c.says != "" &&
				(!ok || !strings.Contains(e.Error(), c.says) || e.Changed != c.changed || e.Advice() == "") {
				t.Errorf("got %v", err)
			}
		})
	}
	// The command is not used if another key takes precedence or the address is another one.
	for _, host := range []string{live, "other.example"} {
		s, _ := places(t, host, "command")
		s.Profile.KeyStoreCommand = settings.KeyCommand{Shell: "exit 1"}
		s.LookupEnv = only(EnvKey, "s3cret-of-env")
		if origin, err := s.Save(t.Context(), key); origin != OriginKeyring || err != nil {
			t.Errorf("%s: saved in %s, %v", host, origin, err)
		}
	}
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("never: %s", what)
		}
	}
}

// A key command reads from the terminal only if it is given one.
func TestKeyCommandsAndTheTerminal(t *testing.T) {
	t.Parallel()
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _, _ = terminal.Close(), master.Close() })
	if _, err := master.WriteString("typed\n"); err != nil {
		t.Fatal(err)
	}
	ask := work(settings.KeyCommand{Shell: "read -r line; echo ${line:-nobody}"})
	got, err := runKeyCommand(t.Context(), ask, terminal)
	if err != nil || got.Reveal() != "typed" {
		t.Errorf("with the terminal: got %q, %v", got.Reveal(), err)
	}
	got, err = runKeyCommand(t.Context(), ask, nil)
	if err != nil || got.Reveal() != "nobody" {
		t.Errorf("without: got %q, %v", got.Reveal(), err)
	}
}

// A part of a key is no key that can be recognized: the word in which an output is cut is left out.
func TestOutputIsNotCutInAWord(t *testing.T) {
	t.Parallel()
	const key = "napi_Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z"
	for cut := 1; cut < len(key); cut++ {
		fill := strings.Repeat("x ", maxCommandOutput/2)
		begin, end := fill[:maxCommandOutput-cut]+key+fill, fill+key+fill[:maxCommandOutput-cut]
		for text, o := range map[string]*output{begin: {}, end: {last: true}} {
			_, _ = o.Write([]byte(text))
			if got := o.text(); strings.ContainsAny(got, key) || len(got) < len(fill)-len(key)-2 {
				t.Fatalf("after %d bytes of the key, %d are kept: %q … %q", cut, len(got), got[:50], got[len(got)-50:])
			}
		}
	}
	one := strings.Repeat("x", 2*maxCommandOutput)
	for _, o := range []*output{{}, {last: true}} {
		_, _ = o.Write([]byte(one))
		if got := len(o.text()); got != maxCommandOutput-maxCutWord {
			t.Errorf("%d bytes are kept of one long word", got)
		}
	}
	whole := &output{}
	_, _ = whole.Write([]byte(key))
	if whole.text() != key {
		t.Errorf("%q", whole.text())
	}
}

// An output that was cut says so in its last line.
func TestProgramWhoseOutputIsCut(t *testing.T) {
	t.Parallel()
	for bytes, cut := range map[string]bool{"65536": false, "65537": true} {
		printed, err := Run(t.Context(), []string{"sh", "-c", "yes | head -c " + bytes})
		if err != nil || strings.HasSuffix(printed, "y\n\n… cut after 64 kB") != cut {
			t.Errorf("%s bytes: %v, … %q", bytes, err, printed[len(printed)-20:])
		}
	}
}
