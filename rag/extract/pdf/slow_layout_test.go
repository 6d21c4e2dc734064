package pdf

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// asked is a context that ends when it has been asked some times whether it
// has.
type asked struct {
	context.Context
	left int
	end  context.CancelCauseFunc
}

func (a *asked) Err() error {
	if a.left == 0 {
		a.end(errSlow)
	}
	a.left--
	return a.Context.Err()
}

// The time for one file is that for making blocks of its pages too: the clock
// is looked at for each page in each pass over them.
func TestLayoutStops(t *testing.T) {
	t.Parallel()
	const pages, passes = 30, 5
	var lines []string
	for i := range pages * 20 {
		lines = append(lines, fmt.Sprintf("%d. Turn the key.", i+1))
	}
	for left := range pages*passes + 1 {
		inner, end := context.WithCancelCause(t.Context())
		_, err := (&file{pages: written(lines...)}).document(&asked{inner, left, end})
		end(nil)
		require.ErrorIs(t, err, errSlow, left)
	}
	_, err := (&file{pages: written(lines...)}).document(t.Context())
	require.NoError(t, err)
}
