package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/models"
)

const (
	longestMessage = 500      // of the service in an error, in bytes
	longestText    = 16 << 20 // of the standard input, in bytes
)

// readAll reads a text until ctx ends.
func readAll(ctx context.Context, input io.Reader) ([]byte, error) {
	return interruptible(ctx, func() ([]byte, error) { return models.ReadText(input, longestText) })
}

// errNothing ends a wait without a failure: the service says that its answers started no operation.
var errNothing = errors.New("nothing to wait for: the answer started no operation")

// startedBy returns the operations of the answers of the service in a text, each once, or those of lines or ids. No answer may be
// a refusal. If there are no operations, each answer must say so with an empty list, and the error is [errNothing].
func startedBy(text []byte) (operations []models.Operation, err error) {
	if ids, found := idsIn(text); found {
		return idOperations(ids)
	}
	answers, ids := json.NewDecoder(bytes.NewReader(text)), map[string]bool{}
	unlisted := false // an answer does not say which operations it started
	for n := 0; ; n++ {
		list, err := nextAnswer(answers)
		switch {
		case errors.Is(err, io.EOF) && len(operations) > 0:
			return operations, nil
		case errors.Is(err, io.EOF) && n > 0 && unlisted:
			return nil, errors.New("the standard input has no operations")
		case errors.Is(err, io.EOF) && n > 0:
			return nil, errNothing
		case errors.Is(err, io.EOF):
			return nil, errNoInput
		case err != nil:
			return nil, err
		}
		unlisted = unlisted || list == nil
		for _, op := range list {
			if !ids[op.ID] {
				ids[op.ID] = true
				operations = append(operations, op)
			}
		}
	}
}

// errNoInput is the error of an input in none of the forms that a wait reads.
var errNoInput = errors.New("the standard input must be an answer of the service with operations, in JSON, " +
	"lines of pgtower operations --json, or ids of operations, one a line")

// nextAnswer returns the operations of the next answer, or line; nil if it does not list any. At the end, the error is [io.EOF].
func nextAnswer(answers *json.Decoder) (list []models.Operation, err error) {
	var answer struct {
		Operations []models.Operation
		Operation  *models.Operation
		Message    string
	}
	var doc json.RawMessage
	if err := answers.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	if json.Unmarshal(doc, &answer) != nil {
		return nil, errNoInput
	}
	list = answer.Operations
	switch {
	case answer.Operation != nil:
		list = append(list, *answer.Operation)
	case list == nil:
		list = lineOf(doc)
	}
	if len(list) == 0 && answer.Message != "" {
		message := models.Shorten(models.Clean(models.MaskKeys(answer.Message)), longestMessage)
		return nil, fmt.Errorf("the service did not start an operation: %s", message)
	}
	return list, nil
}

// lineOf returns the operation that a line of pgtower operations --json is, or none.
func lineOf(doc []byte) (list []models.Operation) {
	var op models.Operation
	if json.Unmarshal(doc, &op) == nil && operationID.MatchString(op.ID) {
		list = append(list, op)
	}
	return list
}

// idsIn returns the words of a text that is no JSON: ids, one a line.
func idsIn(text []byte) (ids []string, found bool) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || !operationID.Match(bytes.Fields(text)[0]) {
		return nil, false
	}
	for line := range strings.Lines(string(text)) {
		if id := strings.TrimSpace(line); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, true
}

// idOperations returns the operations of ids, each once.
func idOperations(ids []string) (operations []models.Operation, err error) {
	added := map[string]bool{}
	for _, id := range ids {
		if !operationID.MatchString(id) {
			text := models.Shorten(models.Clean(models.MaskKeys(id)), longestMessage)
			return nil, fmt.Errorf("the standard input must have one id of an operation a line, not %q", text)
		}
		if !added[id] {
			added[id] = true
			operations = append(operations, models.Operation{ID: id})
		}
	}
	return operations, nil
}

// readInput reads the operations of answers of the service, one after another.
func (w *waiter) readInput(ctx context.Context) error {
	input := w.from.process.Stdin
	if term.IsTerminal(int(input.Fd())) {
		return exit.Usagef("wait - reads an answer of the service, lines of operations --json, or ids: curl … | pgtower wait -")
	}
	text, err := readAll(ctx, input)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("read the standard input: %w", err)
	}
	operations, err := startedBy(text)
	if err != nil {
		return err
	}
	projects := &w.from.options.Projects
	for i := range operations {
		op := &operations[i]
		if !operationID.MatchString(op.ID) || op.ProjectID != "" && !models.IsID(op.ProjectID) {
			return fmt.Errorf("the standard input has an operation with a wrong id: %s", models.Clean(op.ID))
		}
		if op.ProjectID != "" && !slices.Contains(*projects, op.ProjectID) {
			*projects = append(*projects, op.ProjectID)
		}
		w.want(op.ProjectID, &models.Operation{ID: op.ID, ProjectID: op.ProjectID, CreatedAt: op.CreatedAt})
	}
	return nil
}
