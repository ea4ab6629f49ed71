package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"pgtower/internal/termtest"
)

// settled is how long the program must have written nothing before its picture is taken.
const settled = 300 * time.Millisecond

// shoot plays the scene in a new terminal and returns its picture.
func shoot(ctx context.Context, program string, s scene) (svg []byte, err error) {
	cols, rows := s.size.cells()
	term, err := termtest.Open(ctx, termtest.Options{
		Path:  program,
		Args:  s.arguments(),
		Cols:  cols,
		Rows:  rows,
		Light: s.light,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, term.Close()) }()

	for _, step := range s.steps {
		if err := play(term, step); err != nil {
			return nil, err
		}
	}
	if err := term.Settle(settled); err != nil {
		return nil, err
	}
	title := term.Title()
	if title == "" {
		title = "pgtower"
	}
	return drawSVG(term.Screen(), title), nil
}

// play does one step of a scene.
func play(term *termtest.Terminal, s step) error {
	if err := term.Press(strings.Fields(s.keys)...); err != nil {
		return err
	}
	term.Send(s.typed)
	return term.Wait(s.wait...)
}
