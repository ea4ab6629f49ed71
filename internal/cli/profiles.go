package cli

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pgtower/keystore"
)

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
		s.memory.tell(p)
		reports := []profileReport{}
		rows := [][]string{{"", "NAME", "BASE URL", "ORGANIZATION", "KEY", "WHAT IT IS"}}
		standard, _ := s.file.standardProfile()
		var broken error // of the keyring, which is not tried again
		for _, profile := range s.file.offeredProfiles() {
			of, _, err := new(setup).of(profile)
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
func (p Process) whereKeyIs(ctx context.Context, s *setup, broken *error) (string, error) {
	sources, err := s.sources(p.LookupEnv, false)
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
