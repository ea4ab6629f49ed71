// Package termtest runs a program in a real pseudo-terminal and looks at it through a terminal
// emulator: what a person would see, which keys they press, and how the program ends.
//
// A test starts the program with [Start], whose methods end the test when something does not
// happen in time:
//
//	term := termtest.Start(t, termtest.Options{Path: termtest.Binary(t), Args: []string{"--demo"}})
//	term.Wait("Operations")
//	term.Press("3")
//	term.Wait("API keys")
//	term.Press("q")
//	if code := term.Exit(); code != 0 { … }
//
// Other programs use [Open], whose methods return errors.
//
// The emulator behaves as current terminals do: it answers what programs ask at their start
// (colours, device attributes, modes), and shows a synchronised update as a whole or not at all,
// so nobody ever looks at half a frame. Pseudo-terminals exist on Unix only; elsewhere the package
// compiles and Open reports that it is unsupported.
package termtest
