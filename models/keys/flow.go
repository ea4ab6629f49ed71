package keys

import (
	"cmp"
	"errors"
	"time"

	"pgtower/models"
)

// Change is a change of a key that is asked for: a key is revoked, or a new one is created.
type Change struct {
	Revoke bool
	Key    models.APIKey   // that is revoked; or the name, the list and the reach of the new one
	Before []models.APIKey // the list of a new key as it was before: none of these is the new one
	Old    models.APIKey   // the key that the new one replaces; its id is 0 if there is none, or it is unknown
	Quiet  time.Duration   // how long the old key must be quiet
	Asked  time.Time       // when the change was asked for, by the service's clock as far as it is known
	Own    bool            // the new key replaces pgtower's own, and pgtower goes over to it
	Verify bool            // the new key is verified before anything gets its secret
	To     string          // where the secret then goes; empty: the user decides later
	// Unrecorded is set if the user goes on where the journal cannot be written.
	Unrecorded bool
}

// kind returns the journal's name of the change.
func (c *Change) kind() string {
	switch {
	case c.Revoke:
		return Revoke
	case c.Old.ID != 0:
		return Rotated
	}
	return Created
}

// Act is what is done in a step of a flow.
type Act int

// The acts.
const (
	doCheck    Act = iota // whether a new key can be kept as pgtower's own
	doWrite               // the record, to the journal
	doSend                // the request of the record
	doRemember            // what is known of a new key
	doVerify              // a new key, with a request
	doHandOver            // its secret
)

// Step is what is to be done next.
type Step struct {
	Act      Act
	Record   Record
	Remember func(*Memory)
}

// Answer is the outcome of a step.
type Answer struct {
	Made   models.CreatedAPIKey // of a request that created a key
	Memory *Memory              // as it is after a change, also if that could not be written
	Err    error
	Maybe  bool // in spite of the error, the secret may be where it was to go
}

// Instant is the present: by this computer's clock, which never goes back, and by the service's.
type Instant struct {
	Clock  time.Time
	Moment models.Moment
}

// Task is what a flow does next, until the user has to decide again.
type Task int

// The tasks.
const (
	Resting    Task = iota // nothing is to be done until the user decides, or all is done
	Requesting             // the change is requested
	Verifying              // the new key is verified
	Delivering             // its secret goes to the place of the change
	Telling                // it is written that the user takes the secret to that place
)

// Flow is the life of one change: it decides what is written before and after each request, and what may come next. It
// knows no service, no file and no screen. The [Performer] of its steps decides nothing. A Flow is a value: one goroutine
// continues it while others have its earlier state.
type Flow struct {
	Change

	Task   Task
	Record Record               // as last written
	Made   models.CreatedAPIKey // that was created, if there is no error
	Err    error                // why the change is not known to be carried out, or nil
	// NotSent is set if nothing was requested, as a new key could not be kept.
	NotSent  bool
	Answered time.Time // when the answer came, or was given up, by this computer's clock
	// Unverified is why the new key is not known to work, and Undelivered why its secret is not known to be anywhere; or nil.
	Unverified, Undelivered error
	Maybe                   bool // the secret may be there nevertheless
	// Unwritten is why the journal does not have the outcome, and Unremembered why the new key is remembered by this
	// process only; or nil.
	Unwritten, Unremembered error
	Memory                  *Memory // as this flow last changed it; nil: it did not

	steps    []Step
	began    time.Time // when the verification did
	verified bool      // pgtower has used the new key
	again    bool      // pgtower verifies it again
	accepted bool      // the user wants a key that reaches something else
}

// Begin returns the flow of a change. id is that of its request.
func Begin(c Change, id string) Flow {
	f := Flow{Change: c, Task: Requesting, Record: Record{
		Change: c.kind(), RequestID: id, Name: c.Key.Name, OrgID: c.Key.List.Org, ProjectID: c.Key.ProjectID,
	}}
	if c.Revoke {
		f.Record.ID = c.Key.ID
	} else {
		f.Record.Replaces = c.Old.ID
	}
	return f
}

func (f *Flow) start(now Instant) {
	task := f.Task
	f.Task = Resting
	switch task {
	case Requesting:
		if f.Own { // a key that cannot be kept would have to be revoked
			f.do(Step{Act: doCheck})
			return
		}
		f.request(now)
	case Verifying:
		f.verify(now)
	case Delivering:
		f.note(Handing)
		f.do(Step{Act: doHandOver})
	case Telling:
		f.note(Handing)
	case Resting:
	}
}

func (f *Flow) next() (step Step, ok bool) {
	if len(f.steps) == 0 {
		return Step{}, false
	}
	step, f.steps = f.steps[0], f.steps[1:]
	return step, true
}

func (f *Flow) do(s Step) { f.steps = append(f.steps, s) }

func (f *Flow) remember(change func(*Memory)) { f.do(Step{Act: doRemember, Remember: change}) }

// write writes the record as it is now.
func (f *Flow) write() { f.do(Step{Act: doWrite, Record: f.Record}) }

// request requests the change, once the journal has the attempt.
func (f *Flow) request(now Instant) {
	f.Record.Outcome, f.Record.Sent = Trying, now.Moment.Late.UTC()
	f.write()
}

func (f *Flow) told(s Step, a Answer, now Instant) {
	switch s.Act {
	case doCheck:
		if f.Err, f.NotSent = a.Err, a.Err != nil; !f.NotSent {
			f.request(now)
		}
	case doWrite:
		f.wrote(s.Record, a.Err)
	case doSend:
		f.answered(a, now)
	case doRemember:
		f.Memory, f.Unremembered = a.Memory, cmp.Or(f.Unremembered, a.Err)
	case doVerify:
		f.verifiedBy(a.Err, now)
	case doHandOver:
		f.handedOver(a, now)
	}
}

