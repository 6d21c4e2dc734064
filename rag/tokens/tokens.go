// Package tokens counts and cuts text in the tokens of a language model.
//
// Sections are capped, chunks are sized and contexts are budgeted in tokens:
// each by the tokenizer of the model that reads them. The vocabularies of
// OpenAI's models are compiled into the program and that of another is read
// from a file, so nothing is fetched and the same text always has the same
// tokens. Token ends are given as byte offsets on rune boundaries, so that a
// cut never breaks a character.
package tokens

// Tokenizer counts and finds tokens. Implementations are safe for concurrent
// use and take any text, in time that is nearly linear in its length.
type Tokenizer interface {
	// Name identifies the vocabulary, for records: "cl100k_base". Two tokenizers
	// of one name cut every text alike.
	Name() string
	// Count is the number of tokens of the text. White space alone may have none.
	Count(text string) int
	// Ends gives the byte offset where each token ends. A token that ends inside
	// a rune is joined with the ones after it up to the rune's end, so there may
	// be fewer ends than Count says. The last end is len(text); an empty text
	// has none.
	Ends(text string) []int
}
