package controllers

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

// scoredAsRequested is what a generated text is scored by: the request that was asked. The built-in outline has one length.
func scoredAsRequested(r generate.Request, doc content.Document, by v1alpha1.GeneratorType) check.Input {
	in := generate.CheckInput(r, doc)
	if by == v1alpha1.GeneratorBuiltIn {
		in.MinWords, in.MaxWords = 0, 0
	}
	return in
}
