package sim

import (
	"slices"
	"strconv"
	"strings"
)

// maxOrganizations is the maximum of [Options.Organizations].
const maxOrganizations = 100

// Organization is an organization, as the live service lists it.
type Organization struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Handle     string `json:"handle"`
	Plan       string `json:"plan"`
	ManagedBy  string `json:"managed_by"`
	CreatedAt  string `json:"created_at"`
	UpdatedAt  string `json:"updated_at"`
	RequireMFA bool   `json:"require_mfa,omitempty"`
}

// organization owns projects, and has a list of keys.
type organization struct {
	Organization

	key     uint64 // seeds its people
	foreign bool   // the user is no member: its projects are shared with the user
}

const organizationNames = `Acme Globex Initech Umbrella Hooli Vandelay Stark Wonka`

// newOrganizations draws the organizations of the account. Another one, the last, shares its projects with the user. Without
// [Options.Organizations], there is only one, for the records of the live service.
func newOrganizations(o *Options) (out []*organization) {
	names := strings.Fields(organizationNames)
	for i := range o.Organizations + 1 {
		rng := newRand(o.Seed, 1<<41+int64(i))
		org := &organization{Organization: Organization{
			ID: newID(rng, "org-", i), Name: names[i%len(names)],
			Plan: "launch", ManagedBy: "console",
		}}
		org.key = draw(o.Seed, 1<<45)
		if round := i / len(names); round > 0 {
			org.Name += " " + strconv.Itoa(round+1)
		}
		if i == o.Organizations && i > 0 {
			org.Name, org.foreign = "Partners", true
		}
		org.Handle = handle(org.Name)
		org.CreatedAt = stamp(o.Start.Add(-between(rng, 500*day, 900*day)))
		org.UpdatedAt = stamp(o.Start.Add(-between(rng, day, 400*day)))
		out = append(out, org)
	}
	return out
}

// handle returns an organization's name as it appears in addresses.
func handle(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// ownerOf returns the organization of the i-th project: among any twelve, one is shared.
func ownerOf(i int, list []*organization) *organization {
	members := len(list) - 1
	if members == 0 {
		return list[0]
	}
	if i%12 == 7 {
		return list[members]
	}
	return list[i%members]
}

// Organizations returns the organizations that the user belongs to: none without [Options.Organizations].
func (p *Platform) Organizations() (out []Organization) {
	for _, org := range p.orgs {
		if p.organized && !org.foreign {
			out = append(out, org.Organization)
		}
	}
	return out
}

// Owner returns the organization of a project, and whether the user does not belong to it. Without
// [Options.Organizations], and for an unknown project, the id is empty.
func (p *Platform) Owner(projectID string) (orgID string, shared bool) {
	project, ok := p.byID[projectID]
	if !ok || !p.organized {
		return "", false
	}
	return project.org.ID, project.org.foreign
}

// organization returns an organization, or nil.
func (p *Platform) organization(id string) *organization {
	for _, org := range p.orgs {
		if org.ID == id {
			return org
		}
	}
	return nil
}

// OrgKeys has the secrets of two keys of an organization, which are valid from the start.
type OrgKeys struct {
	OrgID  string `json:"org_id"`
	Name   string `json:"name"`
	APIKey string `json:"api_key"`
	// ProjectAPIKey reaches one project. Both are empty for an organization without projects.
	ProjectID     string `json:"project_id,omitempty"`
	ProjectAPIKey string `json:"project_api_key,omitempty"`
}

// OrgKeys returns the initial keys of the user's organizations, in their order.
func (p *Platform) OrgKeys() []OrgKeys {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]OrgKeys(nil), p.orgKeys...)
}

// orgGathered has the keys of an organization in the format of gathered. The names of keys of one project end in a star.
const orgGathered = `terraform atwork old-pipeline forgotten preview-* atwork grafana sometimes backup-* never`

// creators has the creators of some of these keys. The user of the account created the others.
const creators = "old-pipeline=Dave grafana=Bob preview-*=Alice backup-*=Carol"

// creator returns the creator of a gathered key by its name.
func (org *organization) creator(key string) Creator {
	for text := range strings.FieldsSeq(creators) {
		if name, person, _ := strings.Cut(text, "="); name == key {
			return org.person(person)
		}
	}
	return Creator{ID: demoUser, Name: demoName}
}

// newOrgKeys draws the initial keys of an organization, with ids above a number. The last two reach the organization and its
// first project.
func (p *Platform) newOrgKeys(o *Options, org *organization, above int64) (keys []*apiKey) {
	first := slices.IndexFunc(p.projects, func(project *project) bool { return project.org == org })
	gathered := gatherKeys(newRand(o.Seed, 1<<42+above), o.Start, above, orgGathered)
	id := gathered[len(gathered)-1].ID
	gathered = append(gathered,
		newKey(id+1, "pgtower", o.Start, ""), newKey(id+2, "pgtower-*", o.Start, ""))
	for _, k := range gathered {
		k.creator = org.creator(k.Name)
		name, ofProject := strings.CutSuffix(k.Name, "*")
		if ofProject && first < 0 {
			continue
		}
		if ofProject {
			project := p.projects[first].record
			k.Name, k.ProjectID = name+project.Name, project.ID
		}
		keys = append(keys, k)
	}
	return keys
}

// addOrgKeys adds the initial keys of an organization, oldest first. The last key of the organization and the last of a
// project get a known secret.
func (p *Platform) addOrgKeys(org *organization, keys []*apiKey) {
	issued := OrgKeys{OrgID: org.ID, Name: org.Name}
	for _, k := range slices.Backward(keys) {
		k.org, p.lastOrgKey = org, max(p.lastOrgKey, k.ID)
		secret := newSecret(p.seed, orgSecret+k.ID)
		switch {
		case k.ProjectID == "" && issued.APIKey == "":
			k.secret, issued.APIKey = secret, secret
		case k.ProjectID != "" && issued.ProjectAPIKey == "":
			k.secret, issued.ProjectID, issued.ProjectAPIKey = secret, k.ProjectID, secret
		}
	}
	p.keys, p.orgKeys = append(p.keys, keys...), append(p.orgKeys, issued)
}

// addOrganizations adds the initial keys of the user's organizations.
func (p *Platform) addOrganizations(o *Options) {
	p.lastOrgKey = 2_400_000 // in another list than those of the account
	for i, org := range p.orgs {
		switch {
		case org.foreign:
		case o.Fixture != nil && len(o.Fixture.Organizations) > 0:
			p.addOrgKeys(org, listedKeys(o, org, o.Fixture.Organizations[i].Keys))
		default:
			p.addOrgKeys(org, p.newOrgKeys(o, org, p.lastOrgKey))
		}
	}
}
