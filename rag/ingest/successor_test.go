package ingest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSuccessorFromFrontMatter(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		meta map[string]string
		want string
	}{
		"nothing":             {nil, ""},
		"empty":               {map[string]string{"superseded_by": " "}, ""},
		"a title":             {map[string]string{"superseded_by": " Rotate again "}, "Rotate again"},
		"a path":              {map[string]string{"superseded_by": "kafka/new.md"}, "kafka/new.md"},
		"beside it":           {map[string]string{"superseded-by": "./new.md"}, "runbooks/kafka/new.md"},
		"above it":            {map[string]string{"replaced_by": "../new.md"}, "runbooks/new.md"},
		"outside of the root": {map[string]string{"superseded_by": "../../../../etc/new.md"}, "etc/new.md"},
		"on the web":          {map[string]string{"superseded_by": "https://wiki.example/new"}, "https://wiki.example/new"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, successor(tt.meta, "runbooks/kafka/old.md"))
		})
	}
}
