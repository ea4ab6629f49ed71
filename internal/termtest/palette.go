package termtest

import (
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// palette is what a terminal's own settings decide: its default colours and the sixteen that
// programs ask for by number.
type palette struct {
	fg, bg color.RGBA
	basic  [16]color.RGBA
}

func newPalette(light bool) palette {
	if light {
		return palette{
			fg: rgb(0x24283a), bg: rgb(0xfcfcfa),
			basic: [16]color.RGBA{
				rgb(0x24283a), rgb(0xb3261e), rgb(0x2f7d32), rgb(0x8a6100),
				rgb(0x1f5fc4), rgb(0x8e3bb0), rgb(0x0f7580), rgb(0x8c93a3),
				rgb(0x646b7d), rgb(0xcc3b33), rgb(0x3b8f3e), rgb(0x9c7008),
				rgb(0x2f72da), rgb(0xa14fc4), rgb(0x178894), rgb(0x2f3447),
			},
		}
	}
	return palette{
		fg: rgb(0xd4d9e4), bg: rgb(0x12141c),
		basic: [16]color.RGBA{
			rgb(0x2a2f3d), rgb(0xf2777a), rgb(0x8fcf7f), rgb(0xe8bf6a),
			rgb(0x6fa8f5), rgb(0xc594e8), rgb(0x67cbd2), rgb(0xc8cfdc),
			rgb(0x727a8e), rgb(0xff9496), rgb(0xa9e29a), rgb(0xf7d48a),
			rgb(0x92bfff), rgb(0xd9b1f5), rgb(0x8be3e8), rgb(0xf4f6fb),
		},
	}
}

// resolve is the colour that a person sees for c, which is nil for the terminal's own.
func (p palette) resolve(c color.Color, own color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return own
	case ansi.BasicColor:
		return p.basic[c&15]
	case ansi.IndexedColor:
		if c < 16 {
			return p.basic[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff} //nolint:gosec // components have 16 bits
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff} //nolint:gosec // the lowest byte of each is meant
}
