package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"passage/rag"
)

// PlanDense describes the plan of a search: "none", "exact", "probe …, " before
// another one, or what is scanned, each part by the name of its index.
func (s *Store) PlanDense(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, embedder string, n int) (string, error) {
	var words string
	err := s.read(ctx, func(tx pgx.Tx) error {
		q, plan, err := s.planned(ctx, tx, scope, filter, set, embedder, nil, n)
		words = plan.describe(q.index)
		return err
	})
	return words, err
}

func (s *Store) planned(ctx context.Context, tx pgx.Tx, scope rag.Scope, filter rag.Filter, set rag.UnitSet, embedder string, vector []float32, n int) (denseQuery, densePlan, error) {
	types, err := docTypeIDs(ctx, tx, filter.DocTypes)
	if err != nil {
		return denseQuery{}, densePlan{}, err
	}
	q := denseQuery{scope: scope, spaces: filter.Spaces, types: types, vector: vector, n: n}
	census, indexed, err := q.survey(ctx, tx, embedder, set)
	return q, planDense(census, indexed, n, s.exactLimit), err
}

func (p densePlan) describe(index int) string {
	if p.left == 0 {
		return "none"
	}
	var words []string
	if p.probe != nil {
		words = append(words, fmt.Sprintf("probe %s %d", hnswIndex{index: index, part: p.probe.part}.name(), p.probe.width))
	}
	for _, scan := range p.cover.scans {
		words = append(words, hnswIndex{index: index, part: scan.part}.name())
	}
	switch {
	case len(p.cover.scans) == 0:
		words = append(words, "exact")
	case len(p.cover.rest) > 0:
		words = append(words, "rest")
	}
	return strings.Join(words, ", ")
}

// ExplainDense gives what Postgres does for each HNSW scan of a search.
func (s *Store) ExplainDense(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, embedder string, vector []float32, n int) ([]string, error) {
	var plans []string
	err := s.read(ctx, func(tx pgx.Tx) error {
		q, plan, err := s.planned(ctx, tx, scope, filter, set, embedder, vector, n)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, scanSettings, pgx.StrictNamedArgs{"ef": "100"}); err != nil {
			return err
		}
		explain := func(part part, query string) error {
			rows, err := tx.Query(ctx, "explain "+query, q.args(q.partArgs(part, pgx.StrictNamedArgs{
				"vector": pgvector.NewHalfVector(vector), "width": n,
			})))
			if err != nil {
				return err
			}
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			plans = append(plans, strings.Join(lines, "\n"))
			return err
		}
		if plan.probe != nil {
			if err := explain(plan.probe.part, q.probeQuery(plan.probe.part)); err != nil {
				return err
			}
		}
		for _, scan := range plan.cover.scans {
			if err := explain(scan.part, q.scanQuery(scan.part)); err != nil {
				return err
			}
		}
		return nil
	})
	return plans, err
}

// HNSWIndexes lists the HNSW indexes that can be used, by name.
func (s *Store) HNSWIndexes(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, hnswIndexes)
	if err != nil {
		return nil, err
	}
	list, err := collectIndexes(rows)
	var names []string
	for _, x := range list {
		if x.valid {
			names = append(names, x.name())
		}
	}
	slices.Sort(names)
	return names, err
}
