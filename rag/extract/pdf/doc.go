// Package pdf reads a PDF into blocks of words. A PDF says where each letter
// stands and in which type, nothing else; lines, columns, paragraphs, lists,
// tables and headings are rebuilt here from the positions, and the page of
// every run of words is kept.
//
// PDFium gives the letters. It is C++ and the files are strangers', so it runs
// as WebAssembly: a file that breaks it can end its own instance, no more, and
// a file that makes it hang is ended by the clock. The order of work is: load
// (letters to words), running heads out, ruled tables, columns, lines, blocks,
// levels and nesting. Time grows with the number of letters.
//
// Where the page leaves a doubt, words win over structure: a table that might
// be read wrongly becomes a paragraph for each of its lines. The structure
// tree of a tagged PDF is not used; its outline (bookmarks) is.
package pdf
