// Package evaluate measures retrieval on questions whose answers are known, so
// that a strategy is chosen by figures and not by taste. A question set is asked
// once for each setting; every measure of every question is kept, and means are
// given with the interval in which another draw of such questions would bring
// them; two settings are compared question by question.
//
// The measures are pure functions over spans in Unicode code points, as the
// question files count them. Nothing is embedded again for what is decided at
// query time: a sweep over windows, parents, weights and legs searches the same
// units each time.
package evaluate
