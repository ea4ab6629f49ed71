package mock

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// readObject decodes a body that is one JSON object, of known fields only.
func readObject(r *http.Request, into any) *problem {
	body, trouble := readBody(r)
	if trouble != nil {
		return trouble
	}
	if err := decodeObject(body, into); err != nil {
		return newProblem(http.StatusBadRequest, "the body cannot be read: %v", err)
	}
	return nil
}

func decodeObject(body []byte, into any) error {
	if body = bytes.TrimSpace(body); len(body) == 0 || body[0] != '{' {
		return errors.New("it is not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return errors.New(wrong.Field + " is a " + wrong.Value + ", which it cannot be")
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the JSON object")
	}
	return nil
}
