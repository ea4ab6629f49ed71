package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/keystore"
	"pgtower/keystore/profile"
	"pgtower/models"
	"pgtower/models/table"
	"pgtower/ui/style"
)

// print prints aligned rows, or the report as JSON.
func (p Process) print(asJSON bool, report any, rows [][]string) error {
	if asJSON {
		e := json.NewEncoder(p.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	for _, row := range rows {
		for i := range row {
			row[i] = models.Clean(row[i])
		}
	}
	var text strings.Builder
	widths := table.Widths(rows, style.Width)
	for _, row := range rows {
		text.WriteString(table.Line(row, widths, style.Width) + "\n")
	}
	_, err := p.Stdout.WriteString(text.String())
	return err
}

func (p Process) say(format string, args ...any) error {
	_, err := fmt.Fprintln(p.Stdout, models.Clean(fmt.Sprintf(format, args...)))
	return err
}

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
	var s settings
	none := func(*pflag.FlagSet, Process) error { return nil }
	return p.withSettings(&cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and what it was built with",
	}, s.addJSONFlag, none, func(context.Context) error {
		b := thisBuild()
		commit := cmp.Or(b.Commit, "unknown")
		if b.Modified {
			commit += " (modified)"
		}
		return p.print(s.json, b, [][]string{
			{"version", b.Version}, {"go", b.Go}, {"platform", b.Platform}, {"commit", commit},
		})
	})
}

type profileReport struct {
	Name    string `json:"name"`
	Default bool   `json:"default"`
	BaseURL string `json:"base_url"`
	OrgID   string `json:"org_id,omitempty"`
	Key     string `json:"key"`                 // where it comes from, or why that is not known
	About   string `json:"key_about,omitempty"` // what it is, as of the last sign-in
}

func (p Process) profilesCommand() *cobra.Command {
	s := defaults()
	return p.withSettings(&cobra.Command{
		Use:   "profiles",
		Short: "List the profiles, and where each one's key comes from and what it is",
		Long: "profiles lists the profiles of the configuration file and those that a sign-in added, with\n" +
			"their own base URLs, the source of each one's key, and what the last sign-in found out about\n" +
			"that. It shows no key and runs no key command. A star marks the default profile.",
	}, s.addReportFlags, s.loadFile, func(ctx context.Context) error {
		reports := []profileReport{}
		rows := [][]string{{"", "NAME", "BASE URL", "ORGANIZATION", "KEY", "WHAT IT IS"}}
		standard, _ := s.file.standardProfile()
		var broken error // of the keyring, which is not tried again
		for _, profile := range s.file.offeredProfiles() {
			of, _, err := new(settings).of(profile)
			if err != nil {
				return err
			}
			key, err := p.whereKeyIs(ctx, of, &broken)
			if err != nil || ctx.Err() != nil {
				return err
			}
			star := ""
			if profile.Name == standard {
				star = "*"
			}
			about := s.memory.aboutKey(profile.Name, key)
			reports = append(reports, profileReport{profile.Name, star != "", of.baseURL, of.orgID, key, about})
			rows = append(rows, []string{star, profile.Name, of.baseURL, cmp.Or(of.orgID, "–"), key, cmp.Or(about, "–")})
		}
		return p.print(s.json, reports, rows)
	})
}

// whereKeyIs returns the origin of a profile's key, or why the keyring failed, now or before.
func (p Process) whereKeyIs(ctx context.Context, s *settings, broken *error) (string, error) {
	sources, err := s.sources(p.Getenv)
	if err != nil {
		return "", err
	}
	origin, err := sources.BeforeKeyring()
	if err != nil || origin != keystore.OriginNone {
		return string(origin), err
	}
	if *broken == nil {
		_, err = sources.Ring.Get(ctx, sources.Account())
		switch {
		case err == nil:
			return string(keystore.OriginKeyring), nil
		case errors.Is(err, keystore.ErrNotFound):
			return "none", nil
		}
		*broken = err
	}
	why, _ := explain(*broken)
	return why, nil
}

// standardProfile returns the profile that is used unless another is chosen, and the source of that. A sign-in with a new
// profile does not change which of those in the file it is.
func (c *configFile) standardProfile() (name, from string) {
	if c.own.Default != "" {
		return c.own.Default, "default_profile"
	}
	all := c.own.Profiles
	if len(all) == 0 {
		all = c.config.Profiles
	}
	if len(all) == 1 {
		for name := range all {
			return name, fromDefault
		}
	}
	return profile.Default, fromDefault
}

// offeredProfiles returns the profiles in use: default without a table only if there is no other.
func (c *configFile) offeredProfiles() []profile.Profile {
	var offered []profile.Profile
	standard, _ := c.standardProfile()
	for _, name := range profileNames(c.config) {
		p, ok := c.config.Profiles[name]
		if p.Name = name; ok || standard == name || len(c.config.Profiles) == 0 {
			offered = append(offered, p)
		}
	}
	return offered
}
