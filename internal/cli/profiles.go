package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"pgtower/keystore"
)

// profileReport is what profiles prints of one of them.
type profileReport struct {
	Name    string `json:"name"`
	Default bool   `json:"default"`
	BaseURL string `json:"base_url"`
	OrgID   string `json:"org_id,omitempty"`
	// Key is where its key comes from, or why that is not known.
	Key string `json:"key"`
}

func (p Process) profilesCommand() *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "profiles",
		Short: "List the profiles, and where the key of each comes from",
		Long: "profiles lists the profiles of the configuration file with their own base URLs, and\n" +
			"where the key of each comes from. It shows no key and runs no key command. The default\n" +
			"profile has a star.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.loadFile(cmd.Flags(), p); err != nil {
				return err
			}
			return interruptibly(cmd.Context(), func(ctx context.Context) error {
				reports, err := p.reportProfiles(ctx, s.file.config)
				if err != nil || ctx.Err() != nil {
					return err
				}
				rows := [][]string{{"", "NAME", "BASE URL", "ORGANISATION", "KEY"}}
				for _, r := range reports {
					star := ""
					if r.Default {
						star = "*"
					}
					rows = append(rows, []string{star, r.Name, r.BaseURL, cmp.Or(r.OrgID, "–"), r.Key})
				}
				return p.print(cmd, reports, rows)
			})
		},
	}
	s.addFileFlag(cmd.Flags())
	addJSONFlag(cmd)
	p.completeFlags(cmd)
	return cmd
}

func (p Process) reportProfiles(ctx context.Context, c keystore.Config) ([]profileReport, error) {
	var reports []profileReport
	var broken *keystore.Error // what the keyring failed with: it would again
	for _, name := range offeredProfiles(c) {
		profile, ok := c.Profile(name)
		if !ok {
			profile.Name = name
		}
		base, err := profileBase(profile)
		if err != nil {
			return nil, err
		}
		sources, err := sourcesOf(profile, base, p.Getenv)
		if err != nil {
			return nil, err
		}
		r := profileReport{Name: name, Default: name == standardProfile(c), BaseURL: base.String(), OrgID: profile.OrgID}
		r.Key = whereKey(ctx, sources, &broken)
		reports = append(reports, r)
	}
	return reports, nil
}

// standardProfile is the one that is used where none is chosen.
func standardProfile(c keystore.Config) string {
	_, named := c.Profile(keystore.DefaultProfile)
	switch {
	case c.Default != "":
		return c.Default
	case !named && len(c.Profiles) == 1:
		return c.Profiles[0].Name
	}
	return keystore.DefaultProfile
}

// offeredProfiles are the names of the profiles that somebody uses: without a table of its
// own, default is only one of them where nothing else is.
func offeredProfiles(c keystore.Config) []string {
	return slices.DeleteFunc(profileNames(c), func(name string) bool {
		_, ok := c.Profile(name)
		return !ok && standardProfile(c) != name && len(c.Profiles) > 0
	})
}

// whereKey says where the key of a profile comes from. A keyring that is broken already is
// not asked again.
func whereKey(ctx context.Context, s keystore.Sources, broken **keystore.Error) string {
	source, err := s.BeforeKeyring()
	if err == nil && source.Origin == keystore.OriginNone && *broken == nil {
		source, err = s.Where(ctx)
		*broken, _ = errors.AsType[*keystore.Error](err)
	}
	switch {
	case source.Origin == keystore.OriginCommand:
		return "key command"
	case source.Origin != keystore.OriginNone:
		return source.String()
	case *broken != nil:
		return (*broken).Reason.String()
	case err != nil:
		return err.Error()
	}
	return source.String()
}
