package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const maxRaw = 5_000 // the maximum number of lines of JSON to show: no operation has more

// details are all fields of the selected row: in place of the table if they are open, or in the [pane].
type details struct {
	open          bool
	scroll        int  // the first line drawn
	lines, height int  // as last drawn
	raw           *raw // their other tab, or nil
}

// raw is a tab of open details: a row as the service sends it, read when the user goes there.
type raw struct {
	session *page.Session
	key     Key
	lines   []string
}

// show shows the answer, or why there is none.
func (r *raw) show(got []byte, err error) tea.Cmd {
	r.lines = rawLines(got)
	if err != nil {
		r.lines = []string{"✗ Could not read it: " + err.Error()}
		r.session.Emit(page.Failed{Err: err})
	}
	return nil
}

// show opens the details, or closes them.
func (d *details) show(open bool) { d.open, d.scroll, d.raw = open, 0, nil }

func (d *details) scrollBy(lines int) { d.scroll = max(0, min(d.scroll+lines, d.lines-d.height)) }

// scrollPages scrolls open details by pages, which have a line in common.
func (d *details) scrollPages(pages int) { d.scrollBy(pages * (d.height - 1)) }

// scrollable reports whether open details have lines that are not on the screen.
func (d *details) scrollable() bool { return d.open && d.lines > d.height }

// rawOf returns the other tab if the details show that of a row, or nil.
func (d *details) rawOf(key Key) *raw {
	if d.raw != nil && d.raw.key == key {
		return d.raw
	}
	return nil
}

func rawLines(got []byte) []string {
	var out bytes.Buffer
	_ = json.Indent(&out, got, "", "  ") // the JSON is valid
	lines := strings.Split(out.String(), "\n")
	over := len(lines) - maxRaw
	if over > 0 {
		lines = append(lines[:maxRaw], fmt.Sprintf("… and %s more lines", style.Count(over)))
	}
	for i := range lines {
		lines[i] = models.Clean(lines[i])
	}
	return lines
}
