// Package outbound is how Passage calls a server that is not its own: a
// language model, an embedding server. It turns whatever such a server does
// wrong into one error type with a short list of kinds, repeats what is worth
// repeating with a wait that honours Retry-After, and builds the HTTP client
// that follows no redirect and waits for nothing without a limit.
//
// Nothing a server writes in prose is kept: its error texts quote keys and
// questions. Only the status, short identifiers and the waiting time survive.
package outbound
