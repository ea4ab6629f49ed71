package ui_test

import (
	"testing"

	"pgtower/internal/play"
	"pgtower/models/query"
	"pgtower/ui"
)

// A saved view of another page is no tab of the operations; it goes to its page, with its filter, order and columns.
func TestViewsOfOtherPages(t *testing.T) {
	t.Parallel()
	begin := func(_ *play.Backend, o *ui.Options) {
		o.Views = []query.SavedView{
			{Name: "Ours", Page: "projects", Filter: "name:storefront", Sort: "-name", Columns: []string{"name", "region"}},
			{Name: "Fails", Filter: "is:failed"},
		}
	}
	play.Run(t, 160, 30, begin, func(p *play.Program) {
		p.Sees(" Fails ")
		p.SeesNot(" Ours ")
		p.Command("view Ours")
		p.Sees("/ name:storefront", "storefront", "REGION")
		p.SeesNot("HOST", "billing")
		p.Command("view Fails")
		p.Sees("/ is:failed")
		p.SeesNot("name:storefront")
	})
}

// The program can begin with a view of any page.
func TestFirstViewOfAnotherPage(t *testing.T) {
	t.Parallel()
	begin := func(_ *play.Backend, o *ui.Options) {
		o.View, o.Views = "Ours", []query.SavedView{{Name: "Ours", Page: "projects", Filter: "name:storefront"}}
	}
	play.Run(t, 160, 30, begin, func(p *play.Program) { p.Sees("/ name:storefront", "storefront") })
}
