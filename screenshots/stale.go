package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// findStale reports pictures that nothing makes or shows any more.
func findStale(dir string, shown map[string]bool) error {
	made := map[string]bool{}
	for _, s := range scenes() {
		made[s.name+".svg"] = true
		made[s.name+".png"] = shown[s.name]
	}
	for _, r := range recordings() {
		made[r.name+".svg"] = true
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.*g"))
	if err != nil {
		return fmt.Errorf("list the pictures: %w", err)
	}
	var errs []error
	for _, file := range files {
		switch name := filepath.Base(file); {
		case made[name]:
		case strings.HasSuffix(name, ".png"):
			errs = append(errs, fmt.Errorf("%s: the README does not show this picture; remove it", name))
		default:
			errs = append(errs, fmt.Errorf("%s: nothing makes this picture; remove it", name))
		}
	}
	return errors.Join(errs...)
}
