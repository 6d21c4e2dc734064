// Package cluster runs the private Postgres of a program that was given no
// DATABASE_URL: it finds a PostgreSQL with pgvector, creates a cluster with
// initdb, and runs the server as a child on a Unix socket, without TCP.
//
// One program at a time owns the server (an exclusive lock on a file, which
// the system lets go whatever way a program ends). The owner starts the server
// and stops it; any other program that starts meanwhile uses the running one
// and leaves it alone. When the owner goes while others are still there, one of
// them becomes the owner and starts the server again at the same address:
// connections break once, new ones work after some tenths of a second.
//
// When the program is killed outright, Linux sends the server the signal for a
// fast shutdown, so that nothing is left running; elsewhere the server goes on
// and the next start takes it over. Data is never deleted: a folder that cannot
// be used gives an error that says what to do.
//
// Layout, with the usual names, below the data folder (".data"):
//
//	pgsql/             fetched PostgreSQL with pgvector, see tools/fetch-postgres.sh
//	postgres/          the cluster's data, mode 0700; the socket is in here too
//	postgres.lock      held by the owner
//	postgres.log       what the server says; it never holds statements or rows
//	postgres.location  only if the cluster had to go elsewhere, see below
//
// Postgres refuses to run as root. A program that runs as root starts it as the
// user who owns the data folder, else as "postgres", else as "nobody". If that
// user may not enter the data folder (because it is below /root, say), cluster
// and binaries go to /var/lib/passage-<hash of the path>, and postgres.location
// names that folder.
package cluster
