package operations

import (
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/moment"
	"pgtower/ui/action"
)

var intervals = []time.Duration{
	time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second,
	15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
}

// timeArg is a time in the past, in the zone of the screen. Each proposal has the full time beside it.
func timeArg(l *live, example string, run func(instant time.Time) tea.Cmd) *action.Arg {
	p := pastTime{l, run}
	return &action.Arg{Example: example, Complete: p.complete, Parse: p.parse}
}

// pastTime reads its argument again when it is used: 3d counts back from then.
type pastTime struct {
	live *live
	run  func(instant time.Time) tea.Cmd
}

func (p pastTime) read(text string) (instant time.Time, now moment.Now, err error) {
	const wanted = "is not a time such as 3d, 14:32, yesterday or 2026-11-20 09:00"
	given, ok := moment.Parse(text)
	if !ok {
		return instant, now, fmt.Errorf("%q %s", text, wanted)
	}
	now = p.live.present(p.live.session.ServiceNow())
	if now.IsZero() {
		return instant, now, errors.New("the service's clock is not known yet")
	}
	instant = given.At(now)
	if instant.After(now.Time()) {
		err = fmt.Errorf("%q is still to come", text)
	}
	return instant, now, err
}

func (p pastTime) complete(typed string) (out []action.Value) {
	words := []string{"1h", "6h", "24h", "3d", "7d", "today", "yesterday"}
	if !slices.Contains(words, typed) {
		words = append([]string{typed}, words...)
	}
	for _, v := range action.Containing(words, typed) {
		instant, now, err := p.read(v.Text)
		if err != nil {
			continue
		}
		note := p.live.session.Times.Stamp(instant, now.Time())
		if now.Own() { // instead of the age, which would not fit beside it
			note = p.live.session.Times.At(instant) + ", by this computer's clock"
		}
		out = append(out, action.Value{Text: v.Text, Note: note})
	}
	return out
}

func (p pastTime) parse(text string) (func() tea.Cmd, error) {
	_, _, err := p.read(text)
	return action.With(p.use, text), err
}

func (p pastTime) use(text string) tea.Cmd {
	instant, _, err := p.read(text)
	if err != nil {
		return nil
	}
	return p.run(instant)
}
