package ui

import (
	"slices"
	"testing"

	"pgtower/models/settings"
	"pgtower/ui/page"
)

// Changes during a save are saved once, after it, also if the user went on to the demo.
func TestLayoutKeeper(t *testing.T) {
	t.Parallel()
	var kept []int
	o := &Config{}
	o.SaveLayout = func(l settings.Layout) error {
		kept = append(kept, len(l.Columns["operations"]))
		return nil
	}
	k, outbox := layoutKeeper{}, &page.Outbox{}
	cmd := k.save(o)
	for _, names := range [][]string{{"age"}, {"age", "took"}, {"age", "took", "status"}} {
		o.Layout.SetColumns("operations", names)
		if k.save(o) != nil {
			t.Error("two are kept at once")
		}
	}
	if k.save(&Config{}) != nil {
		t.Error("the demo's layout is saved")
	}
	for cmd != nil {
		saved, _ := cmd().(layoutSaved)
		cmd = k.wasSaved(saved, outbox)
	}
	if !slices.Equal(kept, []int{0, 3}) {
		t.Errorf("kept %v", kept)
	}
}
