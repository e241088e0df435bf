package pages

import (
	"errors"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"
)

const (
	// formBytes and personFormBytes bound the large forms in progress on a replica, in bytes: all of them, and those of one person.
	// Strangers count as one person.
	formBytes, personFormBytes = 64 << 20, 4 << 20
	// strangerForm is how large a form is that is kept until somebody has signed in, in bytes.
	strangerForm = 1 << 20
)

// errTooManyForms means that the person's share of the memory for forms is used up.
var errTooManyForms = errors.New("too many bytes of forms at once")

// countedForm is the body of a form. Its bytes are counted when they arrive: a large form that is announced and not sent takes no memory.
type countedForm struct {
	io.ReadCloser

	frame *Frame
	whose string
	bytes int64
}

// form returns the body of the form of a request, within the bounds.
func (f *Frame) form(c *gin.Context, b Bounds) *countedForm {
	if b.Whose == nil {
		return &countedForm{ReadCloser: http.MaxBytesReader(c.Writer, c.Request.Body, b.Form)}
	}
	whose, most := b.Whose(c.Request), b.Form
	if whose == "" {
		most = min(most, strangerForm)
	}
	return &countedForm{ReadCloser: http.MaxBytesReader(c.Writer, c.Request.Body, most), frame: f, whose: whose}
}

// Read reads what has arrived, if there is memory for it.
func (r *countedForm) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.frame == nil {
		return n, err
	}
	if !r.frame.forms.Take(r.whose, int64(n)) {
		return 0, errTooManyForms
	}
	r.bytes += int64(n)
	return n, err
}

// release gives the memory back.
func (r *countedForm) release() {
	if r.frame != nil {
		r.frame.forms.Give(r.whose, r.bytes)
	}
}
