package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pgtower/client"
	"pgtower/keystore"
	"pgtower/keystore/profile"
)

func (p Process) loginCommand() *cobra.Command {
	s := defaults()
	s.mayBeNew = true
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Verify an API key and keep it in the OS keyring",
		Long: "login asks for an API key without showing it, or reads one line of standard input\n" +
			"where that is no terminal. It asks the service for a project with the key, and keeps\n" +
			"a key that works in the keyring of the operating system, for the profile and the host\n" +
			"of its base URL.\n\n" +
			"A profile that the configuration file does not have yet is added to it, with the base\n" +
			"URL and the organisation in force.",
		Example: "  pgtower login\n  pgtower login --profile work --org-id org-cool-breeze-12345678\n" +
			"  pass show console/api-key | pgtower login",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				// It is not quoted: it may be the key.
				return usagef("login takes no arguments: it asks for the key, because other users of a computer " +
					"can read the arguments of its programs")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.resolve(cmd.Flags(), p); err != nil {
				return err
			}
			return interruptibly(cmd.Context(), func(ctx context.Context) error { return p.login(ctx, &s) })
		},
	}
	s.addConnectionFlags(cmd.Flags())
	return cmd
}

// login asks for a key, tries it and keeps it.
func (p Process) login(ctx context.Context, s *settings) error {
	sources, err := s.sources(p.Getenv)
	if err != nil {
		return err
	}
	closeLog, err := s.transport.open()
	if err != nil {
		return err
	}
	defer closeLog()
	if p.terminal() != nil {
		// A keyring that does not work is better found out before a key is pasted.
		_, err = sources.Ring.Get(ctx, sources.Account())
		if err != nil && !errors.Is(err, keystore.ErrNotFound) {
			return err
		}
	}
	key, err := p.readKey(ctx, fmt.Sprintf("API key of %s: ", sources.Account()))
	if err != nil {
		return err
	}
	if err := verify(ctx, s.clientOptions(p.Clock), key); err != nil {
		return fmt.Errorf("the key was not saved: %w", err)
	}
	if err := sources.Ring.Set(ctx, sources.Account(), keystore.Key{Secret: key}); err != nil {
		return err
	}
	if err := p.say("The key works, and is saved in the OS keyring for %s.", sources.Account()); err != nil {
		return err
	}
	if err := p.remember(s); err != nil {
		return err
	}
	before, err := sources.BeforeKeyring()
	if err == nil && before.Origin != keystore.OriginNone {
		err = p.say("It is not used yet: the %s takes precedence.", keyOf(before))
	}
	return err
}

// remember adds a profile that is new to the configuration file.
func (p Process) remember(s *settings) error {
	if _, ok := s.file.config.Profile(s.profile); ok {
		if hostOf(s.current.BaseURL) != s.base.Host {
			return p.say("The base URL of profile %s is %s: this key is used only where %s is given as well.",
				s.profile, cmp.Or(s.current.BaseURL, client.DefaultBaseURL), s.base)
		}
		return nil
	}
	if s.profile == profile.Default && s.baseURL == client.DefaultBaseURL && s.orgID == "" || s.file.path == "" {
		return nil // what is so without a file needs none
	}
	added := profile.Profile{Name: s.profile, BaseURL: s.baseURL, OrgID: s.orgID}
	if err := profile.Add(s.file.path, added, fileCheck()); err != nil {
		return fmt.Errorf("the profile could not be added: %w", err)
	}
	return p.say("Profile %s was added to %s.", s.profile, s.file.path)
}
