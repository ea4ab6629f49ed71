package cli

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/keys"
)

// newDoctor returns a doctor of a service, which keeps its findings and prints none.
func newDoctor(t *testing.T) *doctor {
	t.Helper()
	h := newHome(t, "")
	s := h.resolved()
	s.json, s.base = true, &url.URL{Host: "host"}
	return &doctor{settings: s, process: h.process()}
}

// The doctor has one finding for each rotation. The key that it uses itself is in use, whatever the service tells.
func TestDoctorTellsOfRotations(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) models.Opt[time.Time] {
		return models.Opt[time.Time]{Value: now.Add(-d), Known: true}
	}
	old := models.APIKey{ID: 1, Name: "ci", CreatedAt: now.Add(-99 * time.Hour), LastUsedAt: ago(25 * time.Hour), AsOf: models.At(now)}
	next := models.APIKey{ID: 2, Name: "ci-20261122", CreatedAt: now.Add(-48 * time.Hour), LastUsedAt: ago(time.Minute), AsOf: models.At(now)}
	busy, unused := old, next
	busy.LastUsedAt, unused.LastUsedAt = ago(23*time.Hour), ago(48*time.Hour)
	for name, c := range map[string]struct {
		keys    []models.APIKey
		own     int64
		forgets bool
		verdict verdict
		says    string
	}{
		"it can go":           {[]models.APIKey{old, next}, 3, false, verdictWarning, "ci (id 1): can go: quiet 25 h · successor used 1 min ago"},
		"by name":             {[]models.APIKey{old, next}, 3, true, verdictOK, "ci (id 1): may be replaced by ci-20261122"},
		"the doctor uses it":  {[]models.APIKey{old, next}, 1, false, verdictOK, "ci (id 1): still this session's key"},
		"it uses the new one": {[]models.APIKey{old, next}, 2, false, verdictOK, "successor is pgtower's key: its uses prove nothing"},
		"it is used":          {[]models.APIKey{busy, next}, 3, false, verdictOK, "quiet 23 h of 24 h · successor used"},
		"nothing moved":       {[]models.APIKey{old, unused}, 3, false, verdictOK, "successor not used yet"},
	} {
		d := newDoctor(t)
		if !c.forgets {
			rememberRotation(t, d.settings.memory.keysOf("host"), &old, &next)
		}
		d.checkRotations(models.ListID{}, c.keys, models.KeyRef{ID: c.own})
		if len(d.findings) != 1 || d.findings[0].Verdict != c.verdict || !strings.Contains(d.findings[0].Detail, c.says) {
			t.Errorf("%s: %+v", name, d.findings)
		}
	}
}

// rememberRotation remembers a rotation whose verification was two days ago, and whose secret is in a file.
func rememberRotation(t *testing.T, store keys.Store, old, next *models.APIKey) {
	t.Helper()
	_, err := store.Change(func(m *keys.Memory) {
		m.Add(keys.Made{
			Key: next.Ref(), Created: next.CreatedAt, First: next.CreatedAt, Took: time.Second,
			Handover: keys.Handover{Stage: keys.Handed, To: keys.ToFile},
		})
		m.Begin(keys.Rotation{Old: old.Ref(), OldCreated: old.CreatedAt, New: next.Ref(), Began: next.CreatedAt, Quiet: keys.QuietFor})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A user with a key from elsewhere gets no advice to set one.
func TestDoctorAdvisesOnTheKeyring(t *testing.T) {
	t.Parallel()
	for key, advice := range map[string]string{"": "Set PGTOWER_API_KEY or a key command.", "napi_good": ""} {
		d := newDoctor(t)
		d.checkKeyring(t.Context(), keystore.Sources{
			Host: "host", ProfileHost: "host", Ring: keystore.New(&memoryRing{locked: true}),
			LookupEnv: func(name string) (string, bool) { return key, name == keystore.EnvKey },
		})
		if len(d.findings) != 1 || d.findings[0].Advice != advice {
			t.Errorf("with the key %q: %+v", key, d.findings)
		}
	}
}

// The advice to revoke a key names its list: the id may be in several lists.
func TestDoctorNamesTheKeyToRevoke(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	list := models.ListID{Org: "org-a"}
	key := func(id int64, name string, used time.Duration) models.APIKey {
		return models.APIKey{
			List: list, ID: id, Name: name, CreatedAt: now.Add(-99 * time.Hour), AsOf: models.At(now),
			LastUsedAt: models.Opt[time.Time]{Value: now.Add(-used), Known: true},
		}
	}
	d := newDoctor(t)
	old, next := key(1, "my ci", 48*time.Hour), key(2, "my ci-20261122", time.Minute)
	rememberRotation(t, d.settings.memory.keysOf("host"), &old, &next)
	d.checkRotations(list, []models.APIKey{old, next}, models.KeyRef{})
	const want = "pgtower apikeys revoke 1 --org-id org-a --name 'my ci'"
	if len(d.findings) != 1 || !strings.HasSuffix(d.findings[0].Advice, want) {
		t.Errorf("%+v", d.findings)
	}
}
