package db

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// mergeLimits says when and how the fresh postings of a group are merged.
type mergeLimits struct {
	// So many versions have come or gone, or so many rows: it is due. A search
	// reads a row of each version that has come.
	versions, rows int

	// The most rows that one transaction takes, to the end of a term.
	atOnce int

	// The size in bytes at which a merged row is full; two fit into a page of
	// the table. A row below it is read again and filled by each merge.
	full int
}

var usualMerge = mergeLimits{versions: 64, rows: 50_000, atOnce: 50_000, full: 3_500}

// MergePostings packs what was written since the last time into rows of many
// versions, and takes out for good what has left. Search finds the same before,
// meanwhile and after. Writes do it by themselves when enough has gathered; a
// program may call it at its start, and after documents were deleted.
func (s *Store) MergePostings(ctx context.Context) error {
	return wrap(s.mergeGroups(ctx, allGroups, usualMerge), "merge postings")
}

// Which groups are merged, by what their journals hold.
const (
	allGroups     = "count(*) >= least(1, @versions, @rows)"
	dueGroups     = "count(*) >= @versions or sum(entries) >= @rows"
	reducedGroups = dueGroups + " or min(units) < 0" // those that something has left
)

// mergeIfDue merges the groups that meet the condition. The write before has
// been committed, and a search finds it as it is, only slower; so a fault here
// is logged and the next write tries again.
func (s *Store) mergeIfDue(ctx context.Context, due string) {
	if err := s.mergeGroups(ctx, due, usualMerge); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "postings were not merged", "error", err)
	}
}

// mergeGroups merges groups. One that another process is merging is left to it.
func (s *Store) mergeGroups(ctx context.Context, due string, limits mergeLimits) error {
	rows, err := s.pool.Query(ctx, "select group_id from lexical_journal group by group_id having "+due,
		pgx.StrictNamedArgs{"versions": limits.versions, "rows": limits.rows})
	if err != nil {
		return wrap(err, "look for fresh postings")
	}
	groups, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return wrap(err, "look for fresh postings")
	}
	for _, group := range groups {
		for more := true; more; {
			if more, err = s.mergeGroup(ctx, group, limits); err != nil {
				return wrap(err, "merge group %d", group)
			}
			more = more && due == allGroups
		}
	}
	return nil
}

// mergeGroup merges the fresh postings of the group's first terms, as many as
// one transaction should take, and says whether there are more. It removes only
// rows that nobody but another merge would touch.
func (s *Store) mergeGroup(ctx context.Context, group int32, limits mergeLimits) (more bool, err error) {
	var gone []string
	err = s.write(ctx, func(tx pgx.Tx) error {
		var taken bool
		err := tx.QueryRow(ctx, "select pg_try_advisory_xact_lock(hashtextextended('lexical/' || @group::int, 0))",
			pgx.StrictNamedArgs{"group": group}).Scan(&taken)
		if err != nil || !taken {
			return wrap(err, "take the lock of the group")
		}
		if err := unhurried(ctx, tx); err != nil {
			return err
		}
		m := merge{tx: tx, group: group, limits: limits, terms: map[string]*termMerge{}}
		if more, err = m.fresh(ctx); err != nil {
			return err
		}
		if err := m.blocks(ctx); err != nil {
			return err
		}
		gone, err = m.write(ctx)
		return err
	})
	if err == nil {
		err = s.dropWords(ctx, gone)
	}
	return more, err
}

// merge is the work on one group in a transaction.
type merge struct {
	tx     pgx.Tx
	group  int32
	limits mergeLimits
	terms  map[string]*termMerge
}

// termMerge is what is known of a term.
type termMerge struct {
	runs []run
	left map[int64]bool // versions that have left
}

func (m *merge) term(name string) *termMerge {
	t := m.terms[name]
	if t == nil {
		t = &termMerge{left: map[int64]bool{}}
		m.terms[name] = t
	}
	return t
}

