package cli

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pgtower/keystore"
	"pgtower/keystore/profile"
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
	s := defaults()
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
				reports, err := p.reportProfiles(ctx, &s)
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
	return cmd
}

func (p Process) reportProfiles(ctx context.Context, s *settings) ([]profileReport, error) {
	var reports []profileReport
	var broken *keystore.Error // what the keyring failed with: it would again
	for _, profile := range offeredProfiles(s.file.config) {
		of, _, err := new(settings).of(profile)
		if err != nil {
			return nil, err
		}
		sources, err := of.sources(p.Getenv)
		if err != nil {
			return nil, err
		}
		reports = append(reports, profileReport{
			Name: profile.Name, Default: profile.Name == standardProfile(s.file.config), BaseURL: of.baseURL, OrgID: of.orgID,
			Key: whereKey(ctx, sources, &broken),
		})
	}
	return reports, nil
}

// standardProfile is the one that is used where none is chosen.
func standardProfile(c profile.Config) string {
	_, named := c.Profile(profile.Default)
	switch {
	case c.Default != "":
		return c.Default
	case !named && len(c.Profiles) == 1:
		return c.Profiles[0].Name
	}
	return profile.Default
}

// offeredProfiles are the profiles that are in use: without a table of its own, default is one of them only where
// nothing else is.
func offeredProfiles(c profile.Config) []profile.Profile {
	var offered []profile.Profile
	for _, name := range profileNames(c) {
		p, ok := c.Profile(name)
		if p.Name = name; ok || standardProfile(c) == name || len(c.Profiles) == 0 {
			offered = append(offered, p)
		}
	}
	return offered
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
