// Package shell spells words for the shells of POSIX: the commands that the program prints are pasted there.
package shell

import "strings"

// plain are the characters that no shell treats specially, wherever they are in a word.
const plain = "-_." + "0123456789" + "abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Word returns a text as one word of a command.
func Word(text string) string {
	if Plain(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Plain reports whether a text is one word as it is.
func Plain(text string) bool { return text != "" && strings.Trim(text, plain) == "" }

// Line returns a command in which each text is one word.
func Line(words ...string) string {
	spelled := make([]string, len(words))
	for i, word := range words {
		spelled[i] = Word(word)
	}
	return strings.Join(spelled, " ")
}
