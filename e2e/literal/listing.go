package literal

import (
	"encoding/json"
	"strings"
)

// Listing is what a model takes from the list of a project's handovers.
type Listing struct {
	Items []Item

	reader string
}

// Item is one handover of a list.
type Item struct {
	ID   string
	Says string // age, host, state and first line of the summary, as listed
}

// ReadListing reads the only list in a text.
func ReadListing(f Failer, text string) Listing {
	f.Helper()
	rest, _ := from(f, wordList, text)
	own, frames := split(f, "list", rest)
	ceiling(f, "list", own, frames)
	var l Listing
	for _, frame := range frames {
		for _, line := range strings.Split(frame.Body, "\n") {
			m := itemPattern.FindStringSubmatch(line)
			if m == nil {
				f.Fatalf("list: the line %q has no id", line)
			}
			l.Items = append(l.Items, Item{ID: m[1], Says: m[2]})
		}
	}
	if len(l.Items) == 0 {
		f.Fatalf("list: nothing is listed in:\n%s", text)
	}
	l.reader = theCall(f, "list", "read by an id", own, reads("ID", false)).Name
	return l
}

// Read is the call that reads an item.
func (l Listing) Read(i Item) Call {
	input, _ := json.Marshal(map[string]string{"id": i.ID})
	return Call{Name: l.reader, Input: input}
}
