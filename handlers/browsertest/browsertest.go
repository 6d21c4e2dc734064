// Package browsertest drives a real Chromium in tests of pages. A test opens a
// tab, acts in it as a person does, and waits for what a person would see; what
// the browser's console complains about, a violation of the content security
// policy among it, fails the test.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Tab is a page in a real browser.
type Tab struct {
	context.Context //nolint:containedctx // chromedp's tabs are contexts
	t               *testing.T

	mu       sync.Mutex
	problems []string // what the console complained about
	expected []string // complaints that belong to the test
}

// chromium finds a browser: CHROMIUM, or one of the usual names.
func chromium() string {
	for _, name := range []string{
		os.Getenv("CHROMIUM"), "chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome-headless-shell",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// Browser is a running Chromium.
type Browser struct{ ctx context.Context } //nolint:containedctx // chromedp keeps browsers in contexts

// New starts one. Without a Chromium the test is skipped, on CI it fails.
func New(t *testing.T) Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are left out with -short")
	}
	path := chromium()
	if path == "" {
		if os.Getenv("CI") == "true" {
			require.Fail(t, "no Chromium was found")
		}
		t.Skip("no Chromium was found: install it or set CHROMIUM")
	}
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options, chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	return Browser{ctx}
}

// Tab opens a tab with cookies of its own. When the test ends, whatever the
// console complained about fails it: a violation of the content security
// policy is among that.
func (b Browser) Tab(t *testing.T, width, height int64) *Tab {
	t.Helper()
	tb := &Tab{t: t}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithListener(tb.listen), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	tb.Context = ctx
	tb.Do(chromedp.EmulateViewport(width, height), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		return err
	}))
	t.Cleanup(func() {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		require.Empty(t, tb.problems, "the console complained")
	})
	return tb
}

func (tb *Tab) listen(event any) {
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			tb.complain(e.Entry.Text + " " + e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		tb.complain(text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			tb.complain(strings.Join(words, " "))
		}
	}
}

func (tb *Tab) complain(text string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	for _, e := range tb.expected {
		if strings.Contains(text, e) {
			return
		}
	}
	tb.problems = append(tb.problems, text)
}

// Expect names a complaint that the test brings about.
func (tb *Tab) Expect(part string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.expected = append(tb.expected, part)
}

// Do acts in the tab.
func (tb *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	require.NoError(tb.t, chromedp.Do(tb, actions...))
}

// Open goes to an address.
func (tb *Tab) Open(url string) {
	tb.t.Helper()
	tb.Do(chromedp.Navigate(url))
}

// Eval gives the value of a JavaScript expression.
func Eval[T any](tb *Tab, script string, args ...any) T {
	tb.t.Helper()
	v, err := chromedp.Run(tb, chromedp.Evaluate[T](fmt.Sprintf(script, args...)))
	require.NoError(tb.t, err)
	return v
}

// Await waits until a JavaScript expression is true, also over the change to
// another page.
func (tb *Tab) Await(script string, args ...any) {
	tb.t.Helper()
	script = fmt.Sprintf(script, args...)
	deadline := time.Now().Add(patience)
	for {
		ok, err := chromedp.Run(tb, chromedp.Evaluate[bool]("!!("+script+")"))
		if err == nil && ok {
			return
		}
		if time.Now().After(deadline) {
			require.Fail(tb.t, "waited in vain", "%s (%v)\n%s", script, err, Eval[string](tb, "location.href + '\\n' + document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond) // between two looks at the page
	}
}

// patience is how long a browser may take for anything.
const patience = 20 * time.Second

// Text is what a person sees of an element.
func (tb *Tab) Text(selector string) string {
	tb.t.Helper()
	return Eval[string](tb, "document.querySelector(%q)?.innerText ?? ''", selector)
}

// Click clicks on the first element of the selector once it is at rest: on a page
// that still scrolls the click would land beside it.
func (tb *Tab) Click(selector string) {
	tb.t.Helper()
	place := func() string {
		return Eval[string](tb, `(() => {
			const r = document.querySelector(%q)?.getBoundingClientRect();
			return r ? [r.left, r.top, r.width, r.height].join() : "";
		})()`, selector)
	}
	deadline := time.Now().Add(patience)
	for last, now := "", place(); now == "" || now != last; last, now = now, place() {
		if time.Now().After(deadline) {
			break // the click says what is wrong
		}
		time.Sleep(30 * time.Millisecond) // between two looks at the page
	}
	tb.Do(chromedp.Click(chromedp.CSS(selector)))
}

// InView says that the top of an element can be seen.
func (tb *Tab) InView(selector string) bool {
	tb.t.Helper()
	return Eval[bool](tb, `(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		const dock = document.querySelector(".ask-dock")?.getBoundingClientRect().height ?? 0;
		return r.height > 0 && r.top >= -1 && r.top < innerHeight - dock && r.left >= 0 && r.left < innerWidth;
	})()`, selector)
}

// Sideways is how many pixels the page is wider than the window.
func (tb *Tab) Sideways() int {
	tb.t.Helper()
	return Eval[int](tb, "document.documentElement.scrollWidth - innerWidth")
}

// Scheme makes the page light or dark.
func (tb *Tab) Scheme(scheme string) {
	tb.t.Helper()
	tb.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

// Shoot writes a PNG picture of what can be seen.
func (tb *Tab) Shoot(path string) {
	tb.t.Helper()
	png, err := chromedp.Run(tb, chromedp.CaptureScreenshot())
	require.NoError(tb.t, err)
	require.NoError(tb.t, os.WriteFile(path, png, 0o600))
}
