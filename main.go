// Command pgtower is a terminal dashboard over the control API of a hosted Postgres
// platform: its system operations, projects and API keys.
package main

import (
	"context"
	"os"
	"time"

	"pgtower/internal/cli"
	"pgtower/keystore/keyenv"
)

func main() {
	os.Exit(cli.Run(context.Background(), cli.Process{
		Args:   os.Args[1:],
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: keyenv.Getenv,
		// Without the reading of the monotonic clock, which stands still while the computer sleeps.
		Clock: func() time.Time { return time.Now().Round(0) },

		ConfigDir: os.UserConfigDir, Getwd: os.Getwd,
		CacheDir: os.UserCacheDir,
	}))
}
