package models

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// scoped is the refusal of a key of one project, without the name of the project.
const scoped = "not allowed to perform actions outside the project this key is scoped to"

// A refusal is recognised by its words, whatever the status: the service has answered the same one with several.
func TestRefusedByWords(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]Refused{
		scoped + `; subject_project_id:"damp-dream-67070160"`: {RefusedProjectKey, "damp-dream-67070160"},
		scoped + `; trace:"7f"; subject_project_id: "p1"`:     {RefusedProjectKey, "p1"},
		scoped:                                 {RefusedProjectKey, ""},
		scoped + `; subject_project_id:""`:     {RefusedProjectKey, ""},
		scoped + `; subject_project_id:"../x"`: {RefusedProjectKey, ""},
		scoped + `; subject_project_id:"P1"`:   {RefusedProjectKey, ""},
		scoped + `; subject_project_id:"` + strings.Repeat("a", 61) + `"`:        {RefusedProjectKey, ""},
		scoped + `; subject_project_id:"p1" is cut…`:                             {RefusedProjectKey, ""},
		"not allowed for project-scoped API keys":                                {RefusedProjectKey, ""},
		`not found; subject_project_id:"p1"`:                                     {},
		`not an organization member; subject_project_id:"p1"`:                    {RefusedNotMember, ""},
		"org_id is required, you can find it on your organization settings page": {RefusedWithoutOrg, ""},
		"Not allowed for organization API keys":                                  {RefusedOrgKey, ""},
		"the organization requires multi-factor authentication":                  {RefusedWithoutMFA, ""},
		"no such project": {},
		"":                {},
	} {
		for _, status := range []int{400, 403, 404, 422} {
			err := fmt.Errorf("wrapped: %w", &Error{Kind: KindInvalid, Status: status, Message: message})
			if got := RefusedBy(err); got != want || RefusalOf(err) != want.Refusal {
				t.Errorf("%d %q: %+v, want %+v", status, message, got, want)
			}
		}
	}
}

// A key that was refused, a limit and an outage tell nothing about the kind of the key.
func TestRefusedByNothingElse(t *testing.T) {
	t.Parallel()
	message := scoped + `; subject_project_id:"p1"`
	for _, err := range []error{
		nil, errors.New(message),
		&Error{Kind: KindUnauthorized, Status: 401, Message: message},
		&Error{Kind: KindRateLimited, Status: 429, Message: message},
		&Error{Kind: KindServer, Status: 503, Message: message},
		&Error{Kind: KindUnreachable, Message: message},
	} {
		if got := RefusedBy(err); got != (Refused{}) {
			t.Errorf("%v: %+v", err, got)
		}
	}
}

// FuzzRefused reads arbitrary messages. A project that they tell can be in the path of a request.
func FuzzRefused(f *testing.F) {
	f.Add(scoped + `; subject_project_id:"damp-dream-67070160"`)
	f.Add(`org_id is required; subject_project_id:"a"`)
	f.Add(`outside the project; subject_project_id:"` + "\u202e\x1b" + `"`)
	id := regexp.MustCompile(`^[a-z0-9-]{1,60}$`)
	f.Fuzz(func(t *testing.T, message string) {
		got := RefusedBy(&Error{Kind: KindForbidden, Status: 403, Message: message})
		if got.Project != "" && (got.Refusal != RefusedProjectKey || !id.MatchString(got.Project)) {
			t.Errorf("%q: %+v", message, got)
		}
	})
}
