package tokens

// IDs gives the lines of the vocabulary that a WordPiece tokenizer finds.
func IDs(t Tokenizer, text string) []int {
	w := t.(*wordPiece)
	var ids []int
	w.words(text, func(word *word) {
		w.divide(word, func(id, _ int) { ids = append(ids, id) })
	})
	return ids
}
