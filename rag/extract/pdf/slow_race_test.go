//go:build race

package pdf

import "testing"

// slow skips a test that reads long files: under the race detector PDFium
// takes a thousand times as long, and what the test is about shares nothing.
func slow(t testing.TB) {
	t.Helper()
	t.Skip("reads long files; run without -race")
}
