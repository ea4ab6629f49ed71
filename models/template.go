package models

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Template is a text with placeholders: {name} is replaced by a field, {{ and }} by braces.
type Template struct{ parts []part }

// part is a text and the name of the placeholder after it, or "".
type part struct{ text, name string }

// ParseTemplate parses a template. fields are the names of the fields; others are an error.
func ParseTemplate(text string, fields []string) (Template, error) {
	var t Template
	var plain strings.Builder
	for text != "" {
		brace := strings.IndexAny(text, "{}")
		if brace < 0 {
			break
		}
		plain.WriteString(text[:brace])
		rest := text[brace+1:]
		if strings.HasPrefix(rest, text[brace:brace+1]) {
			plain.WriteByte(text[brace])
			text = rest[1:]
			continue
		}
		name, tail, closed := strings.Cut(rest, "}")
		switch {
		case text[brace] == '}' || !closed:
			return Template{}, errors.New("must have placeholders such as {name}, and {{ or }} for a brace")
		case !slices.Contains(fields, name):
			names := slices.Compact(slices.Sorted(slices.Values(fields)))
			return Template{}, Unknown("field", name, names)
		}
		t.parts = append(t.parts, part{plain.String(), name})
		plain.Reset()
		text = tail
	}
	t.parts = append(t.parts, part{text: plain.String() + text})
	return t, nil
}

// Names returns the fields that the template needs.
func (t Template) Names() []string {
	names := map[string]bool{}
	for _, p := range t.parts {
		if p.name != "" {
			names[p.name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// IsZero reports whether there is no template.
func (t Template) IsZero() bool { return len(t.parts) == 0 }

// Expand replaces the placeholders by escaped fields. An empty field is an error.
func (t Template) Expand(fields Fields, escape func(string) (string, error)) (string, error) {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.name == "" {
			continue
		}
		value := fields.Text(p.name)
		if value == "" {
			return "", fmt.Errorf("the row has no %s", p.name)
		}
		escaped, err := escape(value)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.name, err)
		}
		b.WriteString(escaped)
	}
	return b.String(), nil
}

// Arguments replaces the placeholders in the arguments of a program; each field stays within its argument. Unless
// dashes is set, a field that makes an argument begin with a dash is an error, because a program would take it for an
// option.
func Arguments(args []string, fields Fields, dashes bool) ([]string, error) {
	out := make([]string, len(args))
	for i, arg := range args {
		t, err := ParseTemplate(arg, slices.Collect(maps.Keys(fields)))
		if err != nil {
			return nil, err
		}
		out[i], err = t.Text(fields)
		if err != nil {
			return nil, err
		}
		if !dashes && strings.HasPrefix(out[i], "-") && !strings.HasPrefix(arg, "-") {
			const want = "the argument %q would begin with a dash; only a command can allow that, by allow_dash"
			return nil, fmt.Errorf(want, out[i])
		}
	}
	return out, nil
}

// Text replaces the placeholders by the fields, unescaped.
func (t Template) Text(fields Fields) (string, error) {
	return t.Expand(fields, unescaped)
}

func unescaped(value string) (string, error) { return value, nil }

// URL replaces the placeholders of an address, escaping each field for its path or query.
func (t Template) URL(fields Fields) (string, error) {
	return t.Expand(fields, escapedForURL)
}

func escapedForURL(value string) (string, error) {
	if value == "." || value == ".." {
		return "", fmt.Errorf("%q cannot be a part of an address", value)
	}
	return strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), nil
}

// CheckURL returns nil if the template is a web address with a fixed host.
func (t Template) CheckURL() error {
	fields := Fields{}
	for _, name := range t.Names() {
		fields[name] = "x"
	}
	address, err := t.URL(fields)
	if err != nil {
		return err
	}
	u, err := url.Parse(address)
	fixed := strings.Count(t.parts[0].text, "/") >= 3 // two of the scheme, and the one after the host
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		!fixed || address != Clean(address) {
		return errors.New("must be an address such as https://console.example/projects/{project_id}")
	}
	return nil
}
