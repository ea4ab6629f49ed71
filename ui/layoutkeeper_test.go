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
	var widths []int
	o := &Config{}
	o.SaveLayout = func(l settings.Layout) error {
		widths = append(widths, l.PaneWidth)
		return nil
	}
	k, outbox := layoutKeeper{}, &page.Outbox{}
	cmd := k.save(o)
	for o.Layout.PaneWidth < 3 {
		if o.Layout.PaneWidth++; k.save(o) != nil {
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
	if !slices.Equal(widths, []int{0, 3}) {
		t.Errorf("kept %v", widths)
	}
}
