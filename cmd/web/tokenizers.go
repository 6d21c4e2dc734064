package main

import (
	"io"
	"os"
	"regexp"
	"strings"

	"passage/rag"
	"passage/rag/embed/uselite"
	"passage/rag/split"
	"passage/rag/tokens"
)

// Tokenizers as the configuration names them. A WordPiece vocabulary is named
// with its file: "wordpiece:/models/vocab.txt".
const (
	tokensCL100K    = "cl100k"
	tokensO200K     = "o200k"
	tokensUseLite   = "use-lite"
	wordPiece       = "wordpiece:"       // for models that fold case ("uncased")
	wordPieceCased  = "wordpiece-cased:" // for models that do not
	mostVocabulary  = 64 << 20           // bytes of a vocab.txt
	vocabularyNames = "cl100k, o200k, use-lite, wordpiece:FILE or wordpiece-cased:FILE"
)

// isTokenizer accepts an empty string too: the setting is optional.
func isTokenizer(name string) bool {
	switch name {
	case "", tokensCL100K, tokensO200K, tokensUseLite:
		return true
	}
	for _, kind := range []string{wordPiece, wordPieceCased} {
		if file, ok := strings.CutPrefix(name, kind); ok && file != "" {
			return true
		}
	}
	return false
}

// embedTokenizer names the tokenizer of the embedder, and says whether it is
// known to be the model's own. cl100k is the guess for models that are not known.
func (c config) embedTokenizer() (name string, known bool) {
	switch {
	case c.EmbedTokenizer != "":
		return c.EmbedTokenizer, true
	case c.Embedder == "use-lite", c.Embedder == "none": // without one, the same chunks are searched
		return tokensUseLite, true
	default:
		return tokensCL100K, strings.Contains(c.EmbedModel, "text-embedding-3") || strings.Contains(c.EmbedModel, "text-embedding-ada-002")
	}
}

// newModels are the models of OpenAI that read o200k_base.
var newModels = regexp.MustCompile(`^(chatgpt-4o|gpt-(4o|4\.1|4\.5|[5-9]|oss)|o[1-9]($|-))`)

// chatTokenizer names the tokenizer of the language model, which the budget of
// passages is counted in. For models that are not known cl100k is near enough.
func (c config) chatTokenizer() string {
	model := strings.ToLower(c.LLMModel[strings.LastIndexByte(c.LLMModel, '/')+1:])
	switch {
	case c.LLMTokenizer != "":
		return c.LLMTokenizer
	case newModels.MatchString(model):
		return tokensO200K
	default:
		return tokensCL100K
	}
}

// vocabularies opens each tokenizer once.
type vocabularies map[string]tokens.Tokenizer

func (v vocabularies) open(name string) (tokens.Tokenizer, error) {
	if tok := v[name]; tok != nil {
		return tok, nil
	}
	tok, err := openTokenizer(name)
	if err != nil {
		return nil, err
	}
	v[name] = tok
	return tok, nil
}

func openTokenizer(name string) (tokens.Tokenizer, error) {
	switch name {
	case tokensCL100K:
		return tokens.CL100K()
	case tokensO200K:
		return tokens.O200K()
	case tokensUseLite:
		return uselite.NewTokenizer()
	}
	file, fold := strings.CutPrefix(name, wordPiece)
	if !fold {
		file = strings.TrimPrefix(name, wordPieceCased)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "The vocabulary %s cannot be read.", file)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostVocabulary))
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "The vocabulary %s cannot be read.", file)
	}
	tok, err := tokens.WordPiece(data, fold)
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "%s: %s", file, rag.ErrorMessage(err))
	}
	return tok, nil
}

// openTokenizers decides what is counted by what. Sections are always counted
// by cl100k: their size is for readers, and another model must not divide every
// section anew. Chunks are cut and units measured by the embedder's tokenizer,
// passages by the language model's.
func (a *app) openTokenizers() error {
	var err error
	v := vocabularies{}
	if a.cut.Tokens, err = v.open(tokensCL100K); err != nil {
		return err
	}
	name, known := a.config.embedTokenizer()
	if a.cut.Chunks, err = v.open(name); err != nil {
		return err
	}
	a.known = known
	a.tokens, err = v.open(a.config.chatTokenizer())
	return err
}

// openLimit learns what the embedder takes at once. The built-in one takes
// longer texts in parts by itself and finds long code and rows better so than in
// pieces; it is only held to a limit that was set.
func (a *app) openLimit() {
	e, ok := a.embedder.(interface{ MaxTokens() int })
	if !ok {
		return
	}
	a.cut.Limit = split.Limit{Tokens: a.cut.Chunks, Most: e.MaxTokens()}
	if a.config.Embedder != "use-lite" {
		return
	}
	if a.config.EmbedMaxTokens > 0 {
		a.cut.Limit.Most = a.config.EmbedMaxTokens
		return
	}
	a.cut.Limit.Average = true
}
