package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// pngZoom makes pixels of the picture's units: sharp at the width that README pages have on dense
// displays.
const pngZoom = "1.5"

// shownAsPNG returns the names of the pictures that the README shows as PNG: the others need none.
func shownAsPNG(root string) (map[string]bool, error) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md")) //nolint:gosec // a file of this module
	if err != nil {
		return nil, fmt.Errorf("read which pictures are shown: %w", err)
	}
	shown := map[string]bool{}
	for _, match := range regexp.MustCompile(`screenshots/([\w-]+)\.png`).FindAllSubmatch(readme, -1) {
		shown[string(match[1])] = true
	}
	return shown, nil
}

// renderPNG makes the PNG file beside an SVG file.
func renderPNG(ctx context.Context, path string) error {
	tool, err := exec.LookPath("rsvg-convert")
	if err != nil {
		return fmt.Errorf("PNG files need rsvg-convert (Debian: librsvg2-bin fonts-jetbrains-mono fonts-noto-cjk): %w", err)
	}
	png := strings.TrimSuffix(path, ".svg") + ".png"
	if out, err := exec.CommandContext(ctx, tool, "-z", pngZoom, "-o", png, path).CombinedOutput(); err != nil { //nolint:gosec // a file of this folder
		return fmt.Errorf("rsvg-convert: %w\n%s", err, out)
	}
	return nil
}
