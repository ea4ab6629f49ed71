package page

// Layout is how the user laid out the pages. It outlives sessions: the configuration keeps it. What is zero depends on
// the screen.
type Layout struct {
	Pane                          *bool    // whether the pane with the detail is open
	PaneWidth                     int      // beside the rows, in cells
	Operations, Projects, APIKeys []string // the names of the columns, in their order
}

// Columns are those of a page.
func (l *Layout) Columns(of ID) *[]string {
	return [Count]*[]string{&l.Operations, &l.Projects, &l.APIKeys}[of]
}

// KeepLayout asks for the layout of the session to be kept.
type KeepLayout struct{}

func (KeepLayout) effect() {}
