// Command screenshots makes the pictures of pgtower from pgtower itself: it builds the program,
// runs it on the built-in mock in a terminal emulator, presses keys, and draws what is then on the
// screen as SVG. The pictures are the same on every machine, byte for byte.
//
//	go run ./screenshots              writes the SVG files of this folder
//	go run ./screenshots -png         renders PNG files from them as well (needs rsvg-convert)
//	go run ./screenshots -only help   does only the scenes whose name contains the text
//	go run ./screenshots -check       compares instead of writing; exit code 1 names what differs
//
// What is pictured is listed in scenes.go.
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
	flag.BoolVar(&opts.png, "png", false, "render PNG files with rsvg-convert too")
	flag.StringVar(&opts.only, "only", "", "do only the scenes whose name contains this `text`")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, opts); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		stop()
		os.Exit(1)
	}
}
