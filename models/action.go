package models

// Action is the kind of an operation (section 2.3), in lower case with underscores.
type Action string

// Title returns the action as the screen shows it: "Start compute".
func (a Action) Title() string {
	if a == "" {
		return "–"
	}
	s := []byte(a)
	for i, c := range s {
		switch {
		case c == '_':
			s[i] = ' '
		case i == 0 && 'a' <= c && c <= 'z':
			s[i] = c - 'a' + 'A'
		}
	}
	return string(s)
}

// Meaning returns what an operation of this kind is for, or "" if that is unknown.
func (a Action) Meaning() string { return meanings[a] }

// meanings has the actions of section 2.3, then those that only the live service sends.
var meanings = map[Action]string{
	"apply_config": "Applies a new configuration: changed compute settings, or a Postgres user or " +
		"database that was created, changed or deleted.",
	"apply_storage_config": "Applies a new storage configuration, such as another history retention period.",
	"check_availability": "The platform's own periodic check that a branch's data can be reached and that a compute can " +
		"start on it. Branches without a compute are left out.",
	"create_branch":   "Creates a branch in the project.",
	"create_timeline": "Sets up storage and the default branch of a new project.",
	"delete_tenant":   "Deletes the stored data of a deleted project.",
	"start_compute":   "Starts a compute on demand, such as for a connection to a suspended one.",
	"suspend_compute": "Suspends an idle compute.",
	"tenant_attach":   "Attaches the project to storage.",
	"tenant_detach":   "Detaches the project from storage after 30 idle days.",
	"tenant_reattach": "Reattaches a detached project after a request for it.",

	"create_compute":     "Creates a compute for a branch.",
	"delete_timeline":    "Deletes the data of a branch.",
	"timeline_archive":   "Moves the data of an unused branch to cheaper storage.",
	"timeline_unarchive": "Restores the data of an archived branch.",
}
