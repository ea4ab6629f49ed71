package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pgtower/keystore/profile"
)

// retired are settings of the last version that have gone: actions in [keys], such as keys.faster, and settings of a
// profile, such as profiles.theme. A file may have them in this version: they are ignored, and named in one line.
var retired = []string{
	"keys.counted-finished", "keys.faster", "keys.history-forward", "keys.json", "keys.load",
	"keys.mark-range", "keys.next-view", "keys.older", "keys.previous-view", "keys.reverse",
	"keys.slower", "keys.stop-loading", "keys.unmark", "keys.watch-all", "keys.zoom-cell",
	"profiles.search_back",
}

// retiredLine names the retired settings of a file, or is empty.
func retiredLine(c profile.Config) string {
	if len(c.Retired) == 0 {
		return ""
	}
	return "ignored, no longer in pgtower: " + strings.Join(c.Retired, ", ")
}

// retiredFlags are flags of the last version that have gone.
var retiredFlags = []string{"search-back"}

// retireFlags adds the retired flags: they are hidden and ignored.
func retireFlags(f *pflag.FlagSet) {
	for _, name := range retiredFlags {
		f.String(name, "", "ignored, no longer in pgtower")
		f.Lookup(name).Hidden = true
	}
}

// warnRetired names the retired flags of a command line in a line.
func (p Process) warnRetired(f *pflag.FlagSet) {
	var given []string
	f.Visit(func(flag *pflag.Flag) {
		if slices.Contains(retiredFlags, flag.Name) {
			given = append(given, "--"+flag.Name)
		}
	})
	if len(given) > 0 {
		p.warn("ignored, no longer in pgtower: %s", strings.Join(given, ", "))
	}
}
