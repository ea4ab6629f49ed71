package client

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgtower/models"
)

// operationsPage returns a response with n operations, as long as the service's are.
func operationsPage(n int) string {
	var b strings.Builder
	b.WriteString(`{"operations":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"a07f8772-1877-4da9-a939-%012x","project_id":"floral-king-961888",`+
			`"branch_id":"br-bitter-sound-247814","endpoint_id":"ep-dark-snowflake-942567",`+
			`"action":"start_compute","status":"finished","failures_count":0,`+
			`"created_at":"2022-11-09T20:47:27.123456Z","updated_at":"2022-11-09T20:47:29Z","total_duration_ms":1234}`, i)
	}
	b.WriteString(`],"pagination":{"cursor":"2022-11-07T15:42:43.173532Z"}}`)
	return b.String()
}

// A pagination object that cannot be read is named as damage, and leads to no next page.
func TestPaginationThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for pagination, want := range map[string]string{
		`null`:                      "",
		`{}`:                        "",
		`{"cursor":null}`:           "",
		`{"cursor":""}`:             "",
		`{"cursor":"c","x":[]}`:     "",
		`"c"`:                       "pagination is not an object",
		`[{"cursor":"c"}]`:          "pagination is not an object",
		`7`:                         "pagination is not an object",
		`{"cursor":7}`:              "pagination.cursor is not text",
		`{"cursor":{"cursor":"c"}}`: "pagination.cursor is not text",
		`{"cursor":"` + strings.Repeat("c", maxCursor+1) + `"}`: "pagination.cursor is too long to be sent back",
	} {
		c := through(t, respond(200, `{"operations":[{"id":"a"}],"projects":[{"id":"a"}],"pagination":`+pagination+`}`))
		operations, err := c.Operations(t.Context(), "p", models.PageRequest{})
		if err != nil || operations.Damage != want || want != "" && operations.Next != "" {
			t.Errorf("%.40s: got %q, next %q, %v", pagination, operations.Damage, operations.Next, err)
		}
		projects, err := c.Projects(t.Context(), models.ListID{}, models.PageRequest{})
		if err != nil || projects.Damage != want {
			t.Errorf("%.40s: got %q, %v", pagination, projects.Damage, err)
		}
	}
}

// A byte order mark before the JSON is ignored, in responses and in errors; UTF-16 is refused.
func TestAnswerWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	status, doc := 200, "\uFEFF"+`{"operations":[{"id":"a"}]}`
	c := through(t, func(*http.Request) (*http.Response, error) { return answer(status, doc), nil })
	if page, err := c.Operations(t.Context(), "p", models.PageRequest{}); err != nil || len(page.Items) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	doc = "\xFF\xFE{\x00}\x00"
	if _, err := c.Operations(t.Context(), "p", models.PageRequest{}); models.KindOf(err) != models.KindMalformed || !strings.Contains(err.Error(), "UTF-16") {
		t.Error(err)
	}
	status, doc = 400, "\uFEFF"+`{"message":"the limit is wrong"}`
	if _, err := c.Operations(t.Context(), "p", models.PageRequest{}); err == nil || !strings.Contains(err.Error(), "the limit is wrong") {
		t.Error(err)
	}
}

// JSON that is too long or nested too deeply is refused: indented, it would grow too much.
func TestOperationJSONIsBounded(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]models.Kind{
		`{"a":"[[[[` + strings.Repeat("[", maxDepth) + `\\\"]"}`:          fine,
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth):     fine,
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1): models.KindMalformed,
		`{"error":"` + strings.Repeat("x", maxJSON-50) + `"}`:             fine,
		`{"error":"` + strings.Repeat("x", maxJSON) + `"}`:                models.KindTooLarge,
	} {
		c := through(t, respond(200, doc))
		got, err := c.OperationJSON(t.Context(), "p", "o")
		if want == fine && (err != nil || string(got) != doc) || want != fine && models.KindOf(err) != want {
			t.Errorf("%.40s: %v", doc, err)
		}
	}
}

// A list that is too long is refused as a whole. If it were cut, the next cursor would skip the rest.
func TestListsAreBounded(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{maxRecords: maxRecords, maxRecords + 1: 0} {
		body := keysList(n)
		c := through(t, respond(200, body))
		keys, err := c.APIKeys(t.Context(), models.ListID{})
		if len(keys) != want || want == 0 && models.KindOf(err) != models.KindTooLarge {
			t.Errorf("%d keys: got %d, %v", n, len(keys), err)
		}
	}
}

// The longest page of operations fits, each with far more than the specified fields.
func TestDecodeTheLongestPage(t *testing.T) {
	t.Parallel()
	body := strings.ReplaceAll(operationsPage(1000), `"failures_count":0`, `"error":"`+strings.Repeat("why ", 1900)+`","failures_count":1`)
	c := through(t, respond(200, body))
	p, err := c.Operations(t.Context(), "p", models.PageRequest{Limit: 1000})
	if err != nil || len(p.Items) != 1000 || p.Next == "" {
		t.Errorf("got %d of %d MiB, %v", len(p.Items), len(body)>>20, err)
	}
}
