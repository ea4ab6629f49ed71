package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
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
	switch v := info.Main.Version; {
	case v != "" && v != "(devel)":
		b.Version = v
	case len(b.Commit) >= 12:
		b.Version = "devel " + b.Commit[:12]
	default:
		b.Version = "devel"
	}
	return b
}

// version is that of the build: the module's where it was installed as one, else that
// of the commit it was built from.
func version() string { return thisBuild().Version }

func userAgent() string { return "pgtower/" + version() }

func (p Process) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and what it was built with",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if asJSON {
				return p.printJSON(b)
			}
			rows := [][]string{{"version", b.Version}, {"go", b.Go}, {"platform", b.Platform}}
			if b.Commit != "" {
				commit := b.Commit
				if b.Modified {
					commit += " (modified)"
				}
				rows = append(rows, []string{"commit", commit})
			}
			return p.printTable(rows)
		},
	}
	addJSONFlag(cmd, &asJSON)
	return cmd
}

func addJSONFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, fmt.Sprintf("print what %s says as JSON", cmd.Name()))
}
