package cli

import (
	"context"
	"fmt"
	"log"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"pgtower/client/mock"
	"pgtower/models"
)

// mockCommand serves the mock backend on its own, for the authors of other clients.
func (p Process) mockCommand(ctx context.Context) *cobra.Command {
	var listen, key string
	var o mock.Options
	var knobs mockFlags
	cmd := &cobra.Command{
		Use:   "mock",
		Short: "Serve the built-in mock of the control API",
		Long: "mock serves the whole control API from a simulation, for demos and for testing any\n" +
			"client of this API offline. It prints its base URL and an API key that it accepts.\n\n" +
			"The same seed gives the same projects, operations and keys. While it runs, it is\n" +
			"steered over HTTP: GET " + mock.ControlPath + "/ beside the API says how.",
		Example: "  pgtower mock --listen 127.0.0.1:8787",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if key == "" {
				key = p.Getenv(envMockKey)
			}
			if key != "" {
				if err := models.NewSecret(key).Check(); err != nil {
					return usagef("--api-key: %w", err)
				}
			}
			if o.Projects < 0 || o.Operations < 0 {
				return usagef("--projects and --operations cannot be negative")
			}
			if err := knobs.check(cmd.Flags()); err != nil {
				return err
			}
			o.Projects, o.Operations = none(o.Projects), none(o.Operations)
			o.APIKey, o.Clock = key, p.Clock
			server, err := mock.New(o)
			if err != nil {
				return usageError{err}
			}
			if err := knobs.apply(cmd.Flags(), server, key); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			l, err := mock.Listen(ctx, server, mock.ListenOptions{Addr: listen, Log: log.New(p.Stderr, "", 0)})
			if err != nil {
				return usageError{err}
			}
			_, err = fmt.Fprintf(p.Stdout, "base URL  %s\nAPI key   %s\n", l.BaseURL(), keyWords(server))
			if err != nil {
				return err
			}
			return l.Wait()
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:8787", "loopback address to listen on; port 0 takes any free one")
	f.StringVar(&key, "api-key", "", "the API key that is accepted from the start ("+envMockKey+"); generated from the seed if empty")
	f.Uint64Var(&o.Seed, "seed", 7, "seed of the simulation")
	f.IntVar(&o.Projects, "projects", mock.DefaultProjects, "number of projects")
	f.IntVar(&o.Operations, "operations", mock.DefaultOperations, "operations that the busiest project has behind it")
	f.BoolVar(&o.Live, "live", false, "add the fields, statuses and actions that the live service has beyond the specification")
	f.BoolVar(&o.Control, "control", true, "the control surface at "+mock.ControlPath+", which needs no key")
	knobs.add(f)
	return cmd
}
