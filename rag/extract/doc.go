// Package extract turns the bytes of one file into one normalised text and a
// tree of blocks over it.
//
// Everything that changes bytes happens before the first offset exists: the
// decoder settles the encoding, removes byte-order marks and control
// characters and unifies line ends, so that a span is valid for the life of a
// version and a clean UTF-8 file with LF line ends is its own text. Every
// block then carries the exact bytes it stands for; what no block covers is
// white space (inside a quote also its ">" marks), so nothing a document says
// is lost. Reading is pure: the same name and bytes give the same result.
//
// How the fields of rag.Block are filled:
//
//   - Span starts at the block's first character (a marker, a fence, a hash)
//     and ends after its last one, without the line end. Only indented code
//     starts at its indentation. A span that runs over several lines holds
//     what stands between them in the file: indentation, quote marks.
//   - Content of a heading is its words, of fenced code the lines between the
//     fences (indentation kept), of a row what stands between the outer
//     pipes. Content of an item, a quote or a note runs from its first word
//     behind marker and task box to its end and holds its children.
//   - An item's own words are its first child, a paragraph, also in a tight
//     list. A note's title is its first child, a paragraph.
//   - A table's children are its rows; the line of dashes below the header
//     belongs to the table only.
//   - Lists may be marked in any way that package counted knows; an item's
//     Label is its marker as written ("a)", "1.1", "Step 1:"), its Start the
//     last number of it (a is 1, iv is 4, 1.3 is 3).
//   - Definitions (": text" below a term) are a list with the label ":" below
//     the paragraph that holds the terms.
//   - Footnote definitions are notes with the label "footnote", content tabs
//     are notes with the label "tab"; link reference definitions and the
//     imports of MDX are BlockMeta.
package extract
