package store

func children() map[string]func([]string) error { return nil }
