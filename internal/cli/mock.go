package cli

import (
	"github.com/spf13/cobra"

	"pgtower/client/mock"
	"pgtower/models"
)

// mockCommand serves the mock backend on its own, for the authors of other clients.
func (p Process) mockCommand() *cobra.Command {
	var key string
	var serving mockServing
	var o mock.Options
	var flags mockFlags
	cmd := &cobra.Command{
		Use:   "mock",
		Short: "Serve the built-in mock of the control API",
		Long: "mock serves the whole control API from a simulation, for demos and for testing any\n" +
			"client of this API offline. It prints its base URL and an API key that it accepts,\n" +
			"and stops on an interrupt once it has finished what it is answering.\n\n" +
			"The same seed gives the same projects, operations and keys, and with --start and\n" +
			"--speed 0 the same bytes on every run. While it runs, it is steered over HTTP:\n" +
			"GET " + mock.ControlPath + "/ beside the API says how, and what a fault is.",
		Example: "  pgtower mock\n  pgtower mock --listen 127.0.0.1:0 --json --log=requests.jsonl\n" +
			"  pgtower mock --start 2026-11-21T12:00:00Z --speed 0",
		Args: serving.checkArgs,
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
			if err := flags.check(cmd.Flags()); err != nil {
				return err
			}
			o.Projects, o.Operations = none(o.Projects), none(o.Operations)
			o.APIKey, o.Clock = key, p.Clock
			o.Speed, o.Start = &flags.speed, flags.start
			server, err := mock.New(o)
			if err != nil {
				return usageError{err}
			}
			serving.publicControl = o.Control && cmd.Flags().Changed("control")
			if err := flags.apply(cmd.Flags(), server, key); err != nil {
				return err
			}
			return p.serveMock(cmd.Context(), serving, server, o)
		},
	}
	f := cmd.Flags()
	serving.addFlags(f)
	f.StringVar(&key, "api-key", "", "API key accepted from the start ("+envMockKey+"); generated from the seed if empty")
	f.Uint64Var(&o.Seed, "seed", 7, "seed of the simulation")
	f.IntVar(&o.Projects, "projects", mock.DefaultProjects, "number of projects")
	f.IntVar(&o.Operations, "operations", mock.DefaultOperations, "operations that the busiest project has behind it")
	f.BoolVar(&o.Live, "live", false, "add what the live service has beyond the specification: fields, statuses, actions")
	f.BoolVar(&o.Control, "control", true,
		"the control surface at "+mock.ControlPath+", which needs no key; beyond loopback it has to be asked for")
	flags.add(f)
	return cmd
}
