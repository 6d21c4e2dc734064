package source_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/source"
)

// BenchmarkGit compares what a sync of a repository of 5,000 files costs with
// the git command's own clone: the first time, with nothing new, and after a
// commit that changes one file.
func BenchmarkGit(b *testing.B) {
	r := newRepo(b)
	content := files{}
	for i := range 5_000 {
		content[fmt.Sprintf("team%d/area%d/runbook-%d.md", i%10, i%7, i)] = fmt.Sprintf("# Runbook %d\n\n", i) + strings.Repeat(fmt.Sprintf("%d. Restart node-%d and wait for %d minutes.\n", i, i*7919, i%60), 60)
	}
	last := r.commit("main", content)
	out, err := exec.CommandContext(b.Context(), "git", "-C", r.dir, "gc", "-q").CombinedOutput()
	require.NoError(b, err, "%s", out)
	h := serve(b, backend(b, r))
	opts := source.Options{Guard: h.guard}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			opts.Dir = b.TempDir()
			l, err := look(b, gitConfig(), opts)
			require.NoError(b, err)
			require.Len(b, l.Items, len(content))
		}
	})
	opts.Dir = b.TempDir()
	l, _ := mustLook(b, gitConfig(), opts)
	known := knows(l)
	b.Run("nothing new", func(b *testing.B) {
		for b.Loop() {
			s, err := source.New(gitConfig(), opts)
			require.NoError(b, err)
			l, err := s.List(b.Context(), known)
			require.NoError(b, err)
			require.NoError(b, l.Close())
		}
	})
	b.Run("read all", func(b *testing.B) {
		for b.Loop() {
			mustLook(b, gitConfig(), opts, known...)
		}
	})
	b.Run("one file changed", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			content["team0/area0/runbook-0.md"] = fmt.Sprintf("# Changed %d\n", i)
			last = r.commit("main", content, last)
			b.StartTimer()
			s, err := source.New(gitConfig(), opts)
			require.NoError(b, err)
			l, err := s.List(b.Context(), known)
			require.NoError(b, err)
			require.NoError(b, l.Close())
		}
	})
	b.Run("git command, first", func(b *testing.B) {
		for b.Loop() {
			out, err := exec.CommandContext(b.Context(), "git", "clone", "-q", "--bare", "--depth", "1", "file://"+r.dir, filepath.Join(b.TempDir(), "x")).CombinedOutput()
			require.NoError(b, err, "%s", out)
		}
	})
}

func BenchmarkPlan(b *testing.B) {
	known, l := make([]source.Known, 0, 30_000), &source.Listing{Complete: true}
	for i := range 30_000 {
		known = append(known, live(fmt.Sprintf("d%d/f%d.md", i%100, i), fmt.Sprint("h", i%29_000)))
		if i%10 > 0 {
			l.Items = append(l.Items, item(fmt.Sprintf("e%d/f%d.md", i%100, i), fmt.Sprint("h", i%29_000)))
		}
	}
	for b.Loop() {
		source.MakePlan(known, l, source.Limits{})
	}
}
