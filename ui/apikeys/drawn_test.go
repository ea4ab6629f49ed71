package apikeys

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// A key whose name some terminal draws otherwise can be revoked by typing what is drawn. If another name is drawn the same, the id is
// typed.
func TestRevokeByTheDrawnName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names  []string // the first one is revoked
		or     string
		byID   bool
		points string
	}{
		"plain":            {[]string{"ci", "CI"}, "ci", false, ""},
		"marks":            {[]string{"नेपाल", "नेपल"}, "नेपाल", false, ""},
		"an emoji's style": {[]string{"❤️ ci"}, "❤  ci", false, "U+2764 U+FE0F U+0020 U+0063 U+0069"},
		"drawn the same":   {[]string{"❤️", "❤"}, "", true, "U+2764 U+FE0F"},
		"the other one":    {[]string{"❤", "❤️"}, "", true, ""},
		"the same name":    {[]string{"❤️", "❤️"}, "❤", false, "U+2764 U+FE0F"},
	} {
		b := newBench(t, Options{}, c.names...)
		k := *b.keys.Row(0)
		for i := range b.keys.Len() {
			if row := b.keys.Row(i); row.Name == c.names[0] {
				k = *row
			}
		}
		asked := b.questions().about(&k, nil, true)
		want := c.names[0]
		if c.byID {
			want = strconv.FormatInt(k.ID, 10)
		}
		if asked.Type != want || asked.Or != c.or {
			t.Errorf("%s: type %q or %q, want %q or %q", name, asked.Type, asked.Or, want, c.or)
		}
		said := ""
		for _, l := range asked.Lines {
			said += l.Text
		}
		if !strings.HasSuffix(said, c.points) || (said == "") != (c.points == "") {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// In a terminal that counts code points, the dialog shows the name as typed.
func TestDialogDrawsTheName(t *testing.T) {
	t.Parallel()
	const name = "नेपाल ﾊﾟｽ"
	b := newBench(t, Options{}, name)
	old := *b.keys.Row(0)
	box := b.askAbout(old).View(page.Frame{Width: 100, Height: 40, Now: time.Now(), Theme: &style.Theme{}})
	drawn := ""
	for line := range strings.Lines(ansi.Strip(box)) {
		drawn += style.NormalizeWidth(line)
	}
	if !strings.Contains(drawn, "Revoke "+name+"?") {
		t.Error(drawn)
	}
}
