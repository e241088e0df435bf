package pages_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
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

// formSender sends forms to a page.
type formSender struct {
	t      *testing.T
	router *gin.Engine
}

// newFormSender has a page that takes forms of 3 MiB. Strangers come from the network in the header From.
func newFormSender(t *testing.T) *formSender {
	t.Helper()
	s, router := newSite(t), gin.New()
	s.frame.Whose = func(q *http.Request) (middleware.Holder, bool) {
		if account := q.Header.Get("Account"); account != "" {
			return middleware.Holder{Account: account, Person: q.Header.Get("Person")}, true
		}
		return middleware.Holder{Account: q.Header.Get("From")}, false
	}
	s.frame.Bounded(router, pages.Bounds{Form: 3 << 20}).POST("/form", func(c *gin.Context) {
		c.String(http.StatusOK, "%d", len(c.Request.PostForm.Get("a")))
	})
	s.frame.Group(router).POST("/small", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	return &formSender{t, router}
}

// send sends a form, with pairs of names and values in its header.
func (s *formSender) send(path string, body io.Reader, header ...string) int {
	q := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, path, body)
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	for pair := range slices.Chunk(header, 2) {
		q.Header.Set(pair[0], pair[1])
	}
	answer := httptest.NewRecorder()
	s.router.ServeHTTP(answer, q)
	return answer.Code
}

// hold sends forms of so many bytes, and returns a function that lets them go on once all has come but their ends. Each has headers of its
// own.
func (s *formSender) hold(path string, bytes int, headers ...[]string) (let func(wantStatus int)) {
	s.t.Helper()
	held, statuses := slowForm{read: make(chan struct{}), end: make(chan struct{})}, make(chan int)
	for _, header := range headers {
		form := held
		form.Reader = formOf(bytes)
		go func() { statuses <- s.send(path, form, header...) }()
		<-held.read
	}
	return func(wantStatus int) {
		s.t.Helper()
		close(held.end)
		for range headers {
			if got := <-statuses; got != wantStatus {
				s.t.Errorf("a form that was held back: got %d, want %d", got, wantStatus)
			}
		}
	}
}

func (s *formSender) want(wantStatus int, what, path string, bytes int, header ...string) {
	s.t.Helper()
	if got := s.send(path, formOf(bytes), header...); got != wantStatus {
		s.t.Errorf("%s: got %d, want %d", what, got, wantStatus)
	}
}

// Anybody can send forms. Those of strangers take 4 MiB of a replica's memory together, whatever they hold back, and those from one network
// half of it.
func TestFormsOfStrangersTakeLittleMemory(t *testing.T) {
	s := newFormSender(t)
	s.want(http.StatusBadRequest, "more than 1 MiB of a stranger", "/form", 1<<20+1, "From", "a")
	s.want(http.StatusOK, "2 MiB of a person", "/form", 2<<20, "Account", "acme")
	a, b := []string{"From", "a"}, []string{"From", "b"}
	end := s.hold("/form", 1<<20, a, a)
	s.want(http.StatusTooManyRequests, "another one from the same network", "/form", 100, a...)
	s.want(http.StatusOK, "one from another network", "/form", 100, b...)
	endOther := s.hold("/form", 1<<20, b, b)
	s.want(http.StatusTooManyRequests, "beside 4 MiB of strangers", "/form", 100, "From", "c")
	s.want(http.StatusOK, "a person beside strangers", "/form", 2<<20, "Account", "acme")
	end(http.StatusOK)
	endOther(http.StatusOK)
	s.want(http.StatusOK, "after the others have ended", "/form", 100, "From", "c")
}

// People are free: each API key of an account is one. So an account has no more than two of them.
func TestFormsOfAnAccountLeaveRoomForOthers(t *testing.T) {
	s := newFormSender(t)
	var people [][]string
	for _, person := range []string{"a", "b", "c", "d"} {
		people = append(people, []string{"Account", "acme", "Person", person})
	}
	end := s.hold("/form", 2<<20, people...)
	s.want(http.StatusTooManyRequests, "another person of the account", "/form", 100, "Account", "acme", "Person", "e")
	s.want(http.StatusOK, "another account", "/form", 3<<20, "Account", "rival", "Person", "a")
	end(http.StatusOK)
	end = s.hold("/form", 2<<20, people[0], people[0])
	s.want(http.StatusTooManyRequests, "another form of the person", "/form", 100, people[0]...)
	s.want(http.StatusOK, "another person of the account", "/form", 2<<20, people[1]...)
	end(http.StatusOK)
}

// The pages of OAuth take forms of anybody as well.
func TestSmallFormsAreCountedToo(t *testing.T) {
	s := newFormSender(t)
	s.want(http.StatusBadRequest, "131,000 bytes", "/small", 131_000, "From", "a")
	stranger, all := []string{"From", "a"}, make([][]string, 64)
	for i := range all {
		all[i] = stranger
	}
	end := s.hold("/small", 32<<10, all...)
	s.want(http.StatusTooManyRequests, "beside 2 MiB from the network", "/small", 100, stranger...)
	end(http.StatusNoContent)
}

// What is announced to be too large is refused before it takes memory.
func TestAFormThatIsTooLargeIsNotRead(t *testing.T) {
	s := newFormSender(t)
	unread := &unreadForm{Reader: *bytes.NewReader(make([]byte, 4<<20))}
	q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/form", unread)
	q.ContentLength = 4 << 20
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	q.Header.Set("Account", "acme")
	answer := httptest.NewRecorder()
	s.router.ServeHTTP(answer, q)
	if answer.Code != http.StatusBadRequest || unread.reads > 0 {
		t.Errorf("got %d, and %d reads", answer.Code, unread.reads)
	}
}

// unreadForm counts how often it is read.
type unreadForm struct {
	bytes.Reader

	reads int
}

func (f *unreadForm) Read(p []byte) (int, error) {
	f.reads++
	return f.Reader.Read(p)
}

// lateForm is a form that does not come within the time that the server waits for it.
type lateForm struct{}

func (lateForm) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

// A form that is only slow can be read: it is sent again.
func TestAFormThatIsSlowIsSaidToBeLate(t *testing.T) {
	s := newFormSender(t)
	if got := s.send("/form", lateForm{}, "Account", "acme"); got != http.StatusRequestTimeout {
		t.Errorf("got %d, want %d", got, http.StatusRequestTimeout)
	}
}
