//go:build race

package birtest

// Raced tells that the race detector is on, which multiplies time and memory.
const Raced = true
