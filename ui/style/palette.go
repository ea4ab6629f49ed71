package style

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// palette names the colours by what they are for. Text colours keep a contrast of at
// least 4.5:1 against the backgrounds that terminals commonly have. What most lines have
// is one of the 256 colours, half as long to say as one of 24 bits.
type palette struct {
	muted, accent, good, active, waiting, bad color.Color
	rule                                      color.Color
	brandText                                 color.Color // on accent
	selected, selectedText                    color.Color
}

func darkPalette() palette {
	return palette{
		muted:        grey(248),
		accent:       lipgloss.Color("#7fb4ff"),
		good:         lipgloss.ANSIColor(114),
		active:       lipgloss.Color("#6fd3e8"),
		waiting:      lipgloss.Color("#e8b96a"),
		bad:          lipgloss.ANSIColor(210),
		rule:         grey(240),
		brandText:    lipgloss.Color("#10151f"),
		selected:     lipgloss.Color("#2b3a57"),
		selectedText: grey(255),
	}
}

func lightPalette() palette {
	return palette{
		muted:        grey(240),
		accent:       lipgloss.Color("#0a58c4"),
		good:         lipgloss.Color("#1b6e2c"),
		active:       lipgloss.Color("#0b6380"),
		waiting:      lipgloss.Color("#845400"),
		bad:          lipgloss.Color("#b4232a"),
		rule:         grey(250),
		brandText:    lipgloss.Color("#ffffff"),
		selected:     lipgloss.Color("#d5e4fb"),
		selectedText: grey(232),
	}
}

// highContrastPalette keeps at least 7:1 wherever there is text, and rules that are as
// easy to see as text.
func highContrastPalette(dark bool) palette {
	if dark {
		return palette{
			muted:        lipgloss.Color("#d7dbe3"),
			accent:       lipgloss.Color("#a8d4ff"),
			good:         lipgloss.Color("#8dfb97"),
			active:       lipgloss.Color("#8af0ff"),
			waiting:      lipgloss.Color("#ffd866"),
			bad:          lipgloss.Color("#ffb3b3"),
			rule:         lipgloss.Color("#a7afbd"),
			brandText:    lipgloss.Color("#000000"),
			selected:     lipgloss.Color("#ffffff"),
			selectedText: lipgloss.Color("#000000"),
		}
	}
	return palette{
		muted:        lipgloss.Color("#2b313b"),
		accent:       lipgloss.Color("#00327d"),
		good:         lipgloss.Color("#004d12"),
		active:       lipgloss.Color("#003f54"),
		waiting:      lipgloss.Color("#4f3200"),
		bad:          lipgloss.Color("#7d000c"),
		rule:         lipgloss.Color("#555d69"),
		brandText:    lipgloss.Color("#ffffff"),
		selected:     lipgloss.Color("#000000"),
		selectedText: lipgloss.Color("#ffffff"),
	}
}

// indexedPalette is for terminals of 256 colours. The nearest of those to the selection
// are teal and lilac: a grey is nearer to what is meant.
func indexedPalette(dark bool) palette {
	if dark {
		p := darkPalette()
		p.selected = grey(238)
		return p
	}
	p := lightPalette()
	p.selected = grey(253)
	return p
}

// indexedContrastPalette is that of high contrast for terminals of 256 colours, of which
// few are dark enough for 7:1 on a light background.
func indexedContrastPalette(dark bool) palette {
	p := highContrastPalette(dark)
	if !dark {
		p.muted, p.accent, p.active = grey(235), lipgloss.ANSIColor(17), lipgloss.ANSIColor(17)
		p.waiting = lipgloss.ANSIColor(53)
	}
	return p
}

// grey is one of the greys from 232, nearly black, to 255, nearly white.
func grey(index uint8) color.Color { return lipgloss.ANSIColor(index) }

// basicPalette keeps to the sixteen colours whose look the person chose. On a light
// background green, cyan, yellow and grey cannot be read with the values that terminals
// commonly give them: what has those colours elsewhere is black there, or magenta.
func basicPalette(dark bool) palette {
	p := palette{
		rule:         lipgloss.BrightBlack,
		brandText:    lipgloss.BrightWhite,
		selected:     lipgloss.Blue,
		selectedText: lipgloss.BrightWhite,
	}
	if dark {
		p.muted, p.accent, p.bad = lipgloss.White, lipgloss.BrightCyan, lipgloss.BrightRed
		p.good, p.active, p.waiting = lipgloss.BrightGreen, lipgloss.BrightCyan, lipgloss.BrightYellow
		p.brandText = lipgloss.Black
		return p
	}
	p.muted, p.accent, p.bad = lipgloss.Black, lipgloss.Blue, lipgloss.Red
	p.good, p.active, p.waiting = lipgloss.Black, lipgloss.Blue, lipgloss.Magenta
	return p
}
