package mock

import (
	"fmt"
	"strings"
)

// maxFaultText is the longest text of a fault, in bytes.
const maxFaultText = 64 << 10

// ParseFault reads a fault from text, which is words in any order:
//
//	429                       an answer with this status, 200 to 599
//	retry-after=2             beside a status; seconds from 0, or a duration such as 1m30s
//	latency=100ms±50ms        a wait, and how far it varies (also +-)
//	reset, empty              no answer: a reset, or an orderly end
//	truncate, trickle=10s     half a body; a body that comes piece by piece over this time
//	type=text/html            another content type
//	body="<h1>no</h1>"        another body
//	carry-out                 the request is carried out behind a status, reset or empty
//	of list_operations        of one endpoint: create_key, list_keys, revoke_key,
//	                          list_projects, list_operations or get_operation
//	of GET /projects/*/operations
//	                          of a method, of a path pattern as in [Fault], or of both
//	p=0.1 skip=3 count=2      of a share of the requests, after the first 3, twice
//
// Values with spaces are quoted as in Go.
//
// The error names the word that cannot be read, or says what cannot be: a path that is
// none of an endpoint's is refused, because nothing would ever be hit.
func ParseFault(text string) (Fault, error) {
	f, err := parseFault(text)
	if err != nil {
		return Fault{}, fmt.Errorf("mock: fault: %w", err)
	}
	return f, nil
}

func parseFault(text string) (Fault, error) {
	if len(text) > maxFaultText {
		return Fault{}, fmt.Errorf("it is longer than %d bytes", maxFaultText)
	}
	clauses, err := textClauses(text)
	if err != nil {
		return Fault{}, err
	}
	r := faultReader{seen: map[string]bool{}}
	for _, c := range clauses {
		if err := r.set(c); err != nil {
			return Fault{}, err
		}
	}
	return r.fault, r.fault.check()
}

// String returns the fault as [ParseFault] reads it.
func (f Fault) String() string {
	var b strings.Builder
	for _, c := range f.clauses() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.String())
	}
	return b.String()
}
