package mock

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const blanks = " \t\r\n"

// textClauses splits the text form of a fault.
func textClauses(text string) ([]clause, error) {
	var out []clause
	s := scanner{text}
	for s.more() {
		c, err := s.clause()
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// scanner reads words from the beginning of a text.
type scanner struct{ rest string }

func (s *scanner) more() bool {
	s.rest = strings.TrimLeft(s.rest, blanks)
	return s.rest != ""
}

// until cuts off what comes before any of the characters.
func (s *scanner) until(any string) string {
	i := strings.IndexAny(s.rest, any)
	if i < 0 {
		i = len(s.rest)
	}
	word := s.rest[:i]
	s.rest = s.rest[i:]
	return word
}

func (s *scanner) clause() (clause, error) {
	name := s.until(blanks + "=")
	if strings.HasPrefix(s.rest, "=") {
		s.rest = s.rest[1:]
		value, err := s.value()
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return clause{name, value}, err
	}
	switch {
	case name == "of":
		return clause{name, s.requests()}, nil
	case strings.Trim(name, "0123456789") == "":
		return clause{"status", name}, nil
	}
	return clause{name, "true"}, nil
}

// requests reads what follows the word of.
func (s *scanner) requests() string {
	if !s.more() {
		return ""
	}
	value := s.until(blanks)
	if isMethod(value) && s.more() && s.rest[0] == '/' {
		value += " " + s.until(blanks)
	}
	return value
}

// value reads what follows an equals sign: a word, or a text in quotes.
func (s *scanner) value() (string, error) {
	if !strings.HasPrefix(s.rest, `"`) {
		return s.until(blanks), nil
	}
	quoted, err := strconv.QuotedPrefix(s.rest)
	if err != nil {
		return "", errors.New("the quoted value has no end, or cannot be read")
	}
	if s.rest = s.rest[len(quoted):]; s.rest != "" && !strings.ContainsRune(blanks, rune(s.rest[0])) {
		return "", errors.New("there is text right after the closing quote")
	}
	return strconv.Unquote(quoted)
}