// fresh takes the fresh rows. The journal goes first, and only when no row
// stays behind: of a version that commits in between the rows are merged now,
// and the journal counts it until the next time.
func (m *merge) fresh(ctx context.Context) (more bool, err error) {
	args := pgx.StrictNamedArgs{"group": m.group}
	var last *string
	err = m.tx.QueryRow(ctx, `
		select (select term from postings where group_id = @group and fresh order by term offset @rows limit 1)`,
		pgx.StrictNamedArgs{"group": m.group, "rows": m.limits.atOnce}).Scan(&last)
	if err != nil {
		return false, wrap(err, "count fresh postings")
	}
	where := "group_id = @group and fresh"
	if last == nil {
		_, err = m.tx.Exec(ctx, `
			with gone as (delete from lexical_journal where group_id = @group returning units, terms)
			update lexical_groups
			set units = units + (select coalesce(sum(units), 0) from gone),
			    terms = terms + (select coalesce(sum(terms), 0) from gone)
			where id = @group`, args)
		if err != nil {
			return false, wrap(err, "close the journal")
		}
	} else {
		where += " and term <= @last"
		args["last"] = *last
	}
	err = m.take(ctx, "delete from postings where "+where+" returning term, first, n, body", args)
	return last != nil, wrap(err, "take fresh postings")
}

// blocks takes the merged rows of the terms that are not full or hold a version
// that has left.
func (m *merge) blocks(ctx context.Context) error {
	var terms []string
	var versions []*int64
	for name, t := range m.terms {
		terms, versions = append(terms, name), append(versions, nil)
		for version := range t.left {
			terms, versions = append(terms, name), append(versions, &version)
		}
	}
	err := m.take(ctx, `
		delete from postings p
		using unnest(@terms::text[], @versions::bigint[]) as d (term, version)
		where p.group_id = @group and not p.fresh and p.term = d.term collate "C"
		  and (d.version between p.first and p.last or octet_length(p.body) < @full)
		returning p.term, p.first, p.n, p.body`,
		pgx.StrictNamedArgs{"group": m.group, "terms": terms, "versions": versions, "full": m.limits.full})
	return wrap(err, "take merged postings")
}

// take runs a statement that removes rows and gives them back.
func (m *merge) take(ctx context.Context, statement string, args pgx.StrictNamedArgs) error {
	rows, err := m.tx.Query(ctx, statement, args)
	if err != nil {
		return err
	}
	var (
		name  string
		first int64
		n     int
		body  []byte
	)
	_, err = pgx.ForEachRow(rows, []any{&name, &first, &n, &body}, func() error {
		t := m.term(name)
		if n < 0 {
			t.left[first] = true
			return nil
		}
		var err error
		t.runs, err = runsOf(t.runs, first, slices.Clone(body))
		return err
	})
	return err
}

// write writes the merged rows and gives the terms of which none are left.
func (m *merge) write(ctx context.Context) (gone []string, err error) {
	var rows [][]any
	for _, name := range slices.Sorted(maps.Keys(m.terms)) {
		t := m.terms[name]
		runs := slices.DeleteFunc(t.runs, func(r run) bool { return t.left[r.version] })
		if len(runs) == 0 {
			gone = append(gone, name)
			continue
		}
		slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.version, b.version) })
		for len(runs) > 0 {
			var b block
			if runs, err = b.fill(runs, m.limits.full); err != nil {
				return nil, wrap(err, "pack the postings of a term")
			}
			rows = append(rows, []any{b.first, b.last, m.group, b.n, false, name, b.body})
		}
	}
	_, err = m.tx.CopyFrom(ctx, pgx.Identifier{"postings"}, postingColumns, pgx.CopyFromRows(rows))
	return gone, wrap(err, "write merged postings")
}

// block is a merged row.
type block struct {
	first, last int64
	n           int
	body        []byte
}

// fill packs runs until the block is full and gives the rest.
func (b *block) fill(runs []run, full int) ([]run, error) {
	b.first, b.last = runs[0].version, runs[0].version
	for i, r := range runs {
		if len(b.body) >= full {
			return runs[i:], nil
		}
		n, err := r.count()
		if err != nil {
			return nil, err
		}
		b.body = r.append(b.body, b.last)
		b.last = r.version
		b.n += n
	}
	return nil, nil
}
