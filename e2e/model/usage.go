package model

// Usage is the number of tokens an answer reports. The wires translate it: the
// four numbers never include each other here.
type Usage struct {
	Input       int
	CacheCreate int
	CacheRead   int
	Output      int
}

// Total is the number of tokens in the context after the answer.
func (u Usage) Total() int { return u.Input + u.CacheCreate + u.CacheRead + u.Output }
