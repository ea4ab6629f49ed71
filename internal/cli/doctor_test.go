package cli

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"pgtower/keystore"
	"pgtower/models"
)

// The doctor says what there is to say of each rotation. Its own key is in use, whatever the service tells.
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
		verdict verdict
		says    string
	}{
		"it can go":           {[]models.APIKey{old, next}, 3, verdictWarning, "ci (id 1) can go: quiet for 25 h, and ci-20261122 is used"},
		"the doctor uses it":  {[]models.APIKey{old, next}, 1, verdictOK, "ci (id 1) is being replaced, and still used"},
		"it uses the new one": {[]models.APIKey{old, next}, 2, verdictOK, "ci-20261122 is pgtower's own key, so its uses prove nothing"},
		"it is used":          {[]models.APIKey{busy, next}, 3, verdictOK, "ci (id 1) is being replaced, and still used"},
		"nothing moved":       {[]models.APIKey{old, unused}, 3, verdictOK, "ci-20261122 was not used yet"},
	} {
		s := defaults()
		s.json, s.base = true, &url.URL{Host: "host"}
		d := &doctor{settings: &s}
		d.checkRotations(c.keys, models.KeyRef{ID: c.own})
		if len(d.findings) != 1 || d.findings[0].Verdict != c.verdict || !strings.Contains(d.findings[0].Detail, c.says) {
			t.Errorf("%s: %+v", name, d.findings)
		}
	}
}

// Who has a key from elsewhere is not told where else it could come from.
func TestDoctorAdvisesOnTheKeyring(t *testing.T) {
	t.Parallel()
	for key, advice := range map[string]string{"": "Set PGTOWER_API_KEY or a key command.", "napi_good": ""} {
		s := defaults()
		s.json, s.base = true, &url.URL{Host: "host"}
		d := &doctor{settings: &s}
		d.checkKeyring(t.Context(), keystore.Sources{
			Host: "host", ProfileHost: "host", Ring: keystore.New(&memoryRing{locked: true}),
			Getenv: func(name string) string { return map[string]string{keystore.EnvKey: key}[name] },
		})
		if len(d.findings) != 1 || d.findings[0].Advice != advice {
			t.Errorf("with the key %q: %+v", key, d.findings)
		}
	}
}

// The line that revokes a key names its list: its id may be in several.
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
	s := defaults()
	s.json, s.base = true, &url.URL{Host: "host"}
	d := &doctor{settings: &s}
	d.checkRotations([]models.APIKey{key(1, "my ci", 48*time.Hour), key(2, "my ci-20261122", time.Minute)}, models.KeyRef{})
	const want = "pgtower apikeys revoke 1 --org-id org-a --name 'my ci'"
	if len(d.findings) != 1 || !strings.HasSuffix(d.findings[0].Advice, want) {
		t.Errorf("%+v", d.findings)
	}
}
