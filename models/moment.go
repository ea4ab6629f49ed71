package models

import "time"

// Moment bounds a time of the service's clock, which no client knows exactly.
type Moment struct {
	Early time.Time // it was not earlier; zero: that is unknown
	Late  time.Time // it was not later; zero: there is no bound
}

// At returns a moment that is known exactly.
func At(t time.Time) Moment { return Moment{Early: t, Late: t} }
