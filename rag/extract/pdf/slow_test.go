//go:build !race

package pdf

import "testing"

// slow marks a test that reads long files through PDFium.
func slow(testing.TB) {}
