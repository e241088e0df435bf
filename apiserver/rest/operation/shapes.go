package operation

// Envelope is embedded in every answer that is 2xx.
type Envelope struct {
	Success bool `json:"success" enum:"true"`
}

// Succeeded is the Envelope of every answer.
var Succeeded = Envelope{Success: true}

// Output is what an operation returns whose answer has a body and no header fields of its own.
type Output[T any] struct{ Body T }

// Answer returns a body as the output of an operation.
func Answer[T any](body T) *Output[T] { return &Output[T]{body} }

// NoRequest is the body of operations that need none: absent, or an empty object.
type NoRequest struct{}

// DeleteOutput is the answer of delete-article: none.
type DeleteOutput struct{}
