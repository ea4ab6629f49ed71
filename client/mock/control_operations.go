package mock

import (
	"errors"
	"net/http"
	"time"
)

// startOperation is POST /_mock/projects/{project_id}/operations.
func (c *control) startOperation(r *http.Request) (any, *problem) {
	var sent struct {
		Action string `json:"action"`
		Wait   string `json:"wait"`
		Run    string `json:"run"`
		Fail   bool   `json:"fail"`
	}
	p := c.server.platform
	if _, trouble := p.project(r); trouble != nil {
		return nil, trouble
	}
	if trouble := readObject(r, &sent); trouble != nil {
		return nil, trouble
	}
	t := Task{ProjectID: r.PathValue("project_id"), Action: sent.Action, Fail: sent.Fail}
	for text, d := range map[*string]*time.Duration{&sent.Wait: &t.Wait, &sent.Run: &t.Run} {
		if *text == "" {
			continue
		}
		var err error
		if *d, err = time.ParseDuration(*text); err != nil {
			return nil, unacceptable(err)
		}
	}
	op, err := p.startTask(t)
	if err != nil {
		return nil, unacceptable(err)
	}
	return wireOperationAnswer{op}, nil
}

// failOperation is POST /_mock/projects/{project_id}/operations/{operation_id}/fail.
func (c *control) failOperation(r *http.Request) (any, *problem) {
	p := c.server.platform
	if _, trouble := p.project(r); trouble != nil {
		return nil, trouble
	}
	op, err := p.fail(r.PathValue("project_id"), r.PathValue("operation_id"))
	switch {
	case errors.Is(err, ErrNoOperation):
		return nil, problemOf(http.StatusNotFound, err)
	case err != nil:
		return nil, problemOf(http.StatusConflict, err)
	}
	return wireOperationAnswer{op}, nil
}
