package handlers

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"passage/rag"
	"passage/static"
)

const (
	requestIDKey = "request_id"
	csrfKey      = "csrf"
	formMemory   = 8 << 20 // bytes of an upload kept in memory; the rest goes to temporary files
	smallBody    = 1 << 20 // most bytes of any other form
)

// contentPolicy lets a page load only what the program itself serves, run no
// script and no style that stands in a page, and be framed by nobody.
const contentPolicy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// ipExtractor believes X-Forwarded-For from the given networks only. Echo
// believes everybody unless told otherwise.
func ipExtractor(proxies []*net.IPNet) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, n := range proxies {
		trust = append(trust, echo.TrustIPRange(n))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

// requestID gives every request a name that is shown with a fault and stands in
// the log. One that the client sends is not taken over.
func requestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := rand.Text()[:12]
		c.Set(requestIDKey, id)
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		return next(c)
	}
}

func requestIDOf(c echo.Context) string {
	id, _ := c.Get(requestIDKey).(string)
	return id
}

// logRequest writes one line for each request. The route is logged, never the
// address itself: it may hold what was searched for.
func (p *pages) logRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		if err := next(c); err != nil {
			c.Error(err) // the response has its status when it is logged
		}
		level := slog.LevelInfo
		if strings.HasPrefix(c.Path(), static.Prefix) || c.Path() == "/healthz" || c.Path() == "/readyz" {
			level = slog.LevelDebug
		}
		p.cfg.Log.LogAttrs(c.Request().Context(), level, "request", slog.Group("request",
			slog.String("id", requestIDOf(c)),
			slog.String("method", c.Request().Method),
			slog.String("route", c.Path()),
			slog.Int("status", c.Response().Status),
			slog.Int64("bytes", c.Response().Size),
			slog.Duration("took", time.Since(began)),
			slog.String("remote", c.RealIP()),
		))
		return nil
	}
}

// secure sets the headers that keep a page to itself.
func secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set(echo.HeaderContentSecurityPolicy, contentPolicy)
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		h.Set(echo.HeaderReferrerPolicy, "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set(echo.HeaderCacheControl, "private, no-cache")
		return next(c)
	}
}

// recoverPanic turns a panic into an internal fault with its stack in the log.
func recoverPanic() echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisableErrorHandler: true,
		LogErrorFunc: func(_ echo.Context, err error, stack []byte) error {
			return &panicError{err: err, stack: string(stack)}
		},
	})
}

type panicError struct {
	err   error
	stack string
}

func (e *panicError) Error() string { return "panic: " + e.err.Error() }

func (e *panicError) Unwrap() error { return e.err }

// csrf refuses forms that another site sends. Browsers say where a form comes
// from (Sec-Fetch-Site); where they do not, as over plain HTTP, a token in the
// form must match a cookie.
func csrf(secureCookie bool) echo.MiddlewareFunc {
	return middleware.CSRFWithConfig(middleware.CSRFConfig{ //nolint:gosec // G101 takes names for secrets
		TokenLookup:    "form:_csrf",
		ContextKey:     csrfKey,
		CookieName:     "passage_csrf",
		CookiePath:     "/",
		CookieHTTPOnly: true,
		CookieSecure:   secureCookie,
		CookieSameSite: http.SameSiteLaxMode,
		ErrorHandler: func(error, echo.Context) error {
			return echo.NewHTTPError(http.StatusForbidden, sentence("This form is out of date or was sent from another site. Load the page again and send it once more."))
		},
	})
}

func csrfOf(c echo.Context) string {
	token, _ := c.Get(csrfKey).(string)
	return token
}

// limitBody reads a form before anything else looks at it, within a limit, so
// that a body that is too large gets an answer that says so.
func (p *pages) limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodPost {
			return next(c)
		}
		limit := int64(smallBody)
		switch c.Path() { // the frame of a multipart body is not the files' size
		case "/upload":
			limit = p.cfg.MaxUpload + smallBody
			defer p.patient(c, uploadTime)()
		case importPath:
			limit = mostQuestionBytes + smallBody
			defer p.patient(c, uploadTime)()
		}
		tooLarge := rag.Errorf(rag.CodeTooLarge, "That is more than the %s that may be sent at once.", megabytes(limit-smallBody))
		if limit == smallBody {
			tooLarge = rag.Errorf(rag.CodeTooLarge, "That is more than may be sent at once.")
		}
		if r.ContentLength > limit {
			c.Response().Header().Set(echo.HeaderConnection, "close")
			return tooLarge
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, limit)
		err := r.ParseMultipartForm(formMemory)
		if r.MultipartForm != nil {
			defer func() { _ = r.MultipartForm.RemoveAll() }() // temporary files; nothing is lost when one stays
		}
		var over *http.MaxBytesError
		switch {
		case errors.As(err, &over):
			return tooLarge
		case err != nil && !errors.Is(err, http.ErrNotMultipart):
			return rag.WithCause(err, rag.CodeInvalid, "The form arrived damaged. Please send it again.")
		}
		return next(c)
	}
}

// patient gives a request that takes long more time to be read and answered
// than the server allows by itself. What it returns takes the deadlines away,
// which would otherwise hold for the next request on the connection.
func (p *pages) patient(c echo.Context, d time.Duration) (restore func()) {
	control := http.NewResponseController(c.Response())
	set := func(until time.Time) {
		err := errors.Join(control.SetReadDeadline(until), control.SetWriteDeadline(until))
		if err != nil && !errors.Is(err, http.ErrNotSupported) {
			p.cfg.Log.WarnContext(c.Request().Context(), "deadline not set", "error", err)
		}
	}
	set(time.Now().Add(d))
	return func() { set(time.Time{}) }
}
