//go:build unix

package e2e

import (
	"fmt"
	"testing"

	"pgtower/client/mock"
)

func TestProjectsOfTwoPages(t *testing.T) {
	t.Parallel()
	const projects = 403 // the service sends at most 400 at once
	b := serve(t, mock.Options{Projects: projects})
	p := b.program("--interval", "1s")
	p.Wait("1 Operations")
	p.Press("2")
	p.Wait(fmt.Sprintf("%d projects", projects), fmt.Sprintf("1 / %d", projects))
	if n := b.count("GET /projects?cursor="); n < 1 {
		t.Error("the second page was never asked for")
	}
	first := b.api.projects()
	var page struct{ Projects []record }
	b.api.call("GET", "/projects?limit=400&cursor="+first[len(first)-1]["id"].(string), "", &page)
	last := page.Projects[len(page.Projects)-1]
	p.Press("G")
	p.Wait(fmt.Sprintf("%d / %d", projects, projects))
	p.waitSelected(last["name"].(string))

	p.Press("enter")
	for _, name := range []string{
		"id", "name", "platform_id", "region_id", "provisioner", "pg_version", "locked", "proxy_host",
		"branch_logical_size_limit", "created_at",
	} {
		p.waitField(name, last[name])
	}
	// These two may have grown since they were read.
	p.Wait("cpu_used_sec  ", "updated_at  ")
	p.leave("branch_logical_size_limit")
	p.Wait("REGION", "HEALTH")

	p.Press("o")
	p.Wait(" "+last["name"].(string)+" ", "● live, every 1s")
	p.WaitGone("REGION")
	p.Press("enter")
	p.waitField("project_id", last["id"])
	p.quit()
}

func TestNoProjects(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{Projects: -1})
	p := b.program()
	p.Wait("This account has no projects.", "create one")
	p.Press("2")
	p.Wait("This account has no projects.", "Create one")
	p.quit()
}

// The health of projects shows which of them to look at.
func TestHealthOfProjects(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--interval", "1s")
	p.Wait("● live, every 1s")
	if _, err := b.Inject("500 of /projects/" + b.project("identity") + "/operations"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Start(mock.Task{ProjectID: b.project("scratchpad"), Action: "create_branch", Fail: true}); err != nil {
		t.Fatal(err)
	}
	p.Press("2")
	p.Wait("HEALTH", "✗ unreadable", "1 unreadable")
	p.Press("/")
	p.Send("scratch is:failing")
	p.Press("enter")
	p.Wait("1 of 12", "✗ failing")
	p.waitSelected("scratchpad")
	p.Press("enter")
	p.Wait("✗ failing", "1 in 15 minutes")
	p.Press("o")
	p.Wait(" scratchpad ", "✗ failed", "Create branch")
	p.quit()
}
