package llm

import (
	"bytes"
	"encoding/json"
	"fmt"

	"passage/rag/outbound"
)

// openAIWire is the streaming form of OpenAI's chat completions: events
// "data: {chunk}", ended by "data: [DONE]". A reply in one piece has message
// where a chunk has delta.
type openAIWire struct{}

type openAIDoc struct {
	Object  string          `json:"object"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index   int        `json:"index"`
		Delta   openAIText `json:"delta"`
		Message openAIText `json:"message"`
		Finish  string     `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
}

type openAIText struct {
	Content json.RawMessage `json:"content"`
	Refusal string          `json:"refusal"`
}

func (openAIWire) lines() bool { return false }

func (openAIWire) read(doc []byte) (event, error) {
	var d openAIDoc
	if err := json.Unmarshal(doc, &d); err != nil {
		return event{}, fmt.Errorf("read a chunk: %w", err)
	}
	if given(d.Error) || d.Object == "error" {
		return event{fault: outbound.Classify(0, doc)}, nil
	}
	e := event{input: d.Usage.Prompt, output: d.Usage.Completion, done: d.Object == "chat.completion"}
	for _, c := range d.Choices {
		if c.Index != 0 {
			continue
		}
		for _, part := range []openAIText{c.Delta, c.Message} {
			if part.Refusal != "" {
				return event{fault: &outbound.Error{Kind: outbound.KindRefused, Reason: "refusal"}}, nil
			}
			text, err := textOf(part.Content)
			if err != nil {
				return event{}, err
			}
			e.text = append(e.text, text...)
		}
		if c.Finish != "null" {
			e.stop = c.Finish
		}
	}
	return e, nil
}

func (openAIWire) writeStart(*bytes.Buffer) {}

func (openAIWire) writeText(out *bytes.Buffer, text string) {
	put(out, "data: ", map[string]any{"choices": []any{map[string]any{
		"index": 0, "delta": map[string]any{"content": text},
	}}}, "\n\n")
}

func (openAIWire) writeEnd(out *bytes.Buffer, sum summary) {
	put(out, "data: ", map[string]any{
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": sum.stop}},
		"usage":   map[string]any{"prompt_tokens": sum.input, "completion_tokens": sum.output},
	}, "\n\ndata: [DONE]\n\n")
}
