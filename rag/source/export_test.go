package source

// SetMost sets how many items a listing may have.
func (s *Source) SetMost(n int) { s.most = n }

// LinkOf gives the web address of a file at a commit.
func LinkOf(c Config, commit, branch, path string) (string, error) {
	r, err := parseRepository(c.Repository)
	if err != nil {
		return "", err
	}
	return link(c.linkTemplate(r), commit, branch, path), nil
}
