package style

// palette is a set of colours, as RGB or as a number of the 256 colours.
type palette struct {
	muted, accent, good, active, waiting, bad, rule      string
	focusedText                                          string // on accent and bad, the terminal's background if empty
	heading                                              string // behind muted; if empty, column titles are underlined
	selected, selectedText, selectedWaiting, selectedBad string // if selected is empty, the terminal's colours, swapped
	done, doneText                                       string // behind a bar that finished; Good, swapped, if done is empty
}

// The rows of [palettes].
const (
	trueColour = iota
	indexed    // 256 colours: the nearest ones to the selection are teal and lilac, so it is grey
	basic      // 16 colours, which the user chose; see below
	highContrast
	indexedContrast // few of the 256 are dark enough for 7:1 on a light background
)

// palettes has the palettes for a light background, and then for a dark one. Text colours have a contrast of at least
// 4.5:1 against common terminal backgrounds; in high contrast it is 7:1, and rules are as visible as text.
//
// On a light background the basic green, cyan, yellow and grey are unreadable with their common values: they are
// replaced by black or magenta. The brightness of basic colours differs between terminals, so none is on another one.
var palettes = [...][2]palette{
	trueColour: {
		{
			"240", "#0a58c4", "#1b6e2c", "#0b6380", "#845400", "#b4232a", "250", "#ffffff",
			"#e6e9ef", "#d5e4fb", "232", "#7a4d00", "#a81f26", "#27804d", "#ffffff",
		},
		{
			"248", "#7fb4ff", "114", "#6fd3e8", "#e8b96a", "210", "240", "#10151f", "#343b48",
			"#2b3a57", "255", "#e8b96a", "217", "#46a56b", "#04120a",
		},
	},
	indexed: {
		{
			"240", "#0a58c4", "#1b6e2c", "#0b6380", "#845400", "#b4232a", "250", "#ffffff", "254",
			"253", "232", "58", "#a81f26", "28", "231",
		},
		{"248", "#7fb4ff", "114", "#6fd3e8", "#e8b96a", "210", "240", "#10151f", "236", "238", "255", "#e8b96a", "217", "71", "16"},
	},
	basic: {
		{muted: "0", accent: "4", good: "0", active: "4", waiting: "5", bad: "1", rule: "8", selectedWaiting: "5", selectedBad: "1"},
		{
			muted: "7", accent: "14", good: "10", active: "14", waiting: "11", bad: "9", rule: "8",
			selectedWaiting: "11", selectedBad: "9",
		},
	},
	highContrast: {
		{
			"#2b313b", "#00327d", "#004d12", "#003f54", "#4f3200", "#7d000c", "#555d69", "#ffffff",
			"#e2e5ea", "#000000", "#ffffff", "#ffd866", "#ffb3b3", "", "",
		},
		{
			"#d7dbe3", "#a8d4ff", "#8dfb97", "#8af0ff", "#ffd866", "#ffb3b3", "#a7afbd", "#000000",
			"#33383f", "#ffffff", "#000000", "#4f3200", "#7d000c", "", "",
		},
	},
	indexedContrast: {
		{
			"235", "17", "#004d12", "17", "53", "#7d000c", "#555d69", "#ffffff", "254",
			"#000000", "#ffffff", "#ffd866", "#ffb3b3", "", "",
		},
		{
			"#d7dbe3", "#a8d4ff", "#8dfb97", "#8af0ff", "#ffd866", "#ffb3b3", "#a7afbd", "#000000",
			"236", "#ffffff", "#000000", "53", "#7d000c", "", "",
		},
	},
}
