package cli

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"` // empty if it was not built in a repository
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`

	committed time.Time // zero if it was not built in a repository
}

func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.committed, _ = time.Parse(time.RFC3339, s.Value)
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	b.Version = strings.Trim(info.Main.Version, "()")
	return b
}

// version returns the version that Go stamped: a tag, a pseudo-version or devel.
func version() string { return thisBuild().Version }

func (p Process) versionCommand() *cobra.Command {
	s := new(setup)
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and what it was built with",
	}
	s.addJSONFlag(cmd.Flags())
	return p.withSettings(cmd, loadNothing, s.printVersion)
}

func loadNothing(*pflag.FlagSet, Process) error { return nil }

func (s *setup) printVersion(_ context.Context, p Process) error {
	b := thisBuild()
	commit := cmp.Or(b.Commit, "unknown")
	if b.Modified {
		commit += " (modified)"
	}
	return p.print(s.json, b, [][]string{
		{"version", b.Version}, {"go", b.Go}, {"platform", b.Platform}, {"commit", commit},
	})
}
