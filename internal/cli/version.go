package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// build is what is known of how the program was built.
type build struct {
	Version string `json:"version"`
	// Commit is empty where it was not built from a repository.
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`

	committed time.Time // zero where it was not built from a repository
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

// version is the one that Go stamped: a tag, or what it makes of the commit, or devel.
func version() string { return thisBuild().Version }

func userAgent() string { return "pgtower/" + version() }

func (p Process) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and what it was built with",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			rows := [][]string{{"version", b.Version}, {"go", b.Go}, {"platform", b.Platform}}
			switch {
			case b.Modified:
				rows = append(rows, []string{"commit", b.Commit + " (modified)"})
			case b.Commit != "":
				rows = append(rows, []string{"commit", b.Commit})
			}
			return p.print(cmd, b, rows)
		},
	}
	addJSONFlag(cmd)
	return cmd
}
