//go:build !race

package retrieve

import "testing"

// PDFs are left to a run without the race detector, under which PDFium takes a
// thousand times as long.
func TestWindowsInPDFs(t *testing.T) { // T01
	t.Parallel()
	checkSamples(t, ".pdf")
}
