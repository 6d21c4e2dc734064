package retrieve

import (
	"context"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"passage/rag"
)

// profileMemory is how much of the profiles of versions is kept in memory, in
// terms: four bytes each, and some for what stands beside them.
const profileMemory = 24 << 20

// profileIdle is how long one that nothing asks for is kept.
const profileIdle = time.Hour

// unitTerms is about what a unit of a profile takes besides its terms, in terms.
const unitTerms = 24

// profileKey names a profile. Profiles never change, and a hit names only
// versions that the scope may read, so one may be shared between askers.
type profileKey struct {
	version int64
	set     rag.UnitSet
}

func newProfiles() *otter.Cache[profileKey, *rag.Profile] {
	return otter.Must(&otter.Options[profileKey, *rag.Profile]{
		MaximumWeight: profileMemory,
		Weigher: func(_ profileKey, p *rag.Profile) uint32 {
			return uint32(min(weight(p), profileMemory))
		},
		// What was deleted goes when nothing has asked for it for a while.
		ExpiryCalculator: otter.ExpiryAccessing[profileKey, *rag.Profile](profileIdle),
	})
}

// weight is about how much memory a profile takes, in terms.
func weight(p *rag.Profile) int {
	n := 1
	for i := range p.Units {
		n += len(p.Units[i].Terms) + unitTerms
	}
	return n
}

// profiles gives the profiles of versions that hits name, from memory where
// they are there. A version without one (written by an older release, until the
// next start makes it) is left out; its hits are rated by the scores of the legs.
func (r *Retriever) profiles(ctx context.Context, scope rag.Scope, set rag.UnitSet, versions []int64) (map[int64]*rag.Profile, error) {
	found := make(map[int64]*rag.Profile, len(versions))
	var missing []int64
	for _, v := range versions {
		if p, ok := r.known.GetIfPresent(profileKey{v, set}); ok {
			found[v] = p
			continue
		}
		missing = append(missing, v)
	}
	if len(missing) == 0 {
		return found, nil
	}
	read, err := r.index.Profiles(ctx, scope, set, missing)
	if err != nil {
		return nil, fmt.Errorf("reading profiles: %w", err)
	}
	for v, p := range read {
		found[v] = p
		if weight(p) <= profileMemory/8 {
			r.known.Set(profileKey{v, set}, p)
		}
	}
	return found, nil
}
