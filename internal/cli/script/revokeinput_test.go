package script

import (
	"strings"
	"testing"
)

// A shell of Windows begins what it pipes with a byte order mark.
func TestRevokeInputWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	all, err := readWanted(strings.NewReader("\uFEFF" + `{"list":"account","id":7,"name":"ci"}` + "\r\n"))
	if err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
