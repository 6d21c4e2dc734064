package evaluate

// Measures describes every measure, in the order of a table.
func Measures() []MeasureInfo {
	return []MeasureInfo{
		{Measure: Found, Label: "found", Help: "Share of the answer that came back: all steps of a procedure, spans whole in one context, or the right document. Nothing when the question was refused."},
		{Measure: Complete, Label: "complete", Help: "Every step of the procedure is there."},
		{Measure: StepRecall, Label: "step recall", Help: "Share of the steps that are there whole."},
		{Measure: LastStep, Label: "last step", Help: "The last step is there."},
		{Measure: OrderKept, Label: "order kept", Help: "The steps that are there come in the order of the procedure."},
		{Measure: Complete4000, Label: "complete in 4,000", Help: "Every step is in the first passages that hold together at most 4,000 characters."},
		{Measure: Complete6000, Label: "complete in 6,000", Help: "Every step is in the first passages that hold together at most 6,000 characters."},
		{Measure: Complete8000, Label: "complete in 8,000", Help: "Every step is in the first passages that hold together at most 8,000 characters."},
		{Measure: AnswerInContext, Label: "answer in context", Help: "An answer span stands whole in one context."},
		{Measure: AnswerMRR, Label: "answer MRR", Help: "1 divided by the rank of the first context that holds an answer span whole."},
		{Measure: CharRecall, Label: "recall (chars)", Help: "Share of the characters of the answer that came back."},
		{Measure: CharPrecision, Label: "precision (chars)", Help: "Share of the characters that came back that belong to the answer; text returned twice counts twice."},
		{Measure: CharIoU, Label: "IoU (chars)", Help: "Characters of the answer that came back, divided by all that came back or should have."},
		{Measure: TokenRecall, Label: "recall (tokens)", Help: "Share of the tokens of the answer that came back."},
		{Measure: TokenPrecision, Label: "precision (tokens)", Help: "Share of the tokens that came back that belong to the answer; text returned twice counts twice."},
		{Measure: TokenIoU, Label: "IoU (tokens)", Help: "Tokens of the answer that came back, divided by all that came back or should have."},
		{Measure: Hit1, Label: "hit@1", Help: "The first passage is relevant."},
		{Measure: Hit3, Label: "hit@3", Help: "One of the first 3 passages is relevant."},
		{Measure: Hit5, Label: "hit@5", Help: "One of the first 5 passages is relevant."},
		{Measure: Hit10, Label: "hit@10", Help: "One of the first 10 passages is relevant."},
		{Measure: Recall1, Label: "recall@1", Help: "Share of the relevant spans or documents that the first passage touches."},
		{Measure: Recall3, Label: "recall@3", Help: "Share of the relevant spans or documents that the first 3 passages touch."},
		{Measure: Recall5, Label: "recall@5", Help: "Share of the relevant spans or documents that the first 5 passages touch."},
		{Measure: Recall10, Label: "recall@10", Help: "Share of the relevant spans or documents that the first 10 passages touch."},
		{Measure: MRR, Label: "MRR", Help: "1 divided by the rank of the first relevant passage."},
		{Measure: NDCG10, Label: "nDCG@10", Help: "Normalised discounted cumulated gain of the first 10 passages."},
		{Measure: DocHit, Label: "document hit", Help: "A passage of an expected document is there."},
		{Measure: RefusedRightly, Label: "refused rightly", Help: "Of the questions that no document answers: refused."},
		{Measure: RefusedWrongly, Label: "refused wrongly", Help: "Of the questions that a document answers: refused. They count as not found, too.", Less: true},
		{Measure: Tokens, Label: "tokens", Help: "Tokens of all contexts.", Less: true, Amount: true},
		{Measure: Chars, Label: "chars", Help: "Characters of all contexts.", Less: true, Amount: true},
		{Measure: Latency, Label: "ms", Help: "Milliseconds from the question to its contexts.", Less: true, Amount: true},
	}
}

// Info describes one measure; false for a name that is none.
func Info(m Measure) (MeasureInfo, bool) {
	for _, info := range Measures() {
		if info.Measure == m {
			return info, true
		}
	}
	return MeasureInfo{}, false
}
