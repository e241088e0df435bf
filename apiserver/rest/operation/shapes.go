package operation

// Envelope is embedded in every answer that is 2xx.
type Envelope struct {
	Success bool `json:"success" enum:"true"`
}

// Succeeded is the Envelope of every answer.
var Succeeded = Envelope{Success: true}

// NoRequest is the body of operations that need none: absent, or an empty object.
type NoRequest struct{}

// DeleteOutput is the answer of delete-article: none.
type DeleteOutput struct{}
