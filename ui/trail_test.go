package ui

import (
	"net/http"
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestBackAndForward(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.press("[")
		p.sees("there is nothing further back")
		p.press("2", "down", "enter") // the operations of the second project
		p.sees(" billing ")
		p.press("3", "[")
		p.sees(" billing ", "STATUS")
		p.press("[")
		p.sees("12 projects")
		p.press("[")
		p.sees("all projects (12)")
		p.press("]", "]")
		p.sees(" billing ", "STATUS")
		p.press("2") // what lay ahead is forgotten
		p.press("]")
		p.sees("there is nothing further ahead", "12 projects")
	})
}

func TestErrorsDrawer(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.press("!")
		p.sees("✓ nothing has failed")
		p.press("3", "j")
		p.inject(mock.Fault{Method: http.MethodDelete, Status: http.StatusForbidden})
		p.press("x", "tab", "enter", "x", "tab", "enter")
		p.press("!")
		p.reads("Errors, newest first", "×2", "the API key may not do this (status 403)", "DELETE /api/v2/api_keys/165074 · request id",
			`curl -i -X DELETE -H "Authorization: Bearer $PGTOWER_API_KEY" 'https://console.example/api/v2/api_keys/165074'`)
		p.press("esc")
		p.down = true
		p.press("r")
		p.wait(10 * time.Second)
		p.press("!")
		p.reads("List API keys: no answer in time")
	})
}
