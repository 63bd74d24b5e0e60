//go:build !unix

package main

const nonblocking = 0
