package retrieve

import (
	"context"
	"fmt"

	"github.com/maypok86/otter/v2"

	"passage/rag"
)

// profileMemory is how much of the profiles of versions is kept in memory, in
// terms: four bytes each, and some for what stands beside them.
const profileMemory = 24 << 20

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
			n := 1
			for i := range p.Units {
				n += len(p.Units[i].Terms) + unitTerms
			}
			return uint32(min(n, profileMemory)) //nolint:gosec // bounded
		},
	})
}

// profiles gives the profiles of versions that hits name, from memory where
// they are there. A version without one (written by an older release) is left
// out; its hits keep the scores of the legs.
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
		r.known.Set(profileKey{v, set}, p)
	}
	return found, nil
}
