package mock

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// clause is one word of a fault with its value.
type clause struct{ name, value string }

// String writes the clause in the text form.
func (c clause) String() string {
	switch c.name {
	case "status":
		return c.value
	case "reset", "empty", "truncate", "carry-out":
		return c.name
	case "of":
		if parts := strings.Split(c.value, " "); !slices.ContainsFunc(parts, quotable) &&
			(len(parts) == 1 || len(parts) == 2 && isMethod(parts[0])) {
			return "of " + c.value
		}
	}
	if quotable(c.value) {
		return c.name + "=" + strconv.Quote(c.value)
	}
	return c.name + "=" + c.value
}

// quotable says that a value is read as itself in quotes only.
func quotable(value string) bool {
	return value == "" || strconv.Quote(value) != `"`+value+`"` || strings.ContainsAny(value, blanks)
}

// faultReader gathers a fault from its clauses.
type faultReader struct {
	fault Fault
	seen  map[string]bool
}

// set gives the fault what a clause says.
func (r *faultReader) set(c clause) error {
	if r.seen[c.name] {
		return fmt.Errorf("%s is given twice", c.name)
	}
	r.seen[c.name] = true
	f, err := &r.fault, error(nil)
	switch c.name {
	case "status":
		f.Status, err = status(c.value)
	case "retry-after":
		f.RetryAfter, err = seconds(c.value)
		f.RetryAtOnce = err == nil && f.RetryAfter == 0
	case "latency":
		f.Latency, f.Jitter, err = latency(c.value)
	case "trickle":
		f.Trickle, err = positive(c.value)
	case "type":
		f.ContentType, err = text(c.value)
	case "body":
		f.Body, err = text(c.value)
	case "p":
		f.Probability, err = share(c.value)
	case "skip":
		f.Skip, err = strconv.Atoi(c.value)
	case "count":
		f.Count, err = times(c.value)
	case "of":
		f.Method, f.Path, err = requests(c.value)
	default:
		return r.setFlag(c)
	}
	if err != nil {
		return fmt.Errorf("%s: %q is not %s", c.name, c.value, meaning(c.name))
	}
	return nil
}

// setFlag sets what is there or not.
func (r *faultReader) setFlag(c clause) error {
	f := &r.fault
	flags := map[string]*bool{"reset": &f.Reset, "empty": &f.Empty, "truncate": &f.Truncate, "carry-out": &f.CarryOut}
	flag, ok := flags[c.name]
	if !ok {
		return fmt.Errorf("%q is not a word of a fault: these are a status, %s", c.name, strings.Join(faultWords(), ", "))
	}
	var err error
	if *flag, err = strconv.ParseBool(c.value); err != nil {
		return fmt.Errorf("%s: %q is not %s", c.name, c.value, meaning(c.name))
	}
	return nil
}

// clauses are the words that say the same as the fault.
func (f Fault) clauses() []clause {
	var out []clause
	add := func(there bool, name, value string) {
		if there {
			out = append(out, clause{name, value})
		}
	}
	add(f.Status != 0, "status", strconv.Itoa(f.Status))
	add(f.RetryAfter > 0 || f.RetryAtOnce, "retry-after", secondsText(f.RetryAfter))
	add(f.Reset, "reset", "true")
	add(f.Empty, "empty", "true")
	add(f.Truncate, "truncate", "true")
	add(f.Trickle > 0, "trickle", f.Trickle.String())
	add(f.ContentType != "", "type", f.ContentType)
	add(f.Body != "", "body", f.Body)
	add(f.CarryOut, "carry-out", "true")
	spread := f.Latency.String()
	if f.Jitter > 0 {
		spread += "±" + f.Jitter.String()
	}
	add(f.Latency > 0, "latency", spread)
	add(f.Method != "" || f.Path != "", "of", f.requests())
	add(f.Probability > 0, "p", strconv.FormatFloat(f.Probability, 'g', -1, 64))
	add(f.Skip > 0, "skip", strconv.Itoa(f.Skip))
	add(f.Count > 0, "count", strconv.Itoa(f.Count))
	return out
}
