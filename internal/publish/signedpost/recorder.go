package signedpost

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

// recorder keeps the beginning of what is read through it.
type recorder struct {
	from io.Reader
	kept []byte
	// more reports that the answer is longer than what is kept, ended that its end was seen.
	more, ended bool
}

// Read implements io.Reader.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	free := answer.MaxKept - len(r.kept)
	r.kept = append(r.kept, p[:min(n, free)]...)
	r.more, r.ended = r.more || n > free, r.ended || errors.Is(err, io.EOF)
	return n, err
}

// fill reads on until enough is kept or the answer ends.
func (r *recorder) fill() {
	// What cannot be read is missing from the snippet, and changes nothing else.
	_, _ = io.CopyN(io.Discard, r, int64(answer.MaxKept-len(r.kept)+1))
}

// goesOn reports whether the answer is longer than what is kept. Reading stops at the end of a JSON object, mostly before the
// end of the answer is seen.
func (r *recorder) goesOn() bool {
	return r.more || (!r.ended && !json.Valid(r.kept))
}
