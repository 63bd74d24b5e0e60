package literal

import "encoding/json"

// Introduction is what an agent takes from its introduction.
type Introduction struct {
	Text string

	reader string
}

// HasIntroduction says whether a text has an introduction.
func HasIntroduction(text string) bool {
	_, _, n := find(wordIntroduction, text)
	return n > 0
}

// ReadIntroduction reads the only introduction in what the host told the model.
func ReadIntroduction(f Failer, text string) Introduction {
	f.Helper()
	rest, _ := from(f, wordIntroduction, text)
	i := Introduction{Text: paragraph(rest)}
	for _, c := range calls(f, "introduction", i.Text) {
		if c.Arguments()["id"] == "ID" {
			i.reader = c.Name
		}
	}
	return i
}

// Read is the call that reads by an id, as a parent is told to try with the id
// of a subagent that ended without a report.
func (i Introduction) Read(f Failer, id string) Call {
	f.Helper()
	if i.reader == "" {
		f.Fatalf("introduction: it does not say how to read by an id: %s", i.Text)
	}
	input, _ := json.Marshal(map[string]string{"id": id})
	return Call{Name: i.reader, Input: input}
}
