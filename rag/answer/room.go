package answer

import (
	"strings"

	"passage/rag"
	"passage/rag/outbound"
	"passage/rag/retrieve"
)

// Tokens set aside for parts of the prompt.
const (
	mostAnswer        = 1_200 // the answer itself, in a model that reads enough
	instructionTokens = 450   // the instructions
	leastPassages     = 200   // below this a model has too little to answer from
)

// room is how the tokens that a model reads at once are shared out.
type room struct {
	answer   int           // the longest answer
	history  []rag.Message // the last turns that fit into a quarter of the rest
	passages int           // what is left for passages
}

// room shares the context out: a quarter at most for the answer, the
// instructions and the question whole, a quarter of what is left for earlier
// turns, the rest for passages. The parts never pass the context together.
func (d *Desk) room(j job) room {
	if d.model == nil || d.model.ContextTokens() <= 0 {
		return room{answer: mostAnswer, history: lastMessages(j.history), passages: retrieve.DefaultBudget}
	}
	total := d.model.ContextTokens()
	r := room{answer: min(mostAnswer, total/4)}
	left := total - r.answer - instructionTokens - estimate(j.question)
	for history := lastMessages(j.history); len(history) > 0; history = lastMessages(history[1:]) {
		used := 0
		for _, m := range history {
			used += estimate(m.Text)
		}
		if used <= left/4 {
			r.history = history
			left -= used
			break
		}
	}
	r.passages = max(1, min(retrieve.DefaultBudget, left))
	return r
}

// estimate is a number of tokens that a text hardly passes: a token of English
// has about four bytes, one of other scripts three or more.
func estimate(text string) int { return len(text)/3 + 4 }

// refusal says that nothing was found, and what came nearest.
func refusal(res retrieve.Result) string {
	if len(res.Nearest) == 0 {
		return noticeRefused
	}
	return noticeRefused + " Nearest documents: " + strings.Join(res.Nearest, "; ") + "."
}

// whyNoAnswer says why the model gave nothing, as far as a reader needs to
// know it. The log says more.
func whyNoAnswer(err error) string {
	switch outbound.KindOf(err) {
	case outbound.KindRateLimited:
		return "The language model is busy."
	case outbound.KindTimeout:
		return "The language model took too long."
	case outbound.KindUnauthorized, outbound.KindQuota, outbound.KindAddress, outbound.KindModel, outbound.KindBadRequest:
		return "The language model refused the request; whoever runs this server finds the reason in its log."
	case outbound.KindTooLong:
		return "The question and its passages are too long for the language model."
	case outbound.KindRefused:
		return "The language model declined to answer."
	case outbound.KindEmpty, outbound.KindProtocol, outbound.KindCut:
		return "The language model gave no usable answer."
	default:
		return "The language model could not be reached."
	}
}
