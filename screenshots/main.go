// Command screenshots makes the pictures of pgtower from pgtower itself: it builds the program,
// runs it on the built-in mock in a terminal emulator, presses keys, and draws what is then on the
// screen as SVG. Some of them move: for those the program is played in simulated time. The pictures
// are the same on every machine, byte for byte.
//
//	go run ./screenshots              writes the SVG files of this folder
//	go run ./screenshots -png         renders those that the README shows as PNG, too (needs rsvg-convert)
//	go run ./screenshots -only help   does only those whose name contains the text
//	go run ./screenshots -check       compares instead of writing; exit code 1 names what differs
//
// What is pictured is listed in scenes.go, and what is played in simulated time in recordings.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	var opts options
	flag.BoolVar(&opts.check, "check", false, "compare with the files instead of writing them")
	flag.BoolVar(&opts.png, "png", false, "render what the README shows as PNG with rsvg-convert, too")
	flag.StringVar(&opts.only, "only", "", "do only those whose name contains this `text`")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, opts); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		stop()
		os.Exit(1)
	}
}
