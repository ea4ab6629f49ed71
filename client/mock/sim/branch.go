package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The errors of branches.
var (
	ErrNoBranch   = errors.New("no such branch")
	ErrBranchName = errors.New("branch already exists: choose another name")
)

// branch is a branch of a project. Its states follow from its operations.
type branch struct {
	compute

	name               string // its first one
	created            time.Time
	deleted            time.Time // zero if it is never deleted
	isDefault, guarded bool
	byHand             bool // the simulation starts no operation on it
}

// indexOf returns the index of the branch with an id, or -1.
func indexOf(list []*branch, id string) int {
	return slices.IndexFunc(list, func(b *branch) bool { return b.id() == id })
}

// at reports whether the branch is listed just before end.
func (b *branch) at(end time.Time) bool {
	return b.created.Before(end) && (b.deleted.IsZero() || !b.deleted.Before(end))
}

// naming is a name from a time on.
type naming struct {
	from time.Time
	name string
}

// fixedNames are the names of the branches that a project has from the start on, in this order.
const fixedNames = "main staging dev/alice dev/bob qa analytics demo load-test sandbox docs"

// fixedBranches returns the branches of the project's computes, which exist as long as the project does.
func (p *project) fixedBranches() (out []*branch) {
	names := strings.Fields(fixedNames)
	for i, compute := range p.computes {
		out = append(out, &branch{
			compute: compute, name: names[i], created: p.created.Add(time.Duration(i) * time.Minute),
			isDefault: i == 0, guarded: i < 2,
		})
	}
	return out
}

// fixtureBranches returns the branches of a project's operations, the default one first. A branch without an operation that
// creates it is as old as the project. names are given names by the branch's id.
func (p *project) fixtureBranches(names map[string]string) []*branch {
	fixed := strings.Fields(fixedNames)
	main := &branch{compute: p.computes[0], name: fixed[0], created: p.created, isDefault: true, guarded: true, byHand: true}
	list := []*branch{main}
	for _, op := range p.started {
		i := indexOf(list, op.branch)
		if i < 0 {
			i = len(list)
			b := &branch{compute: compute{branch: op.branch}, created: p.created, byHand: true}
			b.name = fixed[i%len(fixed)] + strings.Repeat("-2", i/len(fixed))
			if op.action == createBranch {
				b.name, b.created = "preview/pr-"+strconv.Itoa(100+i), op.created
			}
			list = append(list, b)
		}
		list[i].endpoint = cmp.Or(list[i].endpoint, op.endpoint)
		if op.action == deleteTimeline {
			list[i].deleted = op.created
		}
	}
	for _, b := range list {
		b.name = cmp.Or(names[b.id()], b.name)
	}
	return list
}

// shortLived returns the branches of a slot's operations that are not fixed. All operations of such a branch are in one
// slot, so the first one creates it. The simulation deletes it in the next slot: see deletions.
func (p *project) shortLived(ops []*operation) (out []*branch) {
	for _, op := range ops {
		if p.isFixed(op.branch) {
			continue
		}
		i := indexOf(out, op.branch)
		if i < 0 {
			i = len(out)
			out = append(out, &branch{
				compute: compute{branch: op.branch}, created: op.created,
				name: kindOf(op.action) + strconv.FormatInt(op.number-p.first+1, 10),
			})
		}
		if op.endpoint != "" {
			out[i].endpoint = op.endpoint
		}
		if op.action == deleteTimeline && out[i].deleted.IsZero() {
			out[i].deleted = op.created
		}
	}
	return out
}

// isFixed reports whether a branch exists as long as the project does.
func (p *project) isFixed(id string) bool {
	return slices.ContainsFunc(p.computes, func(c compute) bool { return c.branch == id })
}

// kindOf returns the beginning of a branch's name, by the action of its first operation.
func kindOf(action string) string {
	switch action {
	case createBranch:
		return "preview/pr-"
	case "import_data":
		return "import/batch-"
	}
	return "restore/try-"
}

// deletedNumber is the number of a branch's deletion minus that of its first operation.
const deletedNumber = 1 << 49

// deletions returns the operations of a slot that delete the branches of the slot before it, given the operations of
// both slots.
func (p *project) deletions(slot int64, previous, ops []*operation) (out []*operation) {
	for _, b := range p.shortLived(previous) {
		if op := p.deletion(slot, b, previous); op != nil {
			for hasCreation(ops, op.created) || hasCreation(out, op.created) {
				op.created = op.created.Add(time.Microsecond)
			}
			out = append(out, op)
		}
	}
	return out
}

// deletion returns the operation of a slot that deletes a branch of the slot before it, or nil if it was deleted there.
func (p *project) deletion(slot int64, b *branch, previous []*operation) *operation {
	if !b.deleted.IsZero() {
		return nil
	}
	first := slices.IndexFunc(previous, func(op *operation) bool { return op.branch == b.id() })
	number := previous[first].number + deletedNumber
	rng, begin, end := newRand(p.key, number), p.slotStart(slot), p.slotStart(slot+1)
	deleted := begin.Add(between(rng, 0, end.Sub(begin)*9/10))
	for _, op := range previous {
		if ended := op.created.Add(op.took()); op.branch == b.id() && ended.After(deleted) {
			deleted = ended
		}
	}
	if latest := end.Add(-time.Minute); deleted.After(latest) {
		deleted = latest
	}
	op := &operation{
		id: UUID(p.key, number), number: number, created: deleted.Truncate(time.Microsecond),
		action: deleteTimeline, branch: b.id(),
		lifecycle: lifecycle{
			wait:     between(rng, 200*time.Millisecond, 2*time.Second),
			attempts: []time.Duration{between(rng, time.Second, 5*time.Second)}, end: finished,
		},
	}
	(&builder{project: p, rng: rng}).suffer(op)
	return op
}

// branchesAt returns the branches that are listed just before end.
func (p *project) branchesAt(end time.Time) (out []*branch) {
	branches := p.listed
	if p.perSlot > 0 {
		branches = slices.Concat(branches, p.recentBranches(p.slotAt(end.Add(-1))))
	}
	for _, b := range branches {
		if b.at(end) {
			out = append(out, b)
		}
	}
	return out
}

// recentBranches returns the short-lived branches of a slot and of the slot before it: older ones are deleted.
func (p *project) recentBranches(slot int64) (out []*branch) {
	previous, ops := p.slot(slot-1), p.slot(slot)
	old := p.shortLived(previous)
	for _, op := range p.deletions(slot, previous, ops) {
		old[indexOf(old, op.branch)].deleted = op.created
	}
	return append(old, p.shortLived(ops)...)
}

// id returns the id of the branch.
func (b *branch) id() string { return b.branch }

// nameOf returns the name of a branch just before end.
func (p *project) nameOf(b *branch, end time.Time) string {
	name := b.name
	for _, later := range p.names[b.id()] {
		if later.from.Before(end) {
			name = later.name
		}
	}
	return name
}

// findBranch returns the branch with an id or a name that is listed just before end.
func (p *project) findBranch(idOrName string, end time.Time) (*branch, error) {
	for _, b := range p.branchesAt(end) {
		if b.id() == idOrName || p.nameOf(b, end) == idOrName {
			return b, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrNoBranch, idOrName)
}
