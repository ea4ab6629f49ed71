// Command pgtower is an unofficial terminal dashboard for the control API of Neon, and of what speaks the same API. It
// shows every operation of every project live, and rotates and revokes API keys without breaking anything.
package main

import (
	"context"
	"os"
	"time"

	"pgtower/internal/cli"
	"pgtower/keystore/keyenv"
)

func main() {
	keyenv.RestoreTmux()
	os.Exit(cli.Run(context.Background(), process()))
}

// process returns this process.
func process() cli.Process {
	return cli.Process{
		Args:      os.Args[1:],
		Stdin:     os.Stdin,
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
		LookupEnv: keyenv.LookupEnv,
		// Without the reading of the monotonic clock, which stands still while the computer sleeps.
		Clock:  func() time.Time { return time.Now().Round(0) },
		Steady: time.Now,

		ConfigDir: os.UserConfigDir, Getwd: os.Getwd,
		CacheDir: os.UserCacheDir,
	}
}
