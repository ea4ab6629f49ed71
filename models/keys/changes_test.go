package keys

import (
	"errors"
	"strings"
	"testing"

	"pgtower/models"
)

// decidedBy returns what a list of keys, which count from 1, decides: outcome and request of each record.
func decidedBy(c *Changes, request int, names ...string) string {
	list := Listed{Number: request}
	for i, name := range names {
		list.Keys = append(list.Keys, models.APIKey{ID: int64(i + 1), Name: name})
	}
	var all []string
	for _, r := range c.Decide(list).Records {
		all = append(all, r.Outcome+" "+r.RequestID)
	}
	return strings.Join(all, ", ")
}

// unanswered takes in that the creation of ci had no answer.
func unanswered(c *Changes, id string) {
	c.Unanswered(models.ListID{}, Record{Name: "ci", RequestID: id, Outcome: Undecided}, 1)
}

// A list decides about every change without an answer, also if the change was asked for again before the list came.
func TestListsDecideAboutEveryChange(t *testing.T) {
	t.Parallel()
	key := models.APIKey{ID: 1, Name: "ci"}
	timeout := &models.Error{Kind: models.KindTimeout}
	revoke := func(c *Changes, id string, err error) {
		c.Begin(key)
		c.Answered(key, Record{Name: "ci", RequestID: id, Outcome: Undecided}, err, 1)
	}
	for name, c := range map[string]struct {
		change func(*Changes)
		there  []string // the names of the keys of the list
		want   string
	}{
		"two creations, none carried out": {
			func(c *Changes) { unanswered(c, "a"); unanswered(c, "b") }, nil, "failed a, failed b",
		},
		"two creations, one carried out": {
			func(c *Changes) { unanswered(c, "a"); unanswered(c, "b") }, []string{"ci"}, "unknown a, unknown b",
		},
		"two creations, both carried out": {
			func(c *Changes) { unanswered(c, "a"); unanswered(c, "b") }, []string{"ci", "ci"}, "done a, done b",
		},
		"a creation, and somebody else's": {
			func(c *Changes) { unanswered(c, "a") }, []string{"ci", "ci"}, "unknown a",
		},
		"the first one was not carried out until a list came": {
			func(c *Changes) {
				unanswered(c, "a")
				c.Decide(Listed{Number: 2})
				unanswered(c, "b")
			}, []string{"ci"}, "unknown a, unknown b",
		},
		"the second one had an answer": {
			func(c *Changes) { unanswered(c, "a"); c.Created(models.ListID{}, "ci", 1) }, []string{"ci"}, "failed a",
		},
		"the second one had an answer, and its secret is lost": {
			func(c *Changes) { unanswered(c, "a"); c.Lose(models.ListID{}, "ci", 1) }, []string{"ci"}, "failed a",
		},
		"both were carried out": {
			func(c *Changes) { unanswered(c, "a"); c.Created(models.ListID{}, "ci", 1) }, []string{"ci", "ci"}, "done a",
		},
		"two revocations, one carried out": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", timeout) }, nil, "done a, done b",
		},
		"the second revocation had an answer": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", nil) }, nil, "done a",
		},
		"two revocations, none carried out": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", timeout) }, []string{"ci"}, "failed a, failed b",
		},
	} {
		changes := NewChanges()
		c.change(&changes)
		if got := decidedBy(&changes, 2, c.there...); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		if got := decidedBy(&changes, 3, c.there...); got != "" {
			t.Errorf("%s: %s is decided twice", name, got)
		}
	}
	changes := NewChanges()
	unanswered(&changes, "a")
	unanswered(&changes, "b")
	decidedBy(&changes, 2, "ci")
	if got := decidedBy(&changes, 3, "ci", "ci"); got != "done a, done b" {
		t.Errorf("the second one came late, and the list decides %s", got)
	}
	changes = NewChanges()
	unanswered(&changes, "a")
	decidedBy(&changes, 2, "ci", "ci")
	unanswered(&changes, "b")
	if got := decidedBy(&changes, 3, "ci", "ci"); got != "failed b" {
		t.Errorf("both keys are older than the second creation, and the list decides %s", got)
	}
	changes = NewChanges()
	unanswered(&changes, "a")
	for request, want := range []string{"", "", "failed a"} { // an answer to an earlier request does not decide
		if got := decidedBy(&changes, request); got != want {
			t.Errorf("request %d: %s, not %s", request, got, want)
		}
	}
	if got := decidedBy(&changes, 4, "ci"); got != "done a" {
		t.Errorf("it came late, and the list decides %s", got)
	}
}

// A key that a list shows before its answer comes is not taken for one whose secret is lost.
func TestAnAnswerThatComesAfterAListHasTheSecret(t *testing.T) {
	t.Parallel()
	changes := NewChanges()
	unanswered(&changes, "a")
	decidedBy(&changes, 2, "ci")
	changes.Created(models.ListID{}, "ci", 1)
	if changes.IsOrphan(&models.APIKey{ID: 1, Name: "ci"}) {
		t.Error("its secret is known")
	}
}

// A key that is still listed although it was revoked does not hide why another one is.
func TestEveryListTellsWhyAKeyIsListed(t *testing.T) {
	t.Parallel()
	for range 20 { // maps have no order
		changes, timeout := NewChanges(), error(&models.Error{Kind: models.KindTimeout})
		list := Listed{Number: 2}
		for id, err := range map[int64]error{1: timeout, 2: nil, 3: nil} {
			key := models.APIKey{ID: id}
			list.Keys = append(list.Keys, key)
			changes.Begin(key)
			changes.Answered(key, Record{}, err, 1)
		}
		if d := changes.Decide(list); !errors.Is(d.Err, timeout) {
			t.Fatalf("%v", d.Err)
		}
	}
}
