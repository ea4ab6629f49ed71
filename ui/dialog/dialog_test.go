package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func frame(width, height int) page.Frame {
	return page.Frame{Width: width, Height: height, Theme: style.NewTheme(true, colorprofile.TrueColor)}
}

func TestBox(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Revoke?", strings.Repeat("東京", 60)} {
		for width := 14; width < 130; width += 3 {
			for _, height := range []int{4, 8, 24} {
				f := frame(width, height)
				lines := []string{"first"}
				for i := range 12 {
					lines = append(lines, fmt.Sprint(i))
				}
				box := ansi.Strip(dialog.Box(f, title, append(lines, "last")))
				got := strings.Split(box, "\n")
				if len(got) > height || !strings.Contains(box, "last") || height > 4 && !strings.Contains(box, "first") {
					t.Errorf("%d×%d: wrong lines in\n%s", width, height, box)
				}
				if width >= 20 && !strings.Contains(got[0], " "+string([]rune(title)[:2])) {
					t.Errorf("%d×%d: no title in %s", width, height, got[0])
				}
				for _, line := range got {
					if ansi.StringWidth(line) != dialog.Width(f) {
						t.Errorf("%d×%d: %d cells in %q", width, height, ansi.StringWidth(line), line)
					}
				}
			}
		}
	}
}

func TestButtons(t *testing.T) {
	t.Parallel()
	got := ansi.Strip(dialog.Buttons(frame(80, 24), 1, dialog.Button{Label: "Cancel"}, dialog.Button{Label: "Revoke", Danger: true}))
	if strings.TrimSpace(got) != "Cancel   [ Revoke ]" || ansi.StringWidth(got) != dialog.Inner(frame(80, 24)) {
		t.Errorf("%q", got)
	}
}
