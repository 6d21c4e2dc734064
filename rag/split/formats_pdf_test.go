//go:build !race

package split_test

import "testing"

// PDFs are left to a run without the race detector, under which PDFium takes a
// thousand times as long.

func TestPDFIsSplitWhole(t *testing.T) {
	t.Parallel()
	requireSamples(t, ".pdf")
}

func FuzzPDFWhole(f *testing.F) { fuzzFormat(f, ".pdf") }
