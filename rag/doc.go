// Package rag holds the words of Passage: spaces, documents, versions, units,
// passages, citations, and the errors and limits that go with them.
//
// Retrieval is small-to-big. A small unit (a sentence, a list item, a table
// row, a chunk) is what is embedded and searched; a larger passage, grown from
// the hit by the strategy of the document's type, is what is handed to the
// model and shown to the reader. Every piece is a span of bytes in the one
// stored text of a version, so a citation can always be opened at its place.
//
// The package uses only the standard library, and every other package of the
// program may import it.
package rag
