//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// shown returns how the screen should show a value of the service's JSON.
func shown(value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		n, _ := v.Int64()
		return humanize.Comma(n)
	}
	text := fmt.Sprint(value)
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return strings.Replace(at.UTC().Format(time.DateTime), "T", " ", 1) + " UTC"
	}
	return text
}
