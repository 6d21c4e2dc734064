package cluster

import (
	"context"
	"errors"
	"time"
)

// The pauses between tries to start a server that went away.
const (
	firstRetry = 200 * time.Millisecond
	lastRetry  = 30 * time.Second
)

// watch keeps the server there until Stop: an owner starts it again when it
// ends by itself (the system killed it for its memory, say), a guest becomes
// the owner when the owner is gone.
func (c *Cluster) watch(ctx context.Context) {
	defer close(c.done)
	pause := time.Duration(0)
	for {
		began := time.Now()
		if !c.mayStart(ctx) {
			return
		}
		if time.Since(began) > lastRetry {
			pause = 0 // it ran well for a while
		}
		if pause > 0 && !wait(ctx, pause) {
			return
		}
		pause = min(max(2*pause, firstRetry), lastRetry)
		if err := c.own(ctx, false); err != nil && ctx.Err() == nil {
			c.log.ErrorContext(ctx, "postgres could not be started again", "error", err, "next_try", pause)
		}
	}
}

// mayStart waits until it is this program's part to start the server; false
// when the context ends first.
func (c *Cluster) mayStart(ctx context.Context) bool {
	c.mu.Lock()
	p := c.server
	c.mu.Unlock()
	if p != nil {
		select {
		case <-ctx.Done():
			return false
		case <-p.exited:
		}
		c.mu.Lock()
		c.server = nil
		c.mu.Unlock()
		c.log.ErrorContext(ctx, "postgres ended by itself, starting it again", "log", p.log)
		return true
	}
	if c.lock.Locked() {
		return true // an earlier try did not succeed
	}
	for wait(ctx, watchEvery) {
		if owner, err := c.lock.TryLock(); err == nil && owner {
			c.log.InfoContext(ctx, "the program that ran postgres is gone, taking over")
			return true
		}
	}
	return false
}

// Stop ends this program's use of the cluster. An owner shuts the server down:
// in order while ctx lasts (20 s at most), then at once. Other programs that use
// it start it again for themselves. A guest only stops watching.
func (c *Cluster) Stop(ctx context.Context) error {
	c.quit()
	<-c.done
	c.mu.Lock()
	p := c.server
	c.server = nil
	c.mu.Unlock()
	if p == nil {
		return c.lock.Unlock()
	}
	began := time.Now()
	err := p.stop(ctx, fastLimit)
	if err == nil {
		err = c.home.removeSocketDir(c.socketDir)
		c.log.InfoContext(ctx, "stopped postgres", "duration", time.Since(began))
	}
	return errors.Join(err, c.lock.Unlock())
}
