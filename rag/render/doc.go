// Package render turns what a model or a document wrote into HTML that is safe
// to show, and it is the only place that does. Marks, cuts and the cited part
// are given as byte spans of the source, never as text to be found again, so
// that what is highlighted is exactly what was matched.
//
// A passage is rendered inside its document: the whole source is parsed and
// what lies outside the passage is cut from the tree. So a passage that starts
// at step 3 shows a 3, one that starts inside a table shows the table's header,
// and a code block keeps its fence.
//
// Raw HTML is never passed on: its source is shown as text instead, because
// "<host>" in a runbook is a word of the runbook.
package render
