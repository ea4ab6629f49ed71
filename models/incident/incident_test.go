package incident

import (
	"testing"

	"pgtower/models"
)

// Only failed operations have an error: without what differs between operations, and with the hash of a text that was
// cut.
func TestErrorIsOfFailuresOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		op   models.Operation
		want string
	}{
		{models.Operation{Status: models.StatusFailed, Error: "no 5"}, "no …"},
		{models.Operation{Status: models.StatusError}, noReason},
		{models.Operation{Status: models.StatusFailed, Error: "no 5… (cut)", Cause: "no … of", CauseSum: 0xab1}, "no … of (cut, 00000ab1)"},
		{models.Operation{Status: models.StatusFailed, Error: "x… (cut)", Cause: "no shop of", CauseSum: 1}, "no … of (cut, 00000001)"},
		{models.Operation{Status: models.StatusRunning, Error: "no 5", FailuresCount: 1}, ""},
		{models.Operation{Status: models.StatusFinished}, ""},
	} {
		if got := Error(&c.op, "shop"); got != c.want {
			t.Errorf("the error of %+v is %q, not %q", c.op, got, c.want)
		}
	}
}
