package webhook

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/pressroom-dev/pressroom/internal/publish/snippet"
)

// recorder keeps the beginning of what is read through it, for people to see.
type recorder struct {
	from io.Reader
	kept []byte
	// more says that the answer goes on after what is kept, ended that its end was seen.
	more, ended bool
}

// Read implements io.Reader.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	room := snippet.SourceBytes - len(r.kept)
	r.kept = append(r.kept, p[:min(n, room)]...)
	r.more, r.ended = r.more || n > room, r.ended || errors.Is(err, io.EOF)
	return n, err
}

// fill reads on until enough is kept, or nothing more comes.
func (r *recorder) fill() {
	// What cannot be read is not shown, and changes nothing else.
	_, _ = io.CopyN(io.Discard, r, int64(snippet.SourceBytes-len(r.kept)+1))
}

func (r *recorder) snippet(secrets []string) string {
	more := r.more || (!r.ended && !json.Valid(r.kept))
	return snippet.Of(r.kept, more, secrets...)
}
