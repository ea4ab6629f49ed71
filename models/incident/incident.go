// Package incident finds what failed operations have in common: the same error, action, project, organization or region.
//
// It claims no cause. All that it returns are numbers of operations that were read, and which operations these are.
package incident

import (
	"fmt"

	"pgtower/models"
)

// Operation is an operation and where it is.
type Operation struct {
	*models.Operation

	Project      string // its id
	Name         string // of the project: in errors, it stands for itself only
	Organization string // the id of the owning one, or empty
	Region       string // of the project, or empty if that is unknown
	Branch       string // the name of its branch, or empty if that is unknown
	Compute      string // the name of its compute, or empty if it has none, or that is unknown
}

// Dimension is what operations of a group have in common.
type Dimension int

// The dimensions, in the order in which the screen offers them.
const (
	Errors Dimension = iota
	Actions
	Projects
	Branches
	Organizations
	Regions
	Everything // all operations have it in common: it is a place, but no dimension that is offered
)

// Dimensions are the dimensions that are offered.
func Dimensions() []Dimension {
	return []Dimension{Errors, Actions, Projects, Branches, Organizations, Regions}
}

var names = [...]string{"error", "action", "project", "branch", "organization", "region", "everything"}

// String returns the name of the dimension: error, action, project, branch, organization, region or everything.
func (d Dimension) String() string { return names[d] }

// Of returns the value of an operation: a text that is the same for operations of a group, and an id for projects,
// branches and organizations. It is empty if the operation has none.
func (d Dimension) Of(o Operation) string {
	switch d {
	case Errors:
		return Error(o.Operation, o.Name)
	case Actions:
		return string(o.Action)
	case Projects:
		return o.Project
	case Branches:
		return o.BranchID
	case Organizations:
		return o.Organization
	case Everything:
		return ""
	default:
		return o.Region
	}
}

// noReason stands for the error of a failed operation for which the service gave none.
const noReason = "no reason given"

// Error returns the error of a failed operation without what differs between operations, or "" if it has not failed. A
// text that was cut ends with the hash of the whole, so that texts that differ only after the cut are in different
// groups.
func Error(o *models.Operation, project string) string {
	switch {
	case !o.Status.Failed():
		return ""
	case o.Error == "":
		return noReason
	case o.ErrorCut():
		return fmt.Sprintf("%s (cut, %08x)", models.Signature(o.Cause, project), o.CauseSum)
	}
	return models.Signature(o.Error, project)
}
