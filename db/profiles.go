package db

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// The data of a profile is a sequence of units in the order of their ordinals,
// each of unsigned varints (as in encoding/binary): id less the id before,
// zigzag; span start, zigzag, less the end before; span length; section; number
// of the kind in profileKinds times 2, plus 1 in a procedure; terms of the
// title; terms of the title and headings; terms. Then each term as 4 bytes,
// little-endian; terms of title and headings only where they differ from those
// of the unit before, which a leading 1 says.

// profileKinds numbers the kinds of units in stored profiles: append only.
var profileKinds = []rag.UnitKind{rag.UnitSentence, rag.UnitItem, rag.UnitRow, rag.UnitCode, rag.UnitHeading, rag.UnitChunk}

var errProfile = errors.New("stored profile is damaged")

// writeProfiles writes the profile of each set of the units.
func writeProfiles(ctx context.Context, tx pgx.Tx, at home, units []rag.Unit, ids []int64, index []rag.UnitIndex) error {
	for from, to := range sameSet(units) {
		_, err := tx.Exec(ctx, `
			insert into profiles (version_id, unit_set, space_id, doc_type_id, data)
			values (@version, @set, @space, @doc_type, @data)`,
			pgx.StrictNamedArgs{
				"version": at.version, "set": string(units[from].Set), "space": at.space, "doc_type": at.docType,
				"data": packProfile(units[from:to], ids[from:to], index[from:to]),
			})
		if err != nil {
			return wrap(err, "write the profile of version %d, %s", at.version, units[from].Set)
		}
	}
	return nil
}

// Profiles gives the profiles of live versions, of one set, by version. What is
// outside the scope, not live, or was written before there were profiles is
// left out. Errors: CodeUnavailable.
func (s *Store) Profiles(ctx context.Context, scope rag.Scope, set rag.UnitSet, versionIDs []int64) (map[int64]*rag.Profile, error) {
	profiles := make(map[int64]*rag.Profile, len(versionIDs))
	if len(versionIDs) == 0 {
		return profiles, nil
	}
	err := s.read(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			select p.version_id, t.name, p.data
			from profiles p
			join versions v on v.id = p.version_id and v.state = 'live'
			join doc_types t on t.id = p.doc_type_id
			where p.version_id = any(@versions) and p.unit_set = @set
			  and (@all_spaces or p.space_id = any(@scope_spaces))`,
			scopeArgs(scope, pgx.StrictNamedArgs{"versions": versionIDs, "set": clean(string(set))}))
		if err != nil {
			return err
		}
		p := rag.Profile{Set: set}
		var data []byte
		_, err = pgx.ForEachRow(rows, []any{&p.Version, &p.DocType, &data}, func() (err error) {
			one := p
			one.Units, err = unpackProfile(data)
			profiles[one.Version] = &one
			return err
		})
		return err
	})
	return profiles, wrap(err, "read %d profiles", len(versionIDs))
}

func packProfile(units []rag.Unit, ids []int64, index []rag.UnitIndex) []byte {
	var b []byte
	var id, end int64
	var before []uint32
	for i, u := range units {
		x := index[i]
		terms := make([]uint32, len(x.Terms))
		for j, t := range x.Terms {
			terms[j] = rag.TermHash(t)
		}
		b = binary.AppendVarint(b, ids[i]-id)
		b = binary.AppendVarint(b, int64(u.Span.Start)-end)
		b = binary.AppendUvarint(b, uint64(u.Span.Len()))
		b = binary.AppendUvarint(b, uint64(u.Section))
		kind := uint64(max(slices.Index(profileKinds, u.Kind), 0)) * 2
		if u.Procedure >= 0 {
			kind++
		}
		b = binary.AppendUvarint(b, kind)
		b = binary.AppendUvarint(b, uint64(x.Title))
		b = binary.AppendUvarint(b, uint64(x.Lead))
		b = binary.AppendUvarint(b, uint64(len(terms)))
		lead := terms[:x.Lead]
		if i > 0 && slices.Equal(lead, before) {
			b = append(b, 0)
		} else {
			b = appendHashes(append(b, 1), lead)
		}
		b = appendHashes(b, terms[x.Lead:])
		id, end, before = ids[i], int64(u.Span.End), lead
	}
	return b
}

func appendHashes(b []byte, hashes []uint32) []byte {
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint32(b, h)
	}
	return b
}

// profileReader reads numbers off the front of data; once it fails, all it
// gives is 0.
type profileReader struct {
	data []byte
	bad  bool
}

func (r *profileReader) number() int {
	n, size := binary.Uvarint(r.data)
	return r.took(int(n), size)
}

func (r *profileReader) signed() int64 {
	n, size := binary.Varint(r.data)
	r.took(0, size)
	return n
}

func (r *profileReader) took(n, size int) int {
	if size <= 0 || n < 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return n
}

func (r *profileReader) hashes(into []uint32, n int) []uint32 {
	if n < 0 || n > len(r.data)/4 {
		r.bad, r.data = true, nil
		return into
	}
	for range n {
		into = append(into, binary.LittleEndian.Uint32(r.data))
		r.data = r.data[4:]
	}
	return into
}

func unpackProfile(data []byte) ([]rag.ProfileUnit, error) {
	r := profileReader{data: data}
	var units []rag.ProfileUnit
	var id, end int64
	var before []uint32
	for len(r.data) > 0 {
		id += r.signed()
		start := end + r.signed()
		u := rag.ProfileUnit{ID: id, Span: rag.Span{Start: int(start), End: int(start) + r.number()}, Section: r.number()}
		kind := r.number()
		if kind/2 >= len(profileKinds) {
			return nil, errProfile
		}
		u.Kind, u.Procedure = profileKinds[kind/2], kind%2 == 1
		u.Title, u.Lead = r.number(), r.number()
		n := r.number()
		fresh := r.number()
		if r.bad || u.Title > u.Lead || u.Lead > n || n > len(data) || fresh == 0 && u.Lead != len(before) {
			return nil, errProfile
		}
		u.Terms = make([]uint32, 0, n)
		if fresh == 0 {
			u.Terms = append(u.Terms, before...)
		} else {
			u.Terms = r.hashes(u.Terms, u.Lead)
		}
		u.Terms = r.hashes(u.Terms, n-u.Lead)
		if r.bad {
			return nil, errProfile
		}
		end, before = int64(u.Span.End), u.Terms[:u.Lead]
		units = append(units, u)
	}
	return units, nil
}
