package script

import (
	"regexp"
	"slices"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/models"
)

// The defaults of [WaitOptions].
const (
	WaitTimeout  = 10 * time.Minute
	AppearWithin = 30 * time.Second // if the options name what has to come
)

const (
	waitBack = 24 * time.Hour // how far back wait looks for unfinished operations
	// blur is how far two times of the service may be apart and mean the same: times have whole seconds, and its clock is
	// known within half a second.
	blur = 2 * time.Second
	// retryDelay is how long after its retry_at a failed operation may still be failed: the service need not be punctual,
	// and it says so a moment later.
	retryDelay    = 15 * time.Second
	standardInput = "-"
)

// operationID matches a UUID.
var operationID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// IsOperation reports whether an argument of a wait can be the id of an operation, or stands for the standard input.
func IsOperation(arg string) bool { return arg == standardInput || operationID.MatchString(arg) }

// WaitOptions are what to wait for, and when it has failed.
type WaitOptions struct {
	// IDs are those of operations; "-" alone stands for the operations of an answer on the standard input.
	IDs []string
	// Branches, by their ids or names, Endpoints and Actions are what has to come: of each at least one operation that matches
	// them all. Without any and without IDs, it is an unfinished operation.
	Branches, Endpoints, Actions []string
	// Linked is the file that names the project and the branch, or empty.
	Linked string
	// Idle is how long the projects have to be without an unfinished operation; 0: wait for operations.
	Idle time.Duration
	// AppearWithin is how long to wait for an operation that does not exist yet. One that began that long before the wait counts.
	AppearWithin time.Duration
	// RetryWithin is how long after a failure to wait for a retry that the service has not announced; 0: not at all.
	RetryWithin time.Duration
	// FailFast ends the wait at the first failure.
	FailFast bool
	// Timeout is how long to wait for everything; 0: no limit.
	Timeout time.Duration
}

// Named reports whether the options name what has to come.
func (o *WaitOptions) Named() bool { return len(slices.Concat(o.named()...)) > 0 }

// check returns what is wrong with the options, as an [exit.UsageError].
func (o *WaitOptions) check(projects bool) error {
	switch {
	case len(o.IDs) == 0 && !o.Named() && !projects:
		return exit.Usagef("nothing to wait for: give operation ids, --project, --branch, --endpoint, --action or --linked")
	case o.Linked != "" && len(o.IDs) > 0:
		return exit.Usagef("operation ids cannot be combined with --linked")
	case o.Linked != "" && o.Idle > 0:
		return exit.Usagef("--idle is about all operations of a project: give it with --project, not --linked")
	case len(o.IDs) > 0 && o.Named():
		return exit.Usagef("operation ids cannot be combined with --branch, --endpoint and --action")
	case o.Idle > 0 && (len(o.IDs) > 0 || o.Named() || o.AppearWithin > 0):
		return exit.Usagef("--idle is about all operations: it takes --project alone, without --appear-within")
	case o.Idle < 0:
		return exit.Usagef("--idle must be longer than 0, such as 5s")
	case slices.Equal(o.IDs, []string{standardInput}):
		return nil
	}
	for _, id := range o.IDs {
		if !operationID.MatchString(id) {
			return exit.Usagef("must be an operation id such as 5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51, not %q", id)
		}
	}
	for _, name := range slices.Concat(o.Endpoints, o.Actions) {
		if !models.IsID(name) {
			return exit.Usagef("--endpoint and --action take ids and names, not %q", name)
		}
	}
	for _, name := range o.Branches {
		if !models.MayName(name) {
			return exit.Usagef("--branch: must be the id or the name of a branch, not %q", name)
		}
	}
	return nil
}

// flags name what has to come, in the order of [WaitOptions.named].
var flags = []string{"--branch", "--endpoint", "--action"}

// named returns what is named, by flag.
func (o *WaitOptions) named() [][]string { return [][]string{o.Branches, o.Endpoints, o.Actions} }

// named returns what the flags may name of an operation.
func named(op *models.Operation) []string {
	return []string{op.BranchID, op.EndpointID, string(op.Action)}
}

// want is what has to come: an operation with the value of a flag, or any without a value.
type want struct {
	flag  int
	value string
}

// wants returns what has to come.
func (o *WaitOptions) wants() (wishes []want) {
	for flag, values := range o.named() {
		for _, value := range values {
			wishes = append(wishes, want{flag, value})
		}
	}
	if len(wishes)+len(o.IDs) == 0 && o.Idle == 0 {
		wishes = []want{{}}
	}
	return wishes
}

// met reports whether an operation is what has to come.
func (w want) met(op *models.Operation) bool { return w.value == "" || named(op)[w.flag] == w.value }

// match reports whether an operation is one of those that are named.
func (o *WaitOptions) match(op *models.Operation) bool {
	for flag, values := range o.named() {
		if len(values) > 0 && !slices.Contains(values, named(op)[flag]) {
			return false
		}
	}
	return true
}

// changedAt returns when an operation last changed.
func changedAt(op *models.Operation) time.Time {
	if op.UpdatedAt.Before(op.CreatedAt) {
		return op.CreatedAt
	}
	return op.UpdatedAt
}

// lastRetry returns until when to wait for another attempt of an operation. It is zero unless the operation failed and
// its retry_at is after the failure, or --retry-within asks to wait. A retry_at before the failure is that of the attempt
// that failed, and promises nothing.
func (o *WaitOptions) lastRetry(op *models.Operation) (last time.Time) {
	if op.Status != models.StatusFailed {
		return last
	}
	failed := changedAt(op)
	if o.RetryWithin > 0 {
		last = failed.Add(o.RetryWithin)
	}
	if retry := op.RetryAt.Add(retryDelay); op.RetryAt.After(failed) && retry.After(last) {
		last = retry
	}
	return last
}

// unfinished reports whether an operation had not ended when it was read, by the service's clock: one that failed may be
// tried again.
func (o *WaitOptions) unfinished(op *models.Operation, asOf time.Time) bool {
	if !op.Gone && op.Status.Failed() {
		return !o.FailFast && asOf.Before(o.lastRetry(op))
	}
	return !op.Done()
}
