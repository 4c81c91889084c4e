//go:build race

package main

// raced tells that the race detector is on, which multiplies time and memory.
const raced = true
