package keys

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// lost is when answers are given up.
func lost() time.Time { return atNoon() }

// listAfter returns a list of keys, which count from 1, that was requested so long after the answers were lost.
func listAfter(after time.Duration, names ...string) Listed {
	var listed []models.APIKey
	for i, name := range names {
		listed = append(listed, models.APIKey{ID: int64(i + 1), Name: name, CreatedAt: atNoon().Add(-day)})
	}
	return NewListed(models.ListID{}, listed, lost().Add(after))
}

// decidedBy returns what a list decides: outcome and request of each record.
func decidedBy(c *Changes, list Listed) string {
	var all []string
	for _, r := range c.Decide(list).Records {
		all = append(all, r.Outcome+" "+r.RequestID)
	}
	return strings.Join(all, ", ")
}

// unanswered records that the creation of ci had no answer.
func unanswered(c *Changes, id string) {
	c.unanswered(models.ListID{}, Record{Name: "ci", RequestID: id, Outcome: Undecided}, nil, lost())
}

func revoke(c *Changes, id string, err error) {
	key := models.APIKey{ID: 1, Name: "ci", CreatedAt: atNoon().Add(-day)}
	c.startRevocation(key)
	c.answered(key, Record{Name: "ci", RequestID: id, Outcome: Undecided}, err, lost())
}

func failed(status int, body models.ErrorBody) error {
	return &models.Error{Kind: models.KindInvalid, Status: status, Body: body, Message: "no"}
}

// A list decides every change without an answer, also if the change was asked for again before the list came. Only a list
// requested past the deadline proves that nothing happened.
func TestChangesAreDecidedByLists(t *testing.T) {
	t.Parallel()
	timeout := &models.Error{Kind: models.KindTimeout}
	for name, c := range map[string]struct {
		change      func(*Changes)
		there       []string // the names of the keys of the list
		early, late string   // what the list decides before the deadline, and after it
	}{
		"a creation, not carried out": {
			func(c *Changes) { unanswered(c, "a") }, nil, "", "failed a",
		},
		"a creation, carried out": {
			func(c *Changes) { unanswered(c, "a") }, []string{"ci"}, "done a", "",
		},
		"two creations, one carried out": {
			func(c *Changes) { unanswered(c, "a"); unanswered(c, "b") }, []string{"ci"}, "", "unknown a, unknown b",
		},
		"two creations, both carried out": {
			func(c *Changes) { unanswered(c, "a"); unanswered(c, "b") }, []string{"ci", "ci"}, "done a, done b", "",
		},
		"a creation, and somebody else's": {
			func(c *Changes) { unanswered(c, "a") }, []string{"ci", "ci"}, "unknown a", "",
		},
		"a key of the name that was there before": {
			func(c *Changes) {
				c.unanswered(models.ListID{}, Record{Name: "ci", RequestID: "a"}, listAfter(0, "ci").Keys, lost())
			}, []string{"ci"}, "", "failed a",
		},
		"the second one had an answer": {
			func(c *Changes) { unanswered(c, "a"); c.created(models.ListID{}, Record{Name: "ci", ID: 1}) }, []string{"ci"}, "", "failed a",
		},
		"the second one had an answer, and its secret is lost": {
			func(c *Changes) { unanswered(c, "a"); c.Lose(models.KeyRef{ID: 1}, "ci") }, []string{"ci"}, "", "failed a",
		},
		"both were carried out": {
			func(c *Changes) { unanswered(c, "a"); c.created(models.ListID{}, Record{Name: "ci", ID: 1}) }, []string{"ci", "ci"}, "done a", "",
		},
		"two revocations, carried out": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", timeout) }, nil, "done a, done b", "",
		},
		"the second revocation had an answer": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", nil) }, nil, "done a", "",
		},
		"the second revocation was refused": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", failed(422, models.APIBody)) }, []string{"ci"}, "", "failed a",
		},
		"two revocations, none carried out": {
			func(c *Changes) { revoke(c, "a", timeout); revoke(c, "b", timeout) }, []string{"ci"}, "", "failed a, failed b",
		},
	} {
		changes := NewChanges()
		c.change(&changes)
		for after, want := range []string{c.early, c.late, ""} {
			list := listAfter([]time.Duration{Deadline - 1, Deadline, Deadline}[after], c.there...)
			if got := decidedBy(&changes, list); got != want {
				t.Errorf("%s: list %d decides %q, not %q", name, after, got, want)
			}
		}
		if until := changes.Until(models.ListID{}); !until.IsZero() {
			t.Errorf("%s: a list decides until %s", name, until)
		}
	}
}

