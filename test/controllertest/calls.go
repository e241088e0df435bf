package controllertest

import (
	"context"
	"net/http"
	"sync"

	. "github.com/onsi/ginkgo/v2"

	"github.com/pressroom-dev/pressroom/internal/generate"
)

// AwaitWork waits until no call is in progress.
func (t *Tenant) AwaitWork() {
	for t.Generation.Engine.Calls.Len()+t.Publication.Engine.Calls.Len()+t.EventDeliveries.Engine.Calls.Len() > 0 {
		<-t.Notified
	}
}

// EndProcess lets the calls of the ended process come to their end, and begins another process, which knows nothing of them.
func (t *Tenant) EndProcess() {
	t.AwaitWork()
	t.Client.Before = NoFault
	t.Restart()
}

// HoldReceiver has the tenant's receiver answer nothing until the function is called.
func (t *Tenant) HoldReceiver() func() {
	proceed := make(chan struct{})
	answer := sync.OnceFunc(func() { close(proceed) })
	DeferCleanup(answer)
	t.Receiver.Answers(func(int, http.ResponseWriter) { <-proceed })
	return answer
}

// HoldGenerator has the generator answer nothing until the function is called.
func (t *Tenant) HoldGenerator() func() {
	proceed := make(chan struct{})
	answer := sync.OnceFunc(func() { close(proceed) })
	DeferCleanup(answer)
	t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		<-proceed
		return Written(r.Keyword, call), nil
	})
	return answer
}
