package extract

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden trees")

// TestGolden compares the trees of whole documents with those that were
// looked at and kept.
func TestGolden(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", "*"))
	require.NoError(t, err)
	seen := 0
	for _, p := range paths {
		if strings.HasSuffix(p, ".tree") {
			continue
		}
		seen++
		t.Run(filepath.Base(p), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Clean(p))
			require.NoError(t, err)
			x, err := File(t.Context(), p, data)
			require.NoError(t, err)
			require.Empty(t, faults(x))
			got := dump(x)
			golden := p + ".tree"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(filepath.Clean(golden))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")))
		})
	}
	require.GreaterOrEqual(t, seen, 4)
}
