package source

// SetMost sets how many items a listing may have.
func (s *Source) SetMost(n int) { s.most = n }
