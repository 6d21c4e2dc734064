package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

// profileData reads all profiles as they are stored, by version and set.
func (b bundle) profileData(t *testing.T) map[string][]byte {
	t.Helper()
	rows, err := b.Pool().Query(t.Context(), "select version_id || ' ' || unit_set, data from profiles")
	require.NoError(t, err)
	all := map[string][]byte{}
	var name string
	var data []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &data}, func() error { all[name] = append([]byte{}, data...); return nil })
	require.NoError(t, err)
	return all
}

func (b bundle) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	_, err := b.Pool().Exec(t.Context(), query, args...)
	require.NoError(t, err)
}

func (b bundle) unitsOf(t *testing.T, version int64) []rag.Unit {
	t.Helper()
	readings, err := b.Readings(t.Context(), everything, []int64{version})
	require.NoError(t, err)
	return readings[version].Outline.Units
}

// Versions that were written before there were profiles get the same ones.
func TestPutProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const set = rag.UnitSet("chars-60-0")
	v := version(b.ops, "a.md", rotate)
	old := b.put(t, version(b.ops, "a.md", "What stood there before.\n"))
	first := b.put(t, v) // replaces the one before
	chunk := chunks(set, v.Text)
	chunkIndex := indexOf(v.Text, chunk)
	require.NoError(t, b.AddUnits(t.Context(), everything, first.VersionID, chunk, chunkIndex, embedder, dimension))
	second := b.put(t, version(b.clinic, "b.md", "Other words.\n"))
	missing := func(scope rag.Scope) []int64 {
		ids, err := b.WithoutProfile(t.Context(), scope)
		require.NoError(t, err)
		return ids
	}
	require.Empty(t, missing(everything))

	before := b.profileData(t)
	require.Len(t, before, 3)
	profiles, err := b.Profiles(t.Context(), everything, set, []int64{first.VersionID})
	require.NoError(t, err)
	b.exec(t, "delete from profiles where version_id = $1", first.VersionID)
	require.Equal(t, []int64{first.VersionID}, missing(everything))
	require.Equal(t, []int64{first.VersionID}, missing(b.opsScope))
	require.Empty(t, missing(b.clinicScope))
	require.Empty(t, missing(b.nobodyScope))

	units := b.unitsOf(t, first.VersionID)
	index := append(indexOf(v.Text, units[:len(units)-len(chunk)]), chunkIndex...)
	for i := range index {
		index[i].Vector = nil
	}
	requireCode(t, rag.CodeNotFound, b.PutProfile(t.Context(), b.clinicScope, first.VersionID, units, index))
	requireCode(t, rag.CodeConflict, b.PutProfile(t.Context(), everything, old.VersionID, units, index))
	requireCode(t, rag.CodeInternal, b.PutProfile(t.Context(), everything, first.VersionID, units, index[1:]))
	requireCode(t, rag.CodeInternal, b.PutProfile(t.Context(), everything, first.VersionID, units[1:], index[1:]))
	requireCode(t, rag.CodeInternal, b.PutProfile(t.Context(), everything, first.VersionID, b.unitsOf(t, second.VersionID), index[:1]))
	require.Len(t, b.profileData(t), 1, "nothing by halves")

	require.NoError(t, b.PutProfile(t.Context(), b.opsScope, first.VersionID, units, index))
	require.Equal(t, before, b.profileData(t))
	require.Empty(t, missing(everything))
	again, err := b.Profiles(t.Context(), everything, set, []int64{first.VersionID})
	require.NoError(t, err)
	require.Equal(t, profiles, again)

	// One set of two: the other profile stays as it is.
	b.exec(t, "delete from profiles where version_id = $1 and unit_set = $2", first.VersionID, string(set))
	require.Equal(t, []int64{first.VersionID}, missing(everything))
	require.NoError(t, b.PutProfile(t.Context(), everything, first.VersionID, units, index))
	require.NoError(t, b.PutProfile(t.Context(), everything, first.VersionID, units, index), "there is nothing left to write")
	require.Equal(t, before, b.profileData(t))
}