// A key that is still seen for some time after its revocation is not said to exist. A key that a list lacks, because the
// list is older, is not said to be gone.
func TestChangesWithLateLists(t *testing.T) {
	t.Parallel()
	changes := NewChanges()
	revoke(&changes, "a", nil)
	changes.Decide(listAfter(youngFor-1, "ci"))
	if r := changes.Revocations[ref(1)]; r.State != Revoked {
		t.Errorf("%+v", r)
	}
	changes.Decide(listAfter(youngFor, "ci"))
	if r := changes.Revocations[ref(1)]; r.State != StillListed || r.Err != nil {
		t.Errorf("%+v", r)
	}
	changes = NewChanges()
	key := models.APIKey{ID: 1, Name: "new", CreatedAt: atNoon()}
	changes.startRevocation(key)
	changes.answered(key, Record{RequestID: "a"}, &models.Error{Kind: models.KindTimeout}, lost())
	list := listAfter(time.Second, "other", "another")
	list.Keys[0].ID, list.AsOf = 9, models.At(atNoon().Add(youngFor-1))
	if got := decidedBy(&changes, list); got != "" {
		t.Errorf("a list without it decides %s", got)
	}
	list.AsOf = models.At(atNoon().Add(youngFor))
	if d := changes.Decide(list); len(d.Gone) != 1 || d.Records[0].Outcome != Done {
		t.Errorf("%+v", d)
	}
}

// The secret of a key that a list shows before its answer is not said to be lost.
func TestChangesAnsweredAfterAList(t *testing.T) {
	t.Parallel()
	changes := NewChanges()
	unanswered(&changes, "a")
	decidedBy(&changes, listAfter(time.Second, "ci"))
	changes.created(models.ListID{}, Record{Name: "ci", ID: 1})
	if changes.IsOrphan(&models.APIKey{ID: 1, Name: "ci"}) {
		t.Error("its secret is known")
	}
}

// A remembered key had an answer, in whichever process: it is not the key of a creation without an answer.
func TestChangesAndKeysOfOtherProcesses(t *testing.T) {
	t.Parallel()
	c := NewChanges()
	unanswered(&c, "a")
	list := listAfter(Deadline, "ci")
	list.Memory.Made = []Made{{Key: list.Keys[0].Ref(), Created: list.Keys[0].CreatedAt}}
	if got := decidedBy(&c, list); got != "failed a" {
		t.Errorf("%q", got)
	}
}

// A key that is still listed although it was revoked does not hide why another one is.
func TestChangesOfKeysThatAreStillListed(t *testing.T) {
	t.Parallel()
	for range 20 { // maps have no order
		changes, timeout := NewChanges(), error(&models.Error{Kind: models.KindTimeout})
		list := listAfter(Deadline)
		for id, err := range map[int64]error{1: timeout, 2: nil, 3: nil} {
			key := models.APIKey{ID: id}
			list.Keys = append(list.Keys, key)
			changes.startRevocation(key)
			changes.answered(key, Record{}, err, lost())
		}
		if d := changes.Decide(list); !errors.Is(d.Err, timeout) {
			t.Fatalf("%v", d.Err)
		}
	}
}

