//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// shown is how a person should find a value of the service's JSON on the screen.
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
