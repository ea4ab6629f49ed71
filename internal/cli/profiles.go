package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pgtower/internal/cli/exit"
	"pgtower/keystore"
	"pgtower/models/settings"
)

type profileReport struct {
	Name    string `json:"name"`
	Default bool   `json:"default"`
	BaseURL string `json:"base_url"`
	OrgID   string `json:"org_id,omitempty"`
	Key     string `json:"key"`                 // its source, or why that is unknown
	About   string `json:"key_about,omitempty"` // its description by the last sign-in
}

func (p Process) profilesCommand() *cobra.Command {
	s := new(defaults())
	cmd := &cobra.Command{
		Use:   "profiles",
		Short: "List the profiles, and where each one's key comes from and what it is",
		Long: "profiles lists the profiles of the configuration file and those that a sign-in added, with\n" +
			"their own base URLs, the source of each one's key, and what the last sign-in found out about\n" +
			"that. It shows no key and runs no key command. A star marks the default profile.",
	}
	s.addReportFlags(cmd.Flags())
	cmd.AddCommand(p.removeProfileCommand(), p.defaultProfileCommand())
	return p.withSettings(cmd, s.loadFile, s.printProfiles)
}

func (s *setup) printProfiles(ctx context.Context, p Process) error {
	s.memory.tell(p)
	reports := []profileReport{}
	rows := [][]string{{"", "NAME", "BASE URL", "ORGANIZATION", "KEY", "WHAT IT IS"}}
	standard, _ := s.file.standardProfile()
	var broken error // of the keyring, which is not tried again
	for _, profile := range s.file.offeredProfiles() {
		own, _, err := new(setup).withProfile(profile)
		if err != nil {
			return err
		}
		key, err := p.whereKeyIs(ctx, own, &broken)
		if err != nil || ctx.Err() != nil {
			return err
		}
		star := ""
		if profile.Name == standard {
			star = "*"
		}
		about := s.memory.aboutKey(profile.Name, key)
		reports = append(reports, profileReport{profile.Name, star != "", own.BaseURL, own.OrgID, key, about})
		rows = append(rows, []string{star, profile.Name, own.BaseURL, cmp.Or(own.OrgID, "–"), key, cmp.Or(about, "–")})
	}
	return p.print(s.json, reports, rows)
}

// profileCommand completes a command for the profile that its argument names.
func (p Process) profileCommand(cmd *cobra.Command, s *setup, run runner) *cobra.Command {
	s.addFlags(cmd.Flags(), "config")
	cmd.Args, cmd.ValidArgsFunction = s.nameProfile, p.completion((*setup).profileChoices)
	return p.withSettings(cmd, s.loadFile, run)
}

// nameProfile takes the name of the profile from the arguments of a command.
func (s *setup) nameProfile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return exit.Usagef("%s takes the name of one profile", cmd.CommandPath())
	}
	s.profile = args[0]
	return nil
}

func (p Process) removeProfileCommand() *cobra.Command {
	s := new(defaults())
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a profile that a sign-in added, with its key in the OS keyring",
		Long: "remove forgets a profile that a sign-in added, with its pinned projects and what is known of\n" +
			"its key, and removes that key from the keyring of the operating system. The key itself stays\n" +
			"valid until it is revoked. Profiles of the configuration file are yours to remove.",
		Example: "  pgtower profiles remove staging",
	}
	cmd.Flags().BoolVar(&s.keepKey, "keep-key", false, "leave the API key in the OS keyring")
	return p.profileCommand(cmd, s, s.removeProfile)
}

// removeProfile removes the key first: without the profile, nothing names it any more.
func (s *setup) removeProfile(ctx context.Context, p Process) error {
	s.memory.tell(p)
	name := s.profile
	saved, ok := s.memory.state.Profiles[name]
	profile, inFile := s.file.own.Profiles[name]
	switch {
	case !ok && inFile:
		return exit.Usagef("profile %s is in %s: remove it there", name, s.file.path)
	case !ok:
		return exit.Usagef("%w %s; pgtower profiles lists them", errNoProfile, name)
	}
	host := hostOf(saved.BaseURL)
	account := keystore.Account{Profile: name, Host: host}
	effect := "Its key stays in the OS keyring."
	if !s.keepKey && (!inFile || hostOf(profile.BaseURL) != host) {
		err := keystore.New(nil).Delete(ctx, account)
		switch {
		case errors.Is(err, keystore.ErrNotFound):
			effect = "The OS keyring had no key for it."
		case err != nil:
			return fmt.Errorf("the profile was not removed, as its key could not be: %w; --keep-key leaves the key", err)
		default:
			effect = "Its key was removed from the OS keyring, and is valid until it is revoked."
		}
	}
	if err := s.memory.removeProfile(name); err != nil {
		return fmt.Errorf("the profile could not be removed: %w", err)
	}
	return p.say("Profile %s was removed. %s", name, effect)
}

func (p Process) defaultProfileCommand() *cobra.Command {
	s := new(defaults())
	return p.profileCommand(&cobra.Command{
		Use:   "default NAME",
		Short: "Choose the profile that is used unless another is named",
		Long: "default remembers which profile is used without --profile and PGTOWER_PROFILE. A\n" +
			"default_profile in the configuration file has precedence.",
		Example: "  pgtower profiles default work",
	}, s, s.chooseDefault)
}

// chooseDefault remembers the profile as the default one.
func (s *setup) chooseDefault(_ context.Context, p Process) error {
	s.memory.tell(p)
	name := s.profile
	_, exists := s.file.config.Profiles[name]
	switch {
	case s.file.own.Default != "":
		return exit.Usagef("default_profile in %s has precedence: change it there", s.file.path)
	case !exists && name != settings.Default:
		return exit.Usagef("%w %s; pgtower profiles lists them", errNoProfile, name)
	}
	if err := s.memory.saveDefault(name); err != nil {
		return fmt.Errorf("the default profile could not be saved: %w", err)
	}
	return p.say("%s is the profile that is used unless another is named.", name)
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
