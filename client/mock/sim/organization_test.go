package sim

import (
	"encoding/json"
	"testing"
)

// A fixture lists organizations with their keys and projects: nothing of them is drawn but the known secrets. A key may
// have the id of one of another list.
func TestFixtureWithOrganizations(t *testing.T) {
	t.Parallel()
	var f Fixture
	if err := json.Unmarshal([]byte(`{
		"keys": [{"id": 7, "name": "mine", "created": "0s"}],
		"organizations": [
			{"id": "org-a-1", "name": "A B", "created": "0s", "keys": [
				{"id": 7, "name": "whole", "created": "0s"},
				{"id": 8, "name": "single", "created": "0s", "project": "first-1", "last_used": "0s", "last_addr": "192.0.2.1"}]},
			{"id": "org-b-1", "name": "B", "created": "0s", "shares": true}],
		"projects": [
			{"id": "first-1", "organization": "org-a-1", "created": "0s"},
			{"id": "second-1", "organization": "org-b-1", "created": "0s"}]}`), &f); err != nil {
		t.Fatal(err)
	}
	p, _ := platform(t, Options{Seed: 7, Fixture: &f})
	mine, issued := p.Organizations(), p.OrgKeys()
	if len(mine) != 1 || mine[0].Handle != "a-b" || len(issued) != 1 || issued[0].ProjectID != "first-1" {
		t.Fatalf("the organizations are %v, with the keys %v", mine, issued)
	}
	for secret, want := range map[string]Caller{
		p.APIKey():              {KeyID: 7},
		issued[0].APIKey:        {7, "org-a-1", ""},
		issued[0].ProjectAPIKey: {8, "org-a-1", "first-1"},
	} {
		if got := p.Caller(secret); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	shared, err := p.SharedProjects("", "", 10)
	if err != nil || len(shared) != 1 || shared[0].ID != "second-1" || shared[0].OrgName != "B" {
		t.Errorf("%v, %v", shared, err)
	}
	if _, err := p.RevokeKey("org-a-1", 7); err != nil || len(p.Keys("")) != 1 || len(p.Keys("org-a-1")) != 1 {
		t.Errorf("%v: the account has %v, the organization %v", err, p.Keys(""), p.Keys("org-a-1"))
	}
}
