package pages_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// slowForm is a form whose end does not come before it is let go.
type slowForm struct {
	io.Reader

	read, end chan struct{}
}

func (f slowForm) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		f.read <- struct{}{}
		<-f.end
	}
	return n, err
}

func formOf(bytes int) io.Reader { return strings.NewReader("a=" + strings.Repeat("x", bytes-2)) }

// Anybody can send forms. Those of strangers take 4 MiB of a replica's memory together, whatever they hold back.
func TestFormsOfStrangersTakeLittleMemory(t *testing.T) {
	s := newSite(t)
	router := gin.New()
	whose := func(q *http.Request) string { return q.Header.Get("Whose") }
	s.frame.Bounded(router, pages.Bounds{Form: 3 << 20, Whose: whose}).POST("/form", func(c *gin.Context) {
		c.String(http.StatusOK, "%d", len(c.Request.PostForm.Get("a")))
	})
	send := func(person string, body io.Reader) int {
		q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/form", body)
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		q.Header.Set("Whose", person)
		answer := httptest.NewRecorder()
		router.ServeHTTP(answer, q)
		return answer.Code
	}
	if got := send("", formOf(1<<20+1)); got != http.StatusBadRequest {
		t.Errorf("more than 1 MiB of a stranger: got %d", got)
	}
	if got := send("mara", formOf(2<<20)); got != http.StatusOK {
		t.Errorf("2 MiB of a person: got %d", got)
	}
	held := slowForm{read: make(chan struct{}), end: make(chan struct{})}
	statuses := make(chan int)
	for range 4 {
		form := held
		form.Reader = formOf(1<<20 - 1)
		go func() { statuses <- send("", form) }()
		<-held.read
	}
	if got := send("", formOf(100)); got != http.StatusTooManyRequests {
		t.Errorf("a form beside 4 MiB of strangers: got %d, want 429", got)
	}
	if got := send("mara", formOf(2<<20)); got != http.StatusOK {
		t.Errorf("a person beside strangers: got %d", got)
	}
	close(held.end)
	for range 4 {
		if got := <-statuses; got != http.StatusOK {
			t.Errorf("a form that was held back: got %d", got)
		}
	}
	if got := send("", formOf(100)); got != http.StatusOK {
		t.Errorf("after the others have ended: got %d", got)
	}
}
