// Package llm asks a language model and believes the answer only when the
// model said that it had finished. OpenAI-compatible servers, Anthropic and
// Ollama are spoken to through langchaingo, whose own reading of a stream takes
// a broken one for a finished one; so a transport under it reads the wire
// first, keeps what happened, and hands langchaingo a clean stream.
//
// The path of an answer:
//
//	wire → guard (transport.go) → stream (stream.go): one event at a time,
//	read by the provider's dialect → clean stream → langchaingo → chunks → caller
//
// After langchaingo returns, what the stream kept is judged (judge.go), not
// what langchaingo says. No type of langchaingo leaves this package.
package llm
