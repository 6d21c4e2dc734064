package handlers

import (
	"fmt"
	"sync"

	"passage/rag"
	"passage/rag/evaluate"
)

// rememberedAdvice is how many advices are kept at hand.
const rememberedAdvice = 64

// adviceCache keeps what runs that have ended advise: it never changes, and the
// intervals it rests on take long to compute. Whoever asks has read the run
// within a scope before.
type adviceCache struct {
	mu   sync.Mutex
	list map[adviceKey][]evaluate.Advice
}

type adviceKey struct {
	run     int64
	measure evaluate.Measure
}

// of gives the advice of a run, and computes it the first time.
func (a *adviceCache) of(run evaluate.Run, m evaluate.Measure) ([]evaluate.Advice, error) {
	key := adviceKey{run.ID, m}
	a.mu.Lock()
	list, ok := a.list[key]
	a.mu.Unlock()
	if ok {
		return list, nil
	}
	list, err := evaluate.Advise(run, m)
	if err != nil {
		return nil, fmt.Errorf("advising from run %d: %w", run.ID, err)
	}
	if run.State == rag.RunRunning {
		return list, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.list == nil || len(a.list) >= rememberedAdvice {
		a.list = make(map[adviceKey][]evaluate.Advice, rememberedAdvice)
	}
	a.list[key] = list
	return list, nil
}
