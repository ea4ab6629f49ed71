package cli

import (
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

// retireFlags adds the flags of these names that are not there: they are hidden and ignored, and each is named in a line.
func retireFlags(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if f.Lookup(name) == nil {
			f.String(name, "", "ignored, no longer in pgtower")
			f.Lookup(name).Hidden, f.Lookup(name).Deprecated = true, "it is ignored"
		}
	}
}
