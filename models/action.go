package models

import "strings"

// Action is an operation's kind (section 2.3), lower case with underscores.
type Action string

// Title is the action as a person reads it: "Start compute".
func (a Action) Title() string {
	if a == "" {
		return "–"
	}
	var b strings.Builder
	b.Grow(len(a))
	for i := range len(a) {
		c := a[i]
		switch {
		case c == '_':
			c = ' '
		case i == 0 && c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Meaning tells what an operation of this kind is for, or nothing where that is not
// known: the first group is explained by section 2.3, the second is named by the live
// service only.
func (a Action) Meaning() string {
	switch a {
	case "apply_config":
		return "Brings a new configuration to an object: changed compute settings, or a Postgres user or database that was created, changed or deleted."
	case "apply_storage_config":
		return "Brings a new configuration to storage, such as another history retention period."
	case "check_availability":
		return "The platform's own periodic check that a branch's data can be reached and that a compute can start on it. Branches without a compute are left out."
	case "create_branch":
		return "Creates a branch in the project."
	case "create_timeline":
		return "Sets up storage and the default branch of a project that was just created."
	case "delete_tenant":
		return "Deletes the stored data of a deleted project."
	case "start_compute":
		return "Starts a compute because something needs it, such as a connection to one that was suspended."
	case "suspend_compute":
		return "Suspends a compute that was not used for a while."
	case "tenant_attach":
		return "Attaches the project to storage."
	case "tenant_detach":
		return "Detaches the project from storage: it was idle for 30 days."
	case "tenant_reattach":
		return "Attaches a detached project again: a request came for it."

	case "create_compute":
		return "Creates a compute for a branch."
	case "delete_timeline":
		return "Deletes the data of a branch."
	case "timeline_archive":
		return "Moves the data of an unused branch to cheaper storage."
	case "timeline_unarchive":
		return "Brings the data of an archived branch back."
	}
	return ""
}