// Only a request that was not sent, and one that the API itself refused in its own words, was certainly not carried out.
func TestRefusals(t *testing.T) {
	t.Parallel()
	of := func(kind models.Kind, status int, body models.ErrorBody, message string) error {
		return &models.Error{Kind: kind, Status: status, Body: body, Message: message}
	}
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"not connected":             {&models.Error{Kind: models.KindUnreachable, NotConnected: true}, true},
		"read-only":                 {&models.Error{Kind: models.KindReadOnly}, true},
		"held back by a limit":      {&models.Error{Kind: models.KindRateLimited}, true},
		"a wrong certificate":       {&models.Error{Kind: models.KindTLS, Hint: "Check the clock."}, true},
		"a broken connection":       {&models.Error{Kind: models.KindTLS}, false},
		"no answer":                 {&models.Error{Kind: models.KindTimeout}, false},
		"cancelled":                 {&models.Error{Kind: models.KindCanceled}, false},
		"something else":            {errors.New("?"), false},
		"400":                       {failed(400, models.APIBody), true},
		"400 of a proxy":            {failed(400, models.WebPage), false},
		"403":                       {of(models.KindForbidden, 403, models.APIBody, "no"), true},
		"403 without a body":        {of(models.KindForbidden, 403, models.UnknownBody, ""), false},
		"422":                       {failed(422, models.APIBody), true},
		"423":                       {of(models.KindLocked, 423, models.APIBody, "wait"), true},
		"429":                       {of(models.KindRateLimited, 429, models.APIBody, "slow"), true},
		"429 of a gateway":          {of(models.KindRateLimited, 429, models.UnknownBody, ""), false},
		"401":                       {of(models.KindUnauthorized, 401, models.APIBody, "no"), false},
		"404":                       {of(models.KindNotFound, 404, models.APIBody, "no"), false},
		"404 in known words":        {of(models.KindNotFound, 404, models.APIBody, "not allowed for organization API keys"), true},
		"408":                       {failed(408, models.APIBody), false},
		"409":                       {failed(409, models.APIBody), false},
		"409, as the name is taken": {of(models.KindInvalid, 409, models.APIBody, "choose another unique name"), true},
		"500":                       {of(models.KindServer, 500, models.APIBody, "no"), false},
		"a redirect":                {of(models.KindRedirect, 302, models.UnknownBody, ""), false},
	} {
		if got := Refused(c.err); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A list decides the open changes of a killed process past the deadline, or earlier if it shows what was done.
func TestOpenChangesOfAKilledProcess(t *testing.T) {
	t.Parallel()
	sent := atNoon()
	create := Record{Change: Created, Name: "new", RequestID: "c", Outcome: Undecided, Sent: sent, Error: "timeout"}
	killed := create
	killed.Error = ""
	gone := Record{Change: Revoke, ID: 1, Name: "ci", RequestID: "r", Outcome: Undecided, Sent: sent}
	old := create
	old.Sent = time.Time{}
	for name, c := range map[string]struct {
		open  []Record
		there []string // ci is the first key
		after time.Duration
		want  string
	}{
		"created, and not listed yet":    {[]Record{create}, []string{"ci"}, recordDeadline - 1, ""},
		"not created":                    {[]Record{create}, []string{"ci"}, recordDeadline, "failed c"},
		"created":                        {[]Record{create}, []string{"ci", "new"}, time.Second, "done c"},
		"created by a process that runs": {[]Record{killed}, []string{"ci", "new"}, time.Second, ""},
		"created by one that was killed": {[]Record{killed}, []string{"ci", "new"}, recordDeadline, "done c"},
		"of another time":                {[]Record{old}, []string{"ci"}, 99 * time.Hour, ""},
		"revoked, and not listed":        {[]Record{gone}, []string{"other"}, youngFor, "done r"},
		"not revoked until now":          {[]Record{gone}, []string{"ci"}, recordDeadline - 1, ""},
		"not revoked":                    {[]Record{gone}, []string{"ci"}, recordDeadline, "failed r"},
	} {
		list := listAfter(0, c.there...)
		for i := range list.Keys {
			k := &list.Keys[i]
			if k.Name == "new" {
				k.CreatedAt = sent
			}
			if k.Name == "other" {
				k.ID = 9
			}
		}
		list.AsOf = models.At(sent.Add(c.after))
		var got []string
		for _, r := range decideOpen(c.open, &list, &Memory{}, nil).Records {
			got = append(got, r.Outcome+" "+r.RequestID)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %q, not %q", name, text, c.want)
		}
	}
	list := listAfter(0, "new")
	list.Keys[0].CreatedAt, list.AsOf = sent, models.At(sent.Add(recordDeadline))
	d := decideOpen([]Record{create}, &list, &Memory{Made: []Made{{Key: ref(1), Created: sent}}}, nil)
	if len(d.Found) > 0 || len(d.Absent) != 1 {
		t.Errorf("a later creation had the answer: %+v", d)
	}
	// Of two creations of a name, one of them here, it is unknown which one was carried out.
	here := create
	here.RequestID = "h"
	changes := NewChanges()
	changes.unanswered(models.ListID{}, here, nil, lost())
	list.Asked = lost().Add(Deadline)
	d = decideOpen([]Record{create, here}, &list, &Memory{}, changes.SentIDs())
	if len(d.Records) != 1 || d.Records[0].Outcome != Undecided || decidedBy(&changes, list) != "unknown h" {
		t.Errorf("%+v", d)
	}
}
