package operations_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
)

// The help of the groups and its footer have a key once: y is the report there, not the copy.
func TestKeysOfTheGroups(t *testing.T) {
	t.Parallel()
	play.Run(t, 200, 60, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("v")
		p.Sees(" y report ")
		p.SeesNot("y copy")
		p.Press("?")
		if found := regexp.MustCompile(`│ +y +.*`).FindAllString(p.Screen(), -1); len(found) != 1 || !strings.Contains(found[0], "copy the report of the group") {
			t.Errorf("%q in\n%s", found, p.Screen())
		}
	})
}
