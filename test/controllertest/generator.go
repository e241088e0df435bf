package controllertest

import (
	"context"
	"sync"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// Script is the behavior of a Generator at a call. Calls are counted from 1.
type Script func(ctx context.Context, call int, r generate.Request, progress generate.Progress) (generate.Result, error)

// Generator writes by a script, for every site.
type Generator struct {
	// Blocked, if set, is the error that For returns for each site.
	Blocked error
	// Prices of its tokens, if they are known.
	Prices generate.Prices

	mu     sync.Mutex
	calls  int
	script Script
}

// NewGenerator makes a generator.
func NewGenerator(script Script) *Generator { return &Generator{script: script} }

// For returns the generator.
func (g *Generator) For(context.Context, *v1alpha1.Site) (sitegenerator.Backend, error) {
	return sitegenerator.Backend{Generator: g, Type: v1alpha1.GeneratorOpenAI, Model: "small", Prices: g.Prices, Host: "model"}, g.Blocked
}

// Generate makes a call.
func (g *Generator) Generate(ctx context.Context, r generate.Request, progress generate.Progress) (generate.Result, error) {
	g.mu.Lock()
	g.calls++
	call, script := g.calls, g.script
	g.mu.Unlock()
	result, err := script(ctx, call, r, progress)
	if err == nil {
		result.Report = check.Run(generate.CheckInput(r, result.Document))
	}
	return result, err
}

// Does replaces the script.
func (g *Generator) Does(script Script) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.script = script
}

// Calls is how many there have been.
func (g *Generator) Calls() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls
}
