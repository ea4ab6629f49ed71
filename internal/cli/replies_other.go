//go:build !unix

package cli

import "os"

// readAway does nothing: the console has no replies on their way.
func (r *replies) readAway(*os.File) {}
