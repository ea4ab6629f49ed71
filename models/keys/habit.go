package keys

import (
	"fmt"
	"slices"
	"time"

	"pgtower/models"
)

// Cell is what is known of the use of a key on one day.
type Cell int

// The cells of a strip.
const (
	NoDay     Cell = iota // before the key was created
	UsedDay               // a use was seen
	UnusedDay             // lists prove that there was none
	OpenDay               // a use may have been missed, or the day is not over
)

// Strip returns the cells of some days until that of now in a zone, oldest first.
func (u *Usage) Strip(days int, now time.Time, zone *time.Location) []Cell {
	cells := make([]Cell, days)
	for i := range cells {
		cells[i] = u.cell(dayOf(now, i-days+1, zone), now)
	}
	return cells
}

// dayOf returns the day that is some days after that of now.
func dayOf(now time.Time, days int, zone *time.Location) Span {
	year, month, day := now.In(zone).Date()
	return Span{time.Date(year, month, day+days, 0, 0, 0, 0, zone), time.Date(year, month, day+days+1, 0, 0, 0, 0, zone)}
}

func (u *Usage) cell(day Span, now time.Time) Cell {
	listed := Span{later(day.Begin, u.Created), day.End}
	switch {
	case len(u.between(day.Begin, day.End)) > 0:
		return UsedDay
	case !u.Created.IsZero() && !u.Created.Before(day.End):
		return NoDay
	case day.End.After(now), u.unused(listed) < listed.length():
		return OpenDay
	}
	return UnusedDay
}

// Watched returns for how long a use, or a longer pause, would have been seen since a list first showed the key.
func (u *Usage) Watched() time.Duration {
	begin := later(u.since(), u.First)
	if begin.IsZero() || u.First.IsZero() {
		return u.watched
	}
	return u.watched + max(0, u.Proven.Sub(begin))
}

// covered reports whether almost all of a day was watched.
func (u *Usage) covered(day Span) bool {
	proven, uses := u.unused(day), u.between(day.Begin, day.End)
	for i := 1; i < len(uses); i++ {
		if gap := (Span{uses[i-1].At, uses[i].At}); gap.length() <= aRun {
			proven += gap.length() - u.unused(gap)
		}
	}
	return day.length()-proven <= day.length()/20
}

// Habit is a pattern that the uses of a key have.
type Habit struct {
	Weekly bool      // else daily
	About  time.Time // one of the uses, in the zone of the pattern
	From   string    // the only address; empty if there are several, or it is not known
	Last   time.Time
}

const (
	habitStamps = 20
	habitDays   = 14
	watchedDays = 7 // of those
	habitWeeks  = 4
)

// Habit returns the pattern of the uses until now, if they have one: they are as far apart as it says, and so much was watched
// that others would have been seen.
func (u *Usage) Habit(now time.Time, zone *time.Location) (Habit, bool) {
	if u.Unknown {
		return Habit{}, false
	}
	if uses, ok := u.daily(now, zone); ok {
		return habitOf(uses, false, zone), true
	}
	if uses, ok := u.weekly(now, zone); ok {
		return habitOf(uses, true, zone), true
	}
	return Habit{}, false
}

// daily returns the last uses if each of the last days had one, and all were within the same hour.
func (u *Usage) daily(now time.Time, zone *time.Location) ([]Stamp, bool) {
	watched := 0
	for i := 1; i <= habitDays; i++ {
		day := dayOf(now, -i, zone)
		if u.cell(day, now) != UsedDay {
			return nil, false
		}
		if u.covered(day) {
			watched++
		}
	}
	first := len(u.Stamps) - len(u.between(dayOf(now, -habitDays, zone).Begin, now.Add(Slack)))
	first = max(0, min(first, len(u.Stamps)-habitStamps))
	uses := u.Stamps[first:]
	return uses, len(uses) >= habitStamps && watched >= watchedDays && sameHour(uses, zone)
}

// weekly returns the uses of the last weeks if each had some on the same day, within the same hour, and all other days are
// proven to have had none.
func (u *Usage) weekly(now time.Time, zone *time.Location) ([]Stamp, bool) {
	used := 0
	for i := 1; i <= habitWeeks*7; i++ {
		switch u.cell(dayOf(now, -i, zone), now) {
		case UsedDay:
			used++
		case UnusedDay:
		default:
			return nil, false
		}
	}
	uses := u.between(dayOf(now, -habitWeeks*7, zone).Begin, now.Add(Slack))
	elsewhere := func(s Stamp) bool { return s.At.In(zone).Weekday() != uses[0].At.In(zone).Weekday() }
	return uses, used == habitWeeks && !slices.ContainsFunc(uses, elsewhere) && sameHour(uses, zone)
}

// sameHour reports whether all uses are within an hour of the day.
func sameHour(uses []Stamp, zone *time.Location) bool {
	earliest, latest := time.Duration(0), time.Duration(0)
	for _, s := range uses {
		off := clockOf(s.At, zone) - clockOf(uses[0].At, zone)
		const day = 24 * time.Hour
		off = (off+day+day/2)%day - day/2
		earliest, latest = min(earliest, off), max(latest, off)
	}
	return latest-earliest <= time.Hour
}

