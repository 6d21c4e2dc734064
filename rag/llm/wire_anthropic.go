package llm

import (
	"bytes"
	"encoding/json"
	"fmt"

	"passage/rag/outbound"
)

// anthropicWire is the streaming form of Anthropic's Messages API: message_start,
// content blocks with text deltas, message_delta with the stop reason, and
// message_stop. Blocks that are not text (thinking, tools) are passed over.
type anthropicWire struct{}

type anthropicDoc struct {
	Type    string          `json:"type"`
	Error   json.RawMessage `json:"error"`
	Message struct {
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Block struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
	} `json:"content_block"`
	Delta struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
		Stop string          `json:"stop_reason"`
	} `json:"delta"`
	Usage   anthropicUsage  `json:"usage"`
	Content json.RawMessage `json:"content"`     // of a reply in one piece
	Stop    string          `json:"stop_reason"` // likewise
}

type anthropicUsage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

func (anthropicWire) lines() bool { return false }

func (anthropicWire) read(doc []byte) (event, error) {
	var d anthropicDoc
	if err := json.Unmarshal(doc, &d); err != nil {
		return event{}, fmt.Errorf("read an event: %w", err)
	}
	if given(d.Error) || d.Type == "error" {
		return event{fault: outbound.Classify(0, doc)}, nil
	}
	e := event{
		input:  max(d.Message.Usage.Input, d.Usage.Input),
		output: max(d.Message.Usage.Output, d.Usage.Output),
	}
	var raw json.RawMessage
	switch d.Type {
	case "content_block_start":
		if d.Block.Type == "text" {
			raw = d.Block.Text
		}
	case "content_block_delta":
		if d.Delta.Type == "text_delta" {
			raw = d.Delta.Text
		}
	case "message_delta":
		e.stop = d.Delta.Stop
	case "message_stop":
		e.done = true
	case "message":
		raw, e.stop, e.done = d.Content, d.Stop, true
	}
	var err error
	e.text, err = textOf(raw)
	return e, err
}

func (anthropicWire) writeStart(out *bytes.Buffer) {
	anthropicEvent(out, "message_start", map[string]any{"message": map[string]any{
		"role": "assistant", "usage": map[string]any{"input_tokens": 0},
	}})
	anthropicEvent(out, "content_block_start", map[string]any{
		"index": 0, "content_block": map[string]any{"type": "text", "text": ""},
	})
}

func (anthropicWire) writeText(out *bytes.Buffer, text string) {
	anthropicEvent(out, "content_block_delta", map[string]any{
		"index": 0, "delta": map[string]any{"type": "text_delta", "text": text},
	})
}

func (anthropicWire) writeEnd(out *bytes.Buffer, sum summary) {
	anthropicEvent(out, "content_block_stop", map[string]any{"index": 0})
	anthropicEvent(out, "message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": sum.stop},
		"usage": map[string]any{"input_tokens": sum.input, "output_tokens": sum.output},
	})
	anthropicEvent(out, "message_stop", map[string]any{})
}

func anthropicEvent(out *bytes.Buffer, name string, fields map[string]any) {
	fields["type"] = name
	put(out, "event: "+name+"\ndata: ", fields, "\n\n")
}
