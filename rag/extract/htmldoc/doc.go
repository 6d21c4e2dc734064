// Package htmldoc reads web pages and the exports of wikis: the words of a
// page's main content, as the blocks that a reader of the page sees.
//
// What surrounds the words on a page (menus, search boxes, footers, buttons)
// is left out by what the elements are, by their roles, and by the names that
// Confluence, MkDocs, Docusaurus, Sphinx, GitHub and MediaWiki give them. To
// lose words is worse than to keep a menu: what is not known is kept, and a
// "main content" that holds only a small part of a page is not believed.
//
// Lists have the labels that a browser shows, notes of all these makers are
// notes, and a table whose cells hold more than words becomes the blocks of
// its cells, each with the name of its column or of its row.
package htmldoc
