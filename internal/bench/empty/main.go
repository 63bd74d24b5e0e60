// Command empty does nothing. What a Go program costs at least is what the
// hook's figures are ratios of.
package main

func main() {}
