//go:build unix

package e2e

import (
	"regexp"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

func TestServiceIsDownFromTheStart(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("payments")
	b.stop()
	p := b.program("--project", project, "--interval", "1s")
	p.waitSaid("○ offline · ", "the service cannot be reached", "Nothing listens there: check the base URL's host and port.", "r: retry now")
	p.Press("2")
	p.waitSaid("✗ list projects: the service cannot be reached", "r: try again.")
	p.Press("3")
	p.waitSaid("✗ list API keys: the service cannot be reached", "r: try again.")
	b.restart()
	p.Press("r")
	p.Wait("20 keys")
	p.Press("2", "r")
	p.Wait("12 projects")
	p.Press("1")
	p.Wait("● live, every 1s", " payments ", "STATUS")
	p.quit()
}

func TestServiceIsDownAtTheStart(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	b.stop()
	p := b.program("--interval", "1s")
	p.waitSaid("✗ list projects: the service cannot be reached", "Retrying automatically; r: retry now.", "○ offline · next")
	b.restart()
	// No key is pressed.
	p.Wait("all projects (12)", "● live, every 1s", "STATUS")
	p.quit()
}

func TestServiceGoesDownAndComesBack(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--project", b.project("payments"), "--interval", "1s")
	p.Wait("● live, every 1s")
	p.Press("j", "j", "j", "j")
	p.waitRow("5", func(row, _ int) bool { return row == 5 })
	before := branchAndAction(selected(p.Screen()))
	b.stop()
	countdown := regexp.MustCompile(`◌ no answer for \d+s · next (\d+s|now)`)
	p.WaitFor("the feed to be late, with a countdown", func(s termtest.Screen) bool {
		return countdown.MatchString(s.Line(0))
	})
	p.Wait("✗ list operations: the service cannot be reached")
	p.Wait("○ offline ")
	if after := branchAndAction(selected(p.Screen())); before == "" || after != before {
		t.Errorf("the row was %q, and offline it is %q", before, after)
	}
	p.Press("k", "j")
	b.restart()
	p.Wait("● live, every 1s")
	p.WaitGone("✗ list operations")
	if after := branchAndAction(selected(p.Screen())); after != before {
		t.Errorf("the row was %q, and is %q after the outage", before, after)
	}
	p.quit()
}

func TestServiceLimitsRequests(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--project", b.project("payments"), "--interval", "1s")
	p.Wait("● live, every 1s", "finished")
	if _, err := b.Inject("429 retry-after=1000 of /projects/*/operations"); err != nil {
		t.Fatal(err)
	}
	p.Wait("◌ rate limited · next 17m", "finished")
	p.quit()
}

func TestServiceSendsNonsense(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	project := b.project("payments")
	remove, err := b.Inject(`of /projects body="<html>sign in to the airport's network</html>"`)
	if err != nil {
		t.Fatal(err)
	}
	p := b.program("--project", project, "--interval", "1s")
	p.Wait("● live, every 1s")
	p.Press("2")
	p.waitSaid("unexpected response format", "Check the base URL.")
	remove()
	p.Press("r")
	p.Wait("12 projects")
	b.truncateOperations()
	p.Press("1")
	p.Wait("✗ cannot read payments: ", "finished")
	p.quit()
}

// truncateOperations breaks the responses to polls in the middle.
func (b *backend) truncateOperations() {
	b.t.Helper()
	if _, err := b.Inject("truncate of /projects/*/operations"); err != nil {
		b.t.Fatal(err)
	}
}
