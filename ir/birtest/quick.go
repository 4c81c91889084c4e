package birtest

import "testing"

// Quick tells whether a test is to do a part of its work only: with -short, and under the race detector, where the whole of it takes longer than
// `go test` waits. What a detector can see, it sees in the part.
func Quick() bool { return testing.Short() || raced }
