//go:build unix

package e2e

import (
	"runtime"
	"strings"
	"testing"
)

func TestVersionCommand(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.run("", "version").ends(0, "version   ", "go        "+runtime.Version(), "platform  "+runtime.GOOS+"/"+runtime.GOARCH)
	var b struct{ Version, Go, Platform string }
	s.run("", "version", "--json").ends(0).into(&b)
	if b.Version == "" || b.Go != runtime.Version() || b.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("got %+v", b)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		s.run("", "completion", shell).ends(0, "pgtower")
	}
	path := s.config(exampleConfig)
	for _, args := range [][]string{{"--profile", ""}, {"login", "--profile", ""}, {"doctor", "--config", path, "--profile", ""}} {
		o := s.run("", append([]string{"__complete"}, args...)...).ends(0)
		if !strings.HasPrefix(o.stdout, "default\nother\nwork\n:4") {
			t.Errorf("%q: got %q", args, o.stdout)
		}
	}
	if o := s.run("", "__complete", "--theme", ""); !strings.HasPrefix(o.stdout, "auto\ndark\n") {
		t.Errorf("themes: got %q", o.stdout)
	}
	if o := s.run("", "__complete", "--time", ""); !strings.HasPrefix(o.stdout, "relative\nlocal\nutc\n") {
		t.Errorf("times: got %q", o.stdout)
	}
	s.config("[[views]]\nname = 'Billing trouble'\n[[views]]\nname = 'slow'\n")
	want := "All\nFailed\nUnfinished\nslow\nBilling trouble\n:4"
	if o := s.run("", "__complete", "--view", "").ends(0); !strings.HasPrefix(o.stdout, want) {
		t.Errorf("views: got %q", o.stdout)
	}
	s.config("[profiles.work]\npinned = ['calm-lake-1', 'red-hill-2']\n[profiles.other]\n")
	for _, args := range [][]string{{}, {"--profile", "work"}, {"operations", "--profile", "work"}, {"wait", "--profile", "work"}} {
		want := ":4"
		if len(args) > 0 {
			want = "calm-lake-1\nred-hill-2\n:4"
		}
		if o := s.run("", append(append([]string{"__complete"}, args...), "--project", "")...).ends(0); !strings.HasPrefix(o.stdout, want) {
			t.Errorf("%q: got %q", args, o.stdout)
		}
	}
	// Only the command reports configuration errors.
	s.config("what = 1")
	if o := s.run("", "__complete", "--profile", "").ends(0); !strings.HasPrefix(o.stdout, ":4") {
		t.Errorf("got %q", o.stdout)
	}
}

func TestManualPage(t *testing.T) {
	t.Parallel()
	o := newShell(t).run("", "man").ends(0, `.TH "PGTOWER" "1" "`, ".SH NAME\npgtower - a terminal dashboard")
	o.never("@VERSION@")
	o.never("Jan 2006")
}

func TestUnknownCommand(t *testing.T) {
	t.Parallel()
	newShell(t).run("", "lgoin").ends(2, `unknown command "lgoin" for pgtower`)
	newShell(t).run("", "login", "s3cret").ends(2, "login takes no arguments: it asks for the key").never("s3cret")
}
