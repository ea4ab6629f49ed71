package mock

import "net/http"

// handle is one thing that the control surface does.
type handle struct {
	method, path, does, body string
	do                       endpoint
}

// handles is all of them, in the order in which people read them.
func (c *control) handles() []handle {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	const operations = "/projects/{project_id}/operations"
	return []handle{
		{get, "/clock", "the simulated time, when it began, and its speed", "", c.readClock},
		{post, "/clock", "set the speed, advance the time, or both", `{"speed": 10, "advance": "1h"}`, c.setClock},
		{get, "/faults", "the faults that were not removed, spent ones included", "", c.listFaults},
		{post, "/faults", "add a fault", "429 of list_operations p=0.1 retry-after=2", c.addFault},
		{del, "/faults", "remove all faults", "", c.clearFaults},
		{del, "/faults/{fault_id}", "remove a fault", "", c.removeFault},
		{post, operations, "start an operation", `{"action": "create_branch", "wait": "1s", "run": "5s", "fail": false}`, c.startOperation},
		{post, operations + "/{operation_id}/fail", "make an operation that has not ended fail", "", c.failOperation},
	}
}

// wireIndex is the answer to GET /_mock/.
type wireIndex struct {
	API     string       `json:"api"`
	Control []wireHandle `json:"control"`
	Faults  wireGrammar  `json:"faults"`
}

type wireHandle struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Does   string `json:"does"`
	Body   string `json:"body,omitempty"`
}

// index is GET /_mock/.
func (c *control) index(*http.Request) (any, *problem) {
	out := wireIndex{API: BasePath, Faults: newGrammar()}
	for _, h := range c.handles() {
		out.Control = append(out.Control, wireHandle{h.method, ControlPath + h.path, h.does, h.body})
	}
	return out, nil
}
