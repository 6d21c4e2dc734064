package cluster

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Querier is a pgx connection, pool or transaction.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Server is what CheckServer found.
type Server struct {
	Major  int    // 18
	Vector string // version of pgvector in this database or, before it is made, the one on offer: "0.8.7"

	// ParallelHNSW says whether HNSW indexes may be built by several processes.
	// Where it is false, set max_parallel_maintenance_workers to 0 for the build.
	ParallelHNSW bool
}

// CheckServer checks that the server behind DATABASE_URL can hold Passage's
// data: PostgreSQL ≥ 15 with pgvector ≥ 0.8, made in this database or makeable
// by this role. What is missing comes as an error with the code unavailable and
// a message that says what to do.
func CheckServer(ctx context.Context, db Querier) (Server, error) {
	var number int
	var made, offered *string
	var may bool
	err := db.QueryRow(ctx, `
		select current_setting('server_version_num')::int,
			(select extversion from pg_extension where extname = 'vector'),
			(select default_version from pg_available_extensions where name = 'vector'),
			(select rolsuper from pg_roles where rolname = current_user)
				or exists (select from pg_available_extension_versions v
					join pg_available_extensions e on e.name = v.name and e.default_version = v.version
					where v.name = 'vector' and v.trusted
						and has_database_privilege(current_database(), 'create'))`).
		Scan(&number, &made, &offered, &may)
	if err != nil {
		return Server{}, rag.WithCause(fmt.Errorf("ask the server for its version: %w", err), rag.CodeUnavailable,
			"The database server named by DATABASE_URL does not answer.")
	}
	return judge(number, text(made), text(offered), may)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// judge decides by the server's version number, the version of pgvector made in
// the database, the one on offer, and whether the role may make it.
func judge(number int, made, offered string, may bool) (Server, error) {
	const image = "The Docker image pgvector/pgvector:pg18 has both."
	major := number / 10000
	switch {
	case major < minMajor:
		return Server{}, rag.Errorf(rag.CodeUnavailable,
			"The database server is PostgreSQL %d; Passage needs %d or newer with pgvector %s or newer. %s", major, minMajor, minVector, image)
	case made == "" && offered == "":
		return Server{}, rag.Errorf(rag.CodeUnavailable,
			"The database server has no pgvector. Install the package postgresql-%d-pgvector there. %s", major, image)
	case made != "" && !atLeast(made, minVector) && atLeast(offered, minVector):
		return Server{}, rag.Errorf(rag.CodeUnavailable,
			"The database uses pgvector %s; Passage needs %s or newer, and the server has %s. "+
				"Run in this database: alter extension vector update", made, minVector, offered)
	case made != "" && !atLeast(made, minVector), made == "" && !atLeast(offered, minVector):
		old := made
		if old == "" {
			old = offered
		}
		return Server{}, rag.Errorf(rag.CodeUnavailable,
			"The database server has pgvector %s; Passage needs %s or newer. Install a newer package there. %s", old, minVector, image)
	case made == "" && !may:
		return Server{}, rag.Errorf(rag.CodeUnavailable,
			"pgvector is not made in this database, and the role of DATABASE_URL may not make it. "+
				"Run in this database, as a superuser: create extension vector")
	case made == "":
		made = offered
	}
	return Server{Major: major, Vector: made, ParallelHNSW: atLeast(made, minSafe)}, nil
}
