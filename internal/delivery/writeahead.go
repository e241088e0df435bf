package delivery

import (
	"context"
	"time"
)

// writePatience bounds the write of an attempt once the process is asked to stop.
const writePatience = 10 * time.Second

// WriteAhead writes an attempt, of a delivery or of a run, to status before it begins. If the process is asked to stop meanwhile,
// WriteAhead waits for the answer for at most 10 seconds: without the answer it is not known whether the attempt is written, and it
// could not be made. If ctx has ended already, WriteAhead writes nothing and returns the error of ctx.
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
