package literal

import "strings"

// from returns a text from its only lead of that word on, and what else the
// lead says. No or several such leads fail the story; framed ones do not count.
func from(f Failer, word, text string) (rest, says string) {
	f.Helper()
	at, says, n := find(word, mask(f, word, text))
	switch n {
	case 0:
		f.Fatalf("no [handover:%s …] in:\n%s", word, text)
	case 1:
	default:
		f.Fatalf("%d times [handover:%s …] in:\n%s", n, word, text)
	}
	return text[at:], says
}

// find returns where the first lead of that word is, what else it says, and how
// many there are.
func find(word, text string) (at int, says string, n int) {
	for _, m := range leadPattern.FindAllStringSubmatchIndex(text, -1) {
		if text[m[2]:m[3]] != word {
			continue
		}
		if n++; n == 1 {
			at = m[0]
			if m[4] >= 0 {
				says = text[m[4]:m[5]]
			}
		}
	}
	return at, says, n
}

// paragraph cuts a text at its first empty line: hosts join what several
// sources say by one.
func paragraph(text string) string {
	p, _, _ := strings.Cut(text, "\n\n")
	return p
}
