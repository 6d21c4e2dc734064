package docx

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden documents")

// TestGolden reads files that a word processor made and compares what came of
// them with what was looked at and kept.
func TestGolden(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", "*.docx"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 2)
	for _, p := range paths {
		t.Run(filepath.Base(p), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Clean(p))
			require.NoError(t, err)
			doc, err := Read(data)
			require.NoError(t, err)
			got, golden := dump(doc), p+".tree"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(filepath.Clean(golden))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")))
		})
	}
}
