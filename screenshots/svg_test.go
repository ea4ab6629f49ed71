package screenshots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

// screenOf returns a screen of equally long lines; a wide character is followed by "\x00" for its second column.
func screenOf(style termtest.Cell, lines ...string) termtest.Screen {
	s := termtest.Screen{
		Rows: len(lines),
		Fg:   color.RGBA{R: 0xee, G: 0xee, B: 0xee, A: 0xff},
		Bg:   color.RGBA{R: 0x11, G: 0x11, B: 0x11, A: 0xff},
	}
	for _, text := range lines {
		var line []termtest.Cell
		for _, r := range text {
			cell := style
			cell.Text, cell.Width, cell.Fg, cell.Bg = string(r), 1, s.Fg, s.Bg
			if r == 0 {
				cell.Text, cell.Width = "", 0
				line[len(line)-1].Width = 2
			}
			line = append(line, cell)
		}
		s.Cols = len(line)
		s.Cells = append(s.Cells, line)
	}
	return s
}

func drawSVG(s termtest.Screen, title string) []byte {
	return animation{title: title, frames: []frame{{screen: s, title: title}}}.draw()
}

// Texts are as wide as their cells, whatever font a viewer has.
func TestTextIsPinnedToItsCells(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		style      termtest.Cell
		want       []string
	}{
		{"one run a phrase", "two words  apart ", termtest.Cell{}, []string{
			`<text x="0" y="15" textLength="81" lengthAdjust="spacingAndGlyphs" fill="#eeeeee">two words</text>`,
			`<text x="99" y="15" textLength="45" lengthAdjust="spacingAndGlyphs" fill="#eeeeee">apart</text>`,
		}},
		{"escaped", `<"&'>`, termtest.Cell{}, []string{`&lt;&#34;&amp;&#39;&gt;</text>`}},
		{"no ligatures", "a->b", termtest.Cell{}, []string{`>a-</text>`, `>&gt;b</text>`}},
		{"wide characters on their own", "a日\x00b", termtest.Cell{}, []string{
			`<text x="18" y="15" text-anchor="middle" fill="#eeeeee">日</text>`,
			`<text x="27" y="15" textLength="9"`,
		}},
		{"attributes", "x", termtest.Cell{Bold: true, Faint: true, Underline: true}, []string{
			`fill="#808080" font-weight="bold">x<`, `d="M0 17.5h9"`,
		}},
		{"boxes are lines that join", "╭──", termtest.Cell{}, []string{`d="M4.5 20V15Q4.5 10.5 9 10.5M9 10.5h18"`}},
		{"blocks are shapes", "▌▄█", termtest.Cell{}, []string{`d="M0 0h5v20h-5zM9 10h9v10h-9zM18 0h9v20h-9z"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			svg := string(drawSVG(screenOf(test.style, test.line), "title"))
			for _, want := range test.want {
				if !strings.Contains(svg, want) {
					t.Errorf("no %s in\n%s", want, svg)
				}
			}
		})
	}
}

// Backgrounds and the cursor are drawn at their cells.
func TestBackgroundsAndCursor(t *testing.T) {
	t.Parallel()
	s := screenOf(termtest.Cell{}, "abcd", "efgh")
	for x := 1; x < 3; x++ {
		s.Cells[1][x].Bg = color.RGBA{R: 0xff, A: 0xff}
	}
	s.Cursor.X, s.Cursor.Y, s.CursorVisible = 3, 0, true
	svg := string(drawSVG(s, ""))
	for _, want := range []string{`<path fill="#ff0000" d="M9 20h18v20h-18z"/>`, `<path fill="#eeeeee" d="M27 1h2v18h-2z"/>`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

// A picture is well-formed, and two of the same screen are equal.
func TestPicturesAreXMLAndRepeatable(t *testing.T) {
	t.Parallel()
	s := screenOf(termtest.Cell{Underline: true}, `╭─ <&> ░▒▓ ╭─╮`, `│ "日`+"\x00"+`本`+"\x00"+`" ▁▃▅ ╰─╯`)
	svg := drawSVG(s, `a "title" <b>`)
	if !bytes.Equal(svg, drawSVG(s, `a "title" <b>`)) {
		t.Error("two pictures of one screen differ")
	}
	checkXML(t, string(svg))
}

// checkXML checks that a picture is well-formed.
func checkXML(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
}
