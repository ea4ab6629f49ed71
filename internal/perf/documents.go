package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The parts of the documents that are written by this program.
const (
	partPrograms   = "programs"
	partBenchmarks = "benchmarks"
	partSummary    = "how-fast"
)

// documents are the files with such parts, by the folder that holds go.mod.
func documents() map[string][]string {
	return map[string][]string{
		"internal/perf/README.md": {partPrograms, partBenchmarks},
		"README.md":               {partSummary},
	}
}

// replacePart writes a text between the marks of a part.
func replacePart(doc []byte, part, text string) ([]byte, error) {
	begin, end := []byte("<!-- "+part+" -->\n"), []byte("<!-- /"+part+" -->\n")
	before, rest, opened := bytes.Cut(doc, begin)
	_, after, closed := bytes.Cut(rest, end)
	if !opened || !closed || bytes.Contains(after, begin) {
		return nil, fmt.Errorf("no part %q, or more than one", part)
	}
	var out bytes.Buffer
	for _, b := range [][]byte{before, begin, []byte("\n" + strings.TrimSpace(text) + "\n\n"), end, after} {
		out.Write(b)
	}
	return out.Bytes(), nil
}

// write puts the texts into the parts of the documents.
func write(root string, texts map[string]string) error {
	for name, parts := range documents() {
		path := filepath.Join(root, name)
		doc, err := os.ReadFile(path) //nolint:gosec // a file of this repository
		if err != nil {
			return fmt.Errorf("read a document: %w", err)
		}
		for _, part := range parts {
			if doc, err = replacePart(doc, part, texts[part]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if err := os.WriteFile(path, doc, 0o644); err != nil { //nolint:gosec // a document is for everybody
			return fmt.Errorf("write a document: %w", err)
		}
	}
	return nil
}
