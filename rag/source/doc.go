// Package source looks at where documents come from: a folder on the server, a
// git repository, a list of web pages. It says what is there now, and what that
// means for what was there before.
//
// A Source lists; a listing holds every file with its identity, a hash of its
// bytes and a way to read them, and a sentence for everything that could not be
// looked at. MakePlan, which is pure, compares a listing with what is known and
// says what is new, changed, renamed or gone. Nothing here knows a database.
//
// One rule stands above all: what could not be looked at has not vanished. A
// fault that concerns everything is an error and gives no listing; one that
// concerns a file or a folder keeps what is known of it; and when more would go
// than people usually delete, nothing goes before somebody has agreed.
package source
