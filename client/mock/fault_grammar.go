package mock

// wireGrammar tells how a fault is written.
type wireGrammar struct {
	Form      string         `json:"form"`
	Words     []wireWord     `json:"words"`
	Endpoints []wireEndpoint `json:"endpoints"`
	Listed    []wireWord     `json:"listed"` // the members of a fault in the list
}

type wireWord struct {
	Word  string `json:"word"`
	Does  string `json:"does"`
	Value string `json:"value,omitempty"`
}

type wireEndpoint struct {
	Name   string `json:"name"`
	Method string `json:"method"`
	Path   string `json:"path"`
}

// faultWords are the words that have a name, in the order in which people read them.
func faultWords() []string {
	return []string{
		"retry-after", "latency", "reset", "empty", "truncate", "trickle", "type", "body", "carry-out", "of", "p", "skip", "count",
	}
}

// effect says what a word of a fault is for.
func effect(word string) string {
	switch word {
	case "status":
		return "an answer with this status in place of the endpoint's; a number on its own"
	case "retry-after":
		return "the header of that name, beside a status"
	case "latency":
		return "a wait in real time before the answer, and how far it varies"
	case "reset":
		return "no answer: the connection is reset"
	case "empty":
		return "no answer: the connection ends in an orderly way"
	case "truncate":
		return "the connection breaks in the middle of the body"
	case "trickle":
		return "the header comes at once, and the body piece by piece over this time"
	case "type":
		return "another content type"
	case "body":
		return "another body"
	case "carry-out":
		return "the request is carried out, although a status, reset or empty hides it"
	case "of":
		return "which requests are hit; all where it is not given"
	case "p":
		return "the share of these that is hit"
	case "skip":
		return "how many of these are let through first"
	}
	return "how many are hit before the fault is spent"
}

func newGrammar() wireGrammar {
	g := wireGrammar{
		Form: `words in any order (429 of list_operations p=0.1 retry-after=2 body="two words")`,
		Listed: []wireWord{
			{Word: "passed", Does: "how many matching requests were let through because of skip"},
			{Word: "hits", Does: "how many requests were hit"},
			{Word: "spent", Does: "true once count requests were hit: it hits no more, and is listed until it is deleted"},
		},
	}
	for _, word := range append([]string{"status"}, faultWords()...) {
		g.Words = append(g.Words, wireWord{word, effect(word), meaning(word)})
	}
	for _, e := range namedEndpoints() {
		g.Endpoints = append(g.Endpoints, wireEndpoint{e.name, e.method, e.path})
	}
	return g
}
