package mock

import "net/http"

// listKeys is GET /_mock/keys.
func (c *control) listKeys(r *http.Request) (any, *problem) { return c.server.current().listKeys(r) }

// createKey is POST /_mock/keys, which needs no key: nobody can lock himself out.
func (c *control) createKey(r *http.Request) (any, *problem) {
	var sent struct {
		Name *string `json:"name"`
	}
	if trouble := readObject(r, &sent); trouble != nil {
		return nil, trouble
	}
	if sent.Name == nil {
		return nil, newProblem(http.StatusUnprocessableEntity, "give a name")
	}
	if trouble := checkName(*sent.Name); trouble != nil {
		return nil, trouble
	}
	p := c.server.current()
	return p.newKey(*sent.Name, p.clock.now()), nil
}

// revokeKey is DELETE /_mock/keys/{key_id}.
func (c *control) revokeKey(r *http.Request) (any, *problem) { return c.server.current().revokeKey(r) }