// wrote continues after a line was written to the journal, or could not be. Without the line before the request, nothing
// is sent. Without a later one, the journal has a change with an unknown outcome, or a secret that nobody has: its first
// line is still true.
func (f *Flow) wrote(r Record, err error) {
	switch {
	case r.Outcome != Trying:
		f.Unwritten = cmp.Or(f.Unwritten, err)
	case err != nil && !f.Unrecorded:
		f.Err = &models.Error{Kind: models.KindNotRecorded, NotConnected: true, Err: &ErrJournal{err}}
	default:
		f.do(Step{Act: doSend, Record: r})
	}
}

// errNotNew is the error of an answer with a key that is not new.
var errNotNew = errors.New("it is about a key that was there before")

func (f *Flow) answered(a Answer, now Instant) {
	f.Err, f.Answered = a.Err, now.Clock
	if f.Err == nil && !f.Revoke && hasID(f.Before, a.Made.ID) {
		f.Err, a.Made.ID = &models.Error{Kind: models.KindMalformed, Err: errNotNew}, 0
	}
	if !f.Revoke {
		f.Record.ID = a.Made.ID
	}
	switch {
	case f.Err == nil:
		f.Record.Outcome = Done
	case Refused(f.Err):
		f.Record.Outcome = Failed
	default:
		f.Record.Outcome = Undecided
	}
	if f.Err != nil { // the rest of the answer is not reliable
		f.Record.Error = models.MaskKeys(f.Err.Error())
	} else if !f.Revoke {
		f.Made, f.Record.Handed = a.Made, Handover{}.String()
	}
	f.write()
	if f.Err == nil && !f.Revoke {
		made, change := f.Made, f.Change
		f.remember(func(m *Memory) { m.addNew(made, change) })
		f.Task = f.afterwards()
	}
}

// addNew adds a key that a change created. Nobody has its secret yet, and it may be verified next.
func (m *Memory) addNew(made models.CreatedAPIKey, change Change) {
	m.Add(Made{Key: made.Ref(), Created: made.CreatedAt, Print: m.Print(made.Key), Took: Killed})
	if change.Old.ID != 0 {
		m.Begin(Rotation{
			Old: change.Old.Ref(), OldCreated: change.Old.CreatedAt, New: made.Ref(),
			Began: change.Asked.Truncate(time.Second), Quiet: change.Quiet,
		})
	}
}

// OtherReach reports whether the new key reaches something else than was asked for.
func (f *Flow) OtherReach() bool { return f.Made.Reach() != f.Key.Reach() }

// Accept goes on with a key that reaches something else.
func (f *Flow) Accept() {
	f.accepted = true
	f.Task = f.afterwards()
}

// afterwards returns what is done with a new key without asking the user.
func (f *Flow) afterwards() Task {
	switch {
	case f.Made.Key.IsZero(), f.OtherReach() && !f.accepted:
		return Resting
	case f.Verify:
		return Verifying
	case f.To != "":
		return Delivering
	}
	return Resting
}

// verify verifies the new key. Once its secret may have been handed over, it is not pgtower's alone: then all uses until some
// time after the second verification prove nothing.
func (f *Flow) verify(now Instant) {
	if f.again = f.verified; f.again {
		key, moment := f.Made.Ref(), now.Moment
		f.remember(func(m *Memory) { m.VerifyAgain(key, moment) })
	}
	f.began, f.verified = now.Clock, true
	f.do(Step{Act: doVerify})
}

// verifiedBy records the outcome of verifying, and remembers how long that took: the program may end before a list shows
// that use.
func (f *Flow) verifiedBy(err error, now Instant) {
	f.Unverified = err
	if key, took := f.Made.Ref(), max(time.Second, now.Clock.Sub(f.began)); !f.again {
		f.remember(func(m *Memory) { m.Verified(key, took, err != nil) })
	}
	if f.To != "" && !f.Unusable() {
		f.Task = Delivering
	}
}

// Unusable reports whether the new key is not handed over, as the service refuses it. pgtower itself goes over to a key only
// if it is known to work.
func (f *Flow) Unusable() bool {
	return f.Unverified != nil && (f.To == ToProfile || models.KindOf(f.Unverified) == models.KindUnauthorized)
}

// Keep makes the flow verify the new key, and then keep it as pgtower's own.
func (f *Flow) Keep() { f.To, f.Task = ToProfile, Verifying }

// Deliver makes the flow hand the secret over to a place.
func (f *Flow) Deliver(receiver string) { f.To, f.Task = receiver, Delivering }

// Take makes the flow write that the user takes the secret to a place. Whether it arrives is unknown.
func (f *Flow) Take(receiver string) { f.To, f.Task = receiver, Telling }

// note writes how far the hand-over is, before and after it: the program may be killed between.
func (f *Flow) note(stage Stage) {
	key, where := f.Made.Ref(), Handover{Stage: stage, To: f.To}
	f.remember(func(m *Memory) { m.Hand(key, where) })
	f.Record.Handed = where.String()
	f.write()
}

// handedOver records the outcome of the hand-over. From then on, pgtower uses a key that it kept. If that is unknown, it
// may continue with the old one: it has not moved.
func (f *Flow) handedOver(a Answer, now Instant) {
	f.Undelivered, f.Maybe = a.Err, a.Maybe
	if f.To == ToProfile && (a.Err == nil || a.Maybe) {
		key, moved := f.Made.Ref(), time.Time{}
		if f.Own && a.Err == nil && !now.Moment.Late.IsZero() {
			moved = now.Moment.Early
		}
		f.remember(func(m *Memory) { m.Keep(key, moved) })
	}
	if a.Err == nil {
		f.note(Handed)
	}
}
