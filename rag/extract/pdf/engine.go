package pdf

import (
	"context"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

const (
	atOnce      = 2               // files read at the same time
	memoryPages = 16384           // of 64 KiB: 1 GiB for one file
	idleTime    = 3 * time.Minute // without a PDF, until the compiled code is given back
)

// engine is PDFium, compiled when the first file comes and given back when
// none has come for a while. Every file gets an instance of its own (about
// 5 ms), so that what one file broke no other file meets.
type engine struct {
	slots chan struct{} // holds one token for each file being read
	lock  chan struct{} // guards the rest; a channel, so that waiting can be given up
	pool  pdfium.Pool
	done  func() // gives back the compiled code
	users int
	shut  bool // give back as soon as nobody reads
	idle  *time.Timer
}

func newEngine() *engine {
	return &engine{slots: make(chan struct{}, atOnce), lock: make(chan struct{}, 1)}
}

// shared is the process's engine. It owns nothing until a PDF comes.
var shared = newEngine()

// Close gives back what reading PDFs keeps in memory, at once or when the last
// file being read is done. The next Read starts afresh.
func Close() { shared.close() }

// with runs do with a fresh instance. The instance is killed when ctx ends or
// the limit is over, also in the middle of a call, and thrown away in any
// case. The time before it is this file's turn does not count.
func (e *engine) with(ctx context.Context, limit time.Duration, do func(context.Context, pdfium.Pdfium) error) error {
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-e.slots }()
	pool, err := e.enter(ctx)
	if err != nil {
		return err
	}
	defer e.leave()

	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	inst, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	var killed sync.WaitGroup
	killed.Add(1)
	stop := context.AfterFunc(ctx, func() {
		defer killed.Done()
		_ = inst.Kill()
	})
	defer func() {
		if stop() {
			_ = inst.Close()
			return
		}
		killed.Wait()
	}()
	return do(ctx, inst)
}

func (e *engine) enter(ctx context.Context) (pdfium.Pool, error) {
	select {
	case e.lock <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-e.lock }()
	if e.pool == nil {
		pool, done, err := start() //nolint:contextcheck // what is compiled outlives the file that asked for it
		if err != nil {
			return nil, err
		}
		e.pool, e.done = pool, done
	}
	if e.idle != nil {
		e.idle.Stop()
		e.idle = nil
	}
	e.users++
	return e.pool, nil
}

func (e *engine) leave() {
	e.lock <- struct{}{}
	defer func() { <-e.lock }()
	e.users--
	if e.users > 0 {
		return
	}
	if e.shut {
		e.drop()
		return
	}
	e.idle = time.AfterFunc(idleTime, e.expire)
}

// expire is close for the clock, which may come just after a new file.
func (e *engine) expire() {
	e.lock <- struct{}{}
	defer func() { <-e.lock }()
	if e.users == 0 {
		e.drop()
	}
}

func (e *engine) close() {
	e.lock <- struct{}{}
	defer func() { <-e.lock }()
	if e.users > 0 {
		e.shut = true
		return
	}
	e.drop()
}

// drop gives the pool back. The lock is held and nobody reads.
func (e *engine) drop() {
	e.shut = false
	if e.idle != nil {
		e.idle.Stop()
		e.idle = nil
	}
	if e.pool != nil {
		_ = e.pool.Close()
		if e.done != nil { // a pool of a test holds nothing
			e.done()
		}
		e.pool, e.done = nil, nil
		debug.FreeOSMemory()
	}
}

// start compiles PDFium, some seconds of work, or reads what was compiled. The instances see no file
// of this machine and nothing of what they print is kept.
func start() (pool pdfium.Pool, done func(), err error) {
	config, done := runtimeConfig()
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	pool, err = webassembly.Init(webassembly.Config{
		Context:  ctx,
		MaxTotal: atOnce,
		FSConfig: wazero.NewFSConfig(),
		RuntimeConfig: config.
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
			WithMemoryLimitPages(memoryPages).
			WithCloseOnContextDone(true),
		Stdout: io.Discard,
		Stderr: io.Discard,
	})
	if err != nil {
		done()
		return nil, nil, err
	}
	// Compiling leaves some 250 MB of garbage; a server that reads one PDF a
	// week should not look that big.
	debug.FreeOSMemory()
	return pool, done, nil
}
