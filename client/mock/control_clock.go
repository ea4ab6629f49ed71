package mock

import (
	"net/http"
	"time"
)

// wireClock is the simulated time.
type wireClock struct {
	Now   time.Time `json:"now"`
	Start time.Time `json:"start"`
	Speed float64   `json:"speed"`
}

// readClock is GET /_mock/clock.
func (c *control) readClock(*http.Request) (any, *problem) {
	return c.server.platform.wireClock(), nil
}

func (s *platform) wireClock() wireClock {
	now, speed := s.clock.reading()
	return wireClock{now, s.start, speed}
}

// setClock is POST /_mock/clock. What it changes it changes together or not at all.
func (c *control) setClock(r *http.Request) (any, *problem) {
	var change struct {
		Speed   *float64 `json:"speed"`
		Advance *string  `json:"advance"`
	}
	if trouble := readObject(r, &change); trouble != nil {
		return nil, trouble
	}
	if change.Speed == nil && change.Advance == nil {
		return nil, newProblem(http.StatusUnprocessableEntity, "give speed, advance, or both")
	}
	p := c.server.platform
	speed, ahead := p.clock.pace(), time.Duration(0)
	if change.Speed != nil {
		speed = *change.Speed
	}
	err := checkSpeed(speed)
	if err == nil && change.Advance != nil {
		ahead, err = ParseSpan(*change.Advance)
	}
	if err == nil {
		err = p.clock.advance(ahead)
	}
	if err == nil {
		err = p.clock.setSpeed(speed)
	}
	if err != nil {
		return nil, unacceptable(err)
	}
	return c.readClock(r)
}
