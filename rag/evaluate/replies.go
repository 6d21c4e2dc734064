package evaluate

import (
	"encoding/json"
	"io"

	"passage/rag"
)

// ReadReplies reads a file of results as `web retrieve` writes it: objects with
// id and contexts, one a line, by question id, and refused, true where nothing
// good enough was found: then no context counts, see Score. Tokens are not
// counted there.
// Errors: CodeInvalid, naming the line.
func ReadReplies(r io.Reader, name string) (map[string]Reply, error) {
	replies := map[string]Reply{}
	return replies, eachLine(r, name, func(line []byte) error {
		l := struct {
			ID       string    `json:"id"`
			Contexts []Context `json:"contexts"`
			MS       float64   `json:"ms"`
			Refused  bool      `json:"refused"`
		}{MS: -1}
		if err := json.Unmarshal(line, &l); err != nil {
			return notJSON(err)
		}
		if _, twice := replies[l.ID]; l.ID == "" || twice {
			return rag.Errorf(rag.CodeInvalid, "Each line needs the \"id\" of another question; this one has %q.", l.ID)
		}
		for _, c := range l.Contexts {
			if c.DocID == "" || c.Start < 0 || c.End < c.Start {
				return rag.Errorf(rag.CodeInvalid, "Each of \"contexts\" needs a \"doc_id\" and code points from \"start\" to \"end\"; one has %q, %d, %d.", c.DocID, c.Start, c.End)
			}
		}
		replies[l.ID] = Reply{Contexts: l.Contexts, Refused: l.Refused, Tokens: -1, MS: l.MS}
		return nil
	})
}

// ScoreAll measures replies to questions without documents at hand: what was
// written to a file by this program or another one. Spaces are not told apart,
// and a question without a reply counts as one for which nothing was found.
func ScoreAll(questions []Question, replies map[string]Reply, seed uint64) Result {
	var r Result
	for _, q := range questions {
		q = q.anywhere()
		reply, ok := replies[q.ID]
		if !ok {
			reply = Reply{Tokens: -1, MS: -1}
		}
		for i := range reply.Contexts {
			reply.Contexts[i].Space = ""
		}
		r.Outcomes = append(r.Outcomes, Outcome{
			Question: q.ID, Kind: q.Kind, Contexts: reply.Contexts, Refused: reply.Refused, Values: Score(q, reply, nil),
		})
	}
	r.Questions, r.Total = len(r.Outcomes), Summarise(r.Outcomes, seed)
	return r
}

// anywhere forgets in which spaces the documents of a question are.
func (q Question) anywhere() Question {
	q.Target.Space = ""
	alternatives := make([]Target, len(q.Alternatives))
	for i, t := range q.Alternatives {
		t.Space = ""
		alternatives[i] = t
	}
	relevant := make([]Relevance, len(q.Relevant))
	for i, r := range q.Relevant {
		r.Space = ""
		relevant[i] = r
	}
	q.Alternatives, q.Relevant = alternatives, relevant
	return q
}
