package delivery

import (
	"context"
	"time"
)

// writePatience bounds the write of an attempt once the process is asked to stop.
const writePatience = 10 * time.Second

// WriteAhead writes an attempt that begins, of a delivery or of a run. A process that is asked to stop meanwhile waits for the answer, for
// at most 10 seconds: without it, nobody would know whether the attempt is written, and it could not be made. After the stop, nothing is
// written, and the error is that of ctx.
func WriteAhead(ctx context.Context, save func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(writePatience, cancel) })
	defer stop()
	return save(detached)
}
