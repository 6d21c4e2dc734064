// Package counted reads the lists that count in ways CommonMark does not know:
// "a.", "b)", "(iv)", "C.", "1.1", "2.3.4)", "1.a)", "A.1", "(1)", "Step 1:". It is a
// block parser for goldmark, used where a document becomes blocks and where it
// becomes HTML, so that both see the same lists.
//
// Prose is full of lines that only look like items ("A. Lincoln was", "1.1 is
// out", "a) only"), so that a marker alone makes no list. It must count: the
// first marker is a first one (a, i, 1, x.1, Step 0 or 1) and its successor
// stands at the same indentation further down, with no heading between them,
// or it goes on where such a list stopped. Markers that prose has most (a
// letter with a full stop, "1.1" with nothing behind) must also have no other
// paragraph between them at their own indentation. A list of one item stays a
// paragraph.
//
// What belongs to an item is indented to its words, as in CommonMark, or by
// two columns and more: nobody indents by the width of "Step 10:". Words
// behind a marker are never indented code, however far they stand from it.
package counted
