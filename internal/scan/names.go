package scan

// names remembers the names of members that were seen last, so that walking rows
// of the same shape allocates each name once. Names can be kept by callers, they
// are ordinary strings.
type names [128]string

// internMax is the longest name, in bytes, that is remembered.
const internMax = 64

func (n *names) of(b []byte) string {
	if len(b) > internMax {
		return string(b)
	}
	h := uint32(2166136261) // FNV-1a
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	slot := &n[(h^h>>16)%uint32(len(n))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