func clockOf(t time.Time, zone *time.Location) time.Duration {
	hour, minute, second := t.In(zone).Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
}

func habitOf(uses []Stamp, weekly bool, zone *time.Location) Habit {
	last := uses[len(uses)-1]
	h := Habit{Weekly: weekly, About: uses[len(uses)/2].At.In(zone), Last: last.At, From: last.From}
	from := 0
	for _, s := range uses {
		switch s.From {
		case last.From:
			from++
		case "":
		default:
			h.From = ""
		}
	}
	if from < leastUses {
		h.From = ""
	}
	return h
}

// Words returns the pattern as a sentence without its end: "Daily about 02:00 from 203.0.113.9, last today".
func (h Habit) Words(now time.Time) string {
	const quarter = 15 * time.Minute
	when := h.About.Add(quarter / 2).Truncate(quarter).Format("15:04")
	text := "Daily about " + when
	if h.Weekly {
		text = h.About.Format("Mondays") + " about " + when
	}
	if h.From != "" {
		text += " from " + h.From
	}
	return text + ", last " + onDay(h.Last, now, h.About.Location())
}

// onDay returns on which day a time was: "today", "yesterday" or "on 12 Oct".
func onDay(t, now time.Time, zone *time.Location) string {
	day := Day(t, now, zone)
	if day == "today" || day == "yesterday" {
		return day
	}
	return "on " + day
}

// Day returns the day of a time as seen from now: "today", "yesterday", "12 Oct" or "12 Oct 2025".
func Day(t, now time.Time, zone *time.Location) string {
	for i, name := range []string{"today", "yesterday"} {
		if day := dayOf(now, -i, zone); !t.Before(day.Begin) && t.Before(day.End) {
			return name
		}
	}
	if t, now := t.In(zone), now.In(zone); t.Year() != now.Year() {
		return t.Format("2 Jan 2006")
	}
	return t.In(zone).Format("2 Jan")
}

// leastUses is how many uses from an address must be seen before it is one of a pattern.
const leastUses = 2

// Address is an address from which a key was used.
type Address struct {
	From        string
	Uses        int // how many were seen
	First, Last time.Time
}

// Addresses returns from where the key was used, the latest first.
func (u *Usage) Addresses() (list []Address) {
	for _, s := range slices.Backward(u.Stamps) {
		for _, from := range models.Addresses(s.From) {
			i := slices.IndexFunc(list, func(a Address) bool { return a.From == from })
			if i < 0 {
				i, list = len(list), append(list, Address{From: from, Last: s.At})
			}
			list[i].Uses++
			list[i].First = s.At
		}
	}
	return list
}

// Several returns from how many addresses the key is used, each more than once in the last days, and since when. Before
// that, it was seen from fewer.
func (u *Usage) Several(now time.Time) (n int, since time.Time) {
	for _, a := range u.Addresses() {
		lately := 0
		for _, s := range u.between(now.Add(-recentFor), now.Add(Slack)) {
			if slices.Contains(models.Addresses(s.From), a.From) {
				lately++
			}
		}
		if lately >= leastUses {
			n++
			since = later(since, a.First)
		}
	}
	if n < 2 || now.Sub(since) > recentFor || !u.First.Before(since) {
		return 0, time.Time{}
	}
	return n, since
}

// Sentences returns what can be said of the uses until now, each as a sentence.
func (u *Usage) Sentences(now time.Time, zone *time.Location) (list []string) {
	if h, ok := u.Habit(now, zone); ok {
		list = append(list, h.Words(now)+".")
	}
	if n, since := u.Several(now); n > 0 {
		list = append(list, fmt.Sprintf("%s addresses since %s.", numberWord(n), Day(since, now, zone)))
	}
	if pause := u.Pause.length(); pause > aRun {
		list = append(list, "Longest pause: "+Exactly(pause)+".")
	}
	return list
}

func numberWord(n int) string {
	words := []string{"Two", "Three", "Four", "Five"}
	if n-2 < len(words) {
		return words[n-2]
	}
	return fmt.Sprint(n)
}

// Exactly returns a duration in days and hours, or hours and minutes: "25 h 12 min".
func Exactly(d time.Duration) string {
	const day = 24 * time.Hour
	switch d = d.Round(time.Minute); {
	case d >= 7*day && d%day >= time.Hour:
		return fmt.Sprintf("%d days %d h", d/day, d%day/time.Hour)
	case d >= 2*time.Hour && d < 7*day && d%time.Hour >= time.Minute:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= 7*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

// Paused returns the longest pause between two uses that was seen, or 0.
func (u *Usage) Paused() time.Duration { return u.Pause.length() }

// Proposed returns how long a key should be quiet before it can go: twice its longest pause in whole hours, but no less than
// the usual time.
func (u *Usage) Proposed(usual time.Duration) time.Duration {
	if u == nil {
		return usual
	}
	twice := (2*u.Pause.length() + time.Hour - 1).Truncate(time.Hour)
	return max(usual, min(twice, maxQuiet))
}
