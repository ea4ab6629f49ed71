package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pgtower/keystore"
)

func (p Process) logoutCommand() *cobra.Command {
	s := defaults()
	cmd := &cobra.Command{
		Use:   "logout",
		Short: "Remove the API key from the OS keyring",
		Long: "logout removes the key of the profile, for the host of the base URL in force, from the\n" +
			"keyring of the operating system. The key itself stays valid: revoke it on the API keys\n" +
			"page of the dashboard, or in the service's console.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.resolve(cmd.Flags(), p); err != nil {
				return err
			}
			return interruptibly(cmd.Context(), func(ctx context.Context) error { return p.logout(ctx, &s) })
		},
	}
	s.addConnectionFlags(cmd.Flags())
	return cmd
}

func (p Process) logout(ctx context.Context, s *settings) error {
	sources, err := s.sources(p.Getenv)
	if err != nil {
		return err
	}
	switch err = sources.Ring.Delete(ctx, sources.Account()); {
	case errors.Is(err, keystore.ErrNotFound):
		err = p.say("The OS keyring has no key of %s.", sources.Account())
	case err == nil:
		err = p.say("The key of %s was removed from the OS keyring. It is valid until it is revoked.", sources.Account())
	}
	if err != nil {
		return err
	}
	before, err := sources.BeforeKeyring()
	if err == nil && before.Origin != keystore.OriginNone {
		err = p.say("The %s is still in force.", keyOf(before))
	}
	return err
}
