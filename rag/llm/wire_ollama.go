package llm

import (
	"bytes"
	"encoding/json"
	"fmt"

	"passage/rag/outbound"
)

// ollamaWire is Ollama's /api/chat: one JSON document a line, the last one with
// "done": true. Versions before 0.1.46 give no done_reason with it.
type ollamaWire struct{}

type ollamaDoc struct {
	Error   json.RawMessage `json:"error"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Done   bool   `json:"done"`
	Reason string `json:"done_reason"`
	Input  int    `json:"prompt_eval_count"`
	Output int    `json:"eval_count"`
}

func (ollamaWire) lines() bool { return true }

func (ollamaWire) read(doc []byte) (event, error) {
	var d ollamaDoc
	if err := json.Unmarshal(doc, &d); err != nil {
		return event{}, fmt.Errorf("read a line: %w", err)
	}
	if given(d.Error) {
		return event{fault: outbound.Classify(0, doc)}, nil
	}
	text, err := textOf(d.Message.Content)
	e := event{text: text, done: d.Done, input: d.Input, output: d.Output}
	if d.Done {
		e.stop = d.Reason
		if e.stop == "" {
			e.stop = StopEnd
		}
	}
	return e, err
}

func (ollamaWire) writeStart(*bytes.Buffer) {}

func (ollamaWire) writeText(out *bytes.Buffer, text string) {
	put(out, "", map[string]any{"message": map[string]any{"role": "assistant", "content": text}}, "\n")
}

func (ollamaWire) writeEnd(out *bytes.Buffer, sum summary) {
	put(out, "", map[string]any{
		"message": map[string]any{"role": "assistant", "content": ""}, "done": true,
		"prompt_eval_count": sum.input, "eval_count": sum.output,
	}, "\n")
}
