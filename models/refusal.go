package models

import "strings"

// Refusal is the kind of a refusal. The live service's message tells it, and with it something about the key.
type Refusal int

// The refusals.
const (
	NoRefusal         Refusal = iota
	RefusedWithoutOrg         // a personal key lists the projects of one organization at a time
	RefusedOrgKey             // not for keys of organizations and projects
	RefusedProjectKey         // not for this key of one project
	RefusedNotMember          // the user does not belong to the organization
	RefusedWithoutMFA         // the organization requires multi-factor authentication of its members
)

var refusalAdvice = [...]string{
	RefusedNotMember:  "Ask an administrator of the organization to make you a member.",
	RefusedWithoutMFA: "Set up multi-factor authentication for your user in the service's console.",
}

// Refused is a refusal, as the service's message tells it. The status does not: the service sends the same refusal with
// several.
type Refused struct {
	Refusal

	Project string // the only project that the key reaches, or empty if the message does not name it
}

// refusals are the words of refusals, in lower case; the first match counts.
var refusals = []struct {
	refusal Refusal
	words   []string // one of them is in the message
}{
	{RefusedWithoutOrg, []string{"org_id is required"}},
	{RefusedOrgKey, []string{"not allowed for organization api keys"}},
	{RefusedProjectKey, []string{"project-scoped", "outside the project"}},
	{RefusedNotMember, []string{"not an organization member"}},
	{RefusedWithoutMFA, []string{"multi-factor", "two-factor", "mfa"}},
}

// subjectProject returns the id of the project of the key if a message ends with it, or "".
func subjectProject(message string) string {
	_, id, found := strings.Cut(message, "; subject_project_id:")
	id, opened := strings.CutPrefix(strings.TrimSpace(id), `"`)
	id, closed := strings.CutSuffix(id, `"`)
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if !found || !opened || !closed || len(id) > 60 || strings.Trim(id, letters) != "" {
		return ""
	}
	return id
}

// RefusedBy returns the refusal in the service's message of an error.
func RefusedBy(err error) Refused {
	e := find(err)
	if e.Status/100 != 4 || e.Kind == KindUnauthorized || e.Kind == KindRateLimited {
		return Refused{}
	}
	refused := Refused{Refusal: refusalIn(strings.ToLower(e.Message))}
	if refused.Refusal == RefusedProjectKey {
		refused.Project = subjectProject(e.Message)
	}
	return refused
}

// refusalIn returns the refusal in a message, which must be in lower case.
func refusalIn(message string) Refusal {
	for _, kind := range refusals {
		for _, words := range kind.words {
			if strings.Contains(message, words) {
				return kind.refusal
			}
		}
	}
	return NoRefusal
}

// RefusalOf returns the kind of the refusal in the service's message of an error.
func RefusalOf(err error) Refusal { return RefusedBy(err).Refusal }
