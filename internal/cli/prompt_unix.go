//go:build unix

package cli

import "github.com/charmbracelet/x/termios"

// hideTyping lets the terminal gather lines of what is typed and show nothing of it.
func hideTyping(fd uintptr) error {
	t, err := termios.GetTermios(int(fd))
	if err != nil {
		return err
	}
	in, out := uint32(t.Ispeed), uint32(t.Ospeed) //nolint:unconvert // 64 bits wide on macOS
	return termios.SetTermios(int(fd), in, out, nil,
		map[termios.I]bool{termios.ICRNL: true}, nil, nil,
		map[termios.L]bool{termios.ECHO: false, termios.ICANON: true, termios.ISIG: true})
}
