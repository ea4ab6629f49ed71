package announce

import "strings"

// Prompt is the one line that stays on the screen: where one is or, while a text is
// typed, that text. Nothing in it changes with time.
type Prompt struct {
	// Before and After are what stands on either side of the cursor.
	Before, After string
}

// Prompt makes the line of a scene.
func (c *Description) Prompt(help string) Prompt {
	switch {
	case c.Shown != "":
		return Prompt{Before: c.Shown}
	case c.Field != nil && c.Field.Masked:
		return Prompt{Before: Plain(c.Field.Label) + ": "}
	case c.Field != nil:
		return Prompt{Before: Plain(c.Field.Label) + ": " + text(c.Field.Before), After: text(c.Field.After)}
	case c.Over || help == "":
		return Prompt{Before: Plain(c.Name) + " "}
	}
	return Prompt{Before: Plain(c.Name) + ", " + help + " "}
}

// text is what was typed without the signs that cannot be read out, but with all of its
// spaces: the cursor stands among them.
func text(s string) string {
	return strings.Map(func(r rune) rune {
		if Readable(r) {
			return r
		}
		return '?'
	}, s)
}
