package mock

import (
	"net/http"
	"strconv"
)

// wireFault is a fault that was added and not removed.
type wireFault struct {
	ID     int64  `json:"id"`
	Fault  string `json:"fault"` // as [ParseFault] reads it
	Passed int    `json:"passed"`
	Hits   int    `json:"hits"`
	Spent  bool   `json:"spent"`
}

func newWireFault(f ActiveFault) wireFault {
	return wireFault{f.ID, f.String(), f.Passed, f.Hits, f.Spent()}
}

// wireFaults is the list of them.
type wireFaults struct {
	Faults []wireFault `json:"faults"`
}

// listFaults is GET /_mock/faults.
func (c *control) listFaults(*http.Request) (any, *problem) {
	out := wireFaults{Faults: []wireFault{}}
	for _, f := range c.server.Faults() {
		out.Faults = append(out.Faults, newWireFault(f))
	}
	return out, nil
}

// addFault is POST /_mock/faults. The body is what [ParseFault] reads, whatever content
// type it claims to have.
func (c *control) addFault(r *http.Request) (any, *problem) {
	body, trouble := readBody(r)
	if trouble != nil {
		return nil, trouble
	}
	f, err := ParseFault(string(body))
	if err != nil {
		return nil, problemOf(http.StatusBadRequest, err)
	}
	return newWireFault(c.server.platform.inject(f)), nil
}

// removeFault is DELETE /_mock/faults/{fault_id}.
func (c *control) removeFault(r *http.Request) (any, *problem) {
	id, trouble := pathID(r, "fault_id")
	if trouble != nil {
		return nil, trouble
	}
	if !c.server.Remove(id) {
		return nil, newProblem(http.StatusNotFound, "there is no such fault")
	}
	return c.listFaults(r)
}

// clearFaults is DELETE /_mock/faults.
func (c *control) clearFaults(r *http.Request) (any, *problem) {
	c.server.ClearFaults()
	return c.listFaults(r)
}

// pathID reads a number out of the path.
func pathID(r *http.Request, name string) (int64, *problem) {
	raw := r.PathValue(name)
	id, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != raw {
		return 0, newProblem(http.StatusBadRequest, "%s is not a 64-bit integer", name)
	}
	return id, nil
}
