//go:build !race

package birtest

// raced tells that the race detector is on, which multiplies time and memory.
const raced = false
