package split_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag/split"
)

// TestProceduresTakeLinearTime gives what makes a careless search for steps,
// their continuation or their surroundings begin again and again. A fast
// machine needs milliseconds for each.
func TestProceduresTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"1. a\n\nb\n\n", "1. a\n2. b\n\nc:\n\n", "1. a\n\n- b\n\n", "2. a\n\n", "1. a\n\n```\nb\n```\n\n", "a) b\nc) d\n\n1. e\n\n(1) f\n(2) g\n\n",
		"**Step 1:** a\n\n", "**Step 1:** a\n\nb\n\n", "Step 1: a\n\n", "Do this:\n\n- a\n- b\n\n", "Note: a\n\n", "Verify it:\n\n- a\n\n", "1. a\n2. b\n\nVerify it.\n\n",
		"## Step 1: a\n\n", "## 1. Check\n\n", "# Steps\n\n## 1. a\n\n## 2. b\n\n", "## Prerequisites\n\na\n\n", "## Rollback\n\n1. a\n2. b\n\n", "> 1. a\n> 2. b\n\n",
		"## Verification\n\n### a\n\n", "- 1. a\n  2. b\n",
	} {
		x := read(t, "a.md", "1. a\n2. b\n\n"+strings.Repeat(piece, 60_000/len(piece)))
		start := time.Now()
		_, err := split.Split(x, split.Options{})
		require.NoError(t, err)
		require.Less(t, time.Since(start), 5*time.Second, "%q", piece)
		t.Logf("%v %q", time.Since(start), piece)
	}
}
