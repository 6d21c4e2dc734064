package outbound

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Server is a server as the program's user set it up, and the words in which
// its faults are told to that user.
type Server struct {
	Name     string // what it is, like "language model"
	Env      string // what its environment variables begin with, like "PASSAGE_LLM"
	Provider string // the variable that names its kind, like "PASSAGE_LLM_PROVIDER"
	Pull     bool   // a model it does not have can be had by "ollama pull"

	Base, Model, Key string
}

// Check trims the fields and gives the parsed address. Faults names everything
// that is wrong by its environment variable. NeedsKey is asked with the host.
func (s *Server) Check(needsKey func(host string) bool) (base *url.URL, faults []string) {
	if s.Model = strings.TrimSpace(s.Model); s.Model == "" {
		faults = append(faults, s.Env+"_MODEL names no model")
	}
	base, err := ParseBase(s.Base)
	if err != nil {
		faults = append(faults, s.Env+"_BASE_URL cannot be used: "+err.Error())
	}
	s.Key = strings.TrimSpace(s.Key)
	if s.Key == "" && base != nil && needsKey(base.Hostname()) {
		faults = append(faults, s.Env+"_API_KEY is not set")
	}
	if strings.ContainsAny(s.Key, "\r\n\t ") {
		faults = append(faults, s.Env+"_API_KEY holds white space")
	}
	return base, faults
}

// Sentence says what a user may read about e, and what to do about it.
func (s *Server) Sentence(e *Error) string {
	switch e.Kind {
	case KindRateLimited:
		if e.RetryAfter > 0 {
			return fmt.Sprintf("The %s server has too many requests. Try again in %s.", s.Name, e.RetryAfter.Round(time.Second))
		}
		return fmt.Sprintf("The %s server has too many requests. Try again in a moment.", s.Name)
	case KindCut:
		return fmt.Sprintf("The connection to the %s server broke off too early. Try again.", s.Name)
	case KindTimeout:
		return fmt.Sprintf("The %s server took too long. Try again.", s.Name)
	case KindUnauthorized:
		return fmt.Sprintf("The %s server refused the key: check %s_API_KEY.", s.Name, s.Env)
	case KindQuota:
		return fmt.Sprintf("The account at the provider of the %s has used up its allowance.", s.Name)
	case KindAddress:
		return fmt.Sprintf("No %s server answers at this address: check %s_BASE_URL and %s.", s.Name, s.Env, s.Provider)
	case KindModel:
		if s.Pull {
			return fmt.Sprintf("The Ollama server does not have the model %q: run \"ollama pull %s\" there, or check %s_MODEL.", s.Model, s.Model, s.Env)
		}
		return fmt.Sprintf("The %s server does not have the model %q: check %s_MODEL.", s.Name, s.Model, s.Env)
	case KindTooLong:
		return fmt.Sprintf("The text is longer than the %s reads.", s.Name)
	case KindBadRequest, KindRefused:
		return fmt.Sprintf("The %s server does not accept the request: check %s and %s_MODEL.", s.Name, s.Provider, s.Env)
	case KindProtocol, KindEmpty:
		return fmt.Sprintf("The reply of the %s server cannot be used: check %s and %s_BASE_URL.", s.Name, s.Provider, s.Env)
	case KindStopped:
		return fmt.Sprintf("The call to the %s was stopped.", s.Name)
	default:
		return fmt.Sprintf("The %s server cannot be reached. Try again; if it stays so, check %s_BASE_URL.", s.Name, s.Env)
	}
}
