package models

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"pgtower/models/record"
)

// Fields are the fields of a record by their API names, and damage: texts, lists of texts, numbers and bools. What is
// missing is nil or an empty text.
type Fields map[string]any

// Text returns a field as a text; lists have spaces between their words. A field without a value is "".
func (f Fields) Text(name string) string {
	switch value := f[name].(type) {
	case nil:
		return ""
	case string:
		return value
	case []string:
		return strings.Join(value, " ")
	default:
		return fmt.Sprint(value)
	}
}

// ValuesOf returns the values of the fields of a record that the API has, and of its damage.
func ValuesOf[R any](fields []record.Field[R], row R) Fields {
	values := make(Fields, len(fields))
	for i := range fields {
		if f := &fields[i]; !f.Derived {
			values[f.Name] = valueOf(f.Get.Kind, f.Get.At(row, time.Time{}))
		}
	}
	return values
}

// valueOf returns a value for JSON.
func valueOf(kind record.Kind, v record.Value) any {
	switch {
	case kind == record.Moment:
		return Stamp(v.Time)
	case kind == record.ID:
		return identity(v.Text)
	case kind == record.Word:
		return v.Text
	case !v.Known:
		return nil
	case kind == record.YesNo:
		return v.Text == "yes"
	}
	return v.Number
}

// Fields returns the operation's fields.
func (o *Operation) Fields() Fields {
	return Fields{
		"id": identity(o.ID), "project_id": o.ProjectID,
		"branch_id": o.BranchID, "endpoint_id": o.EndpointID,
		"action": string(o.Action), "status": string(o.Status), "failures_count": o.FailuresCount,
		"created_at": Stamp(o.CreatedAt), "updated_at": Stamp(o.UpdatedAt),
		"retry_at": Stamp(o.RetryAt), "error": o.Error, "error_cut": known(Opt[bool]{o.ErrorCut(), o.ErrorCut()}),
		"gone":              known(Opt[bool]{o.Gone, o.Gone}),
		"damage":            o.Damage,
		"total_duration_ms": known(Opt[int64]{o.Total.Value.Milliseconds(), o.Total.Known}),
	}
}

// Fields returns the project's fields. Its id is also its project_id, so that one address of the service's console serves
// all pages.
func (p *Project) Fields() Fields {
	values := ValuesOf(projectFields, p)
	values["project_id"] = values["id"]
	return values
}

// Fields returns the key's fields.
func (k *APIKey) Fields() Fields {
	list := "account"
	if k.List.Org != "" {
		list = "organization"
	}
	return Fields{
		"list": list, "org_id": k.List.Org, "project_id": k.ProjectID, "created_by": k.CreatedBy,
		"id": known(Opt[int64]{k.ID, k.ID != 0}), "name": k.Name,
		"created_at": Stamp(k.CreatedAt), "last_used_at": Stamp(k.LastUsedAt.Value),
		"last_used_from_addr": k.LastUsedFromAddr, "damage": k.Damage,
	}
}

// identity returns an id, or "" if the service did not send one.
func identity(id string) string {
	if NoID(id) {
		return ""
	}
	return id
}

// known returns a value, or nil if it is unknown.
func known[T any](value Opt[T]) any {
	if !value.Known {
		return nil
	}
	return value.Value
}

// Stamp returns a time as the API writes it, with microseconds if it has any, or "" for a zero time.
func Stamp(t time.Time) string {
	layout := time.RFC3339Nano
	switch {
	case t.IsZero():
		return ""
	case t.Nanosecond()%1000 == 0 && t.Nanosecond() > 0:
		layout = "2006-01-02T15:04:05.000000Z07:00"
	}
	return t.UTC().Format(layout)
}

// Template is a text with placeholders: {name} is replaced by a field, {{ and }} by braces.
type Template struct{ parts []part }

// part is a text and the name of the placeholder after it, or "".
type part struct{ text, name string }

// ParseTemplate parses a template. known are the names of the fields; others are an error.
func ParseTemplate(text string, known []string) (Template, error) {
	var t Template
	var plain strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "{}")
		if at < 0 {
			break
		}
		plain.WriteString(text[:at])
		rest := text[at+1:]
		if strings.HasPrefix(rest, text[at:at+1]) {
			plain.WriteByte(text[at])
			text = rest[1:]
			continue
		}
		name, after, closed := strings.Cut(rest, "}")
		switch {
		case text[at] == '}' || !closed:
			return Template{}, errors.New("must have placeholders such as {name}, and {{ or }} for a brace")
		case !slices.Contains(known, name):
			names := slices.Compact(slices.Sorted(slices.Values(known)))
			return Template{}, Unknown("field", name, names)
		}
		t.parts = append(t.parts, part{plain.String(), name})
		plain.Reset()
		text = after
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
	return t.Expand(fields, func(value string) (string, error) { return value, nil })
}

// URL replaces the placeholders of an address, escaping each field for its path or query.
func (t Template) URL(fields Fields) (string, error) {
	return t.Expand(fields, func(value string) (string, error) {
		if value == "." || value == ".." {
			return "", fmt.Errorf("%q cannot be a part of an address", value)
		}
		return strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), nil
	})
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
