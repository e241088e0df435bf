package dashboard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/login"
)

// readers may read, in one workspace.
type readers struct{ benchPeople }

func (readers) Person(*gin.Context) (login.Person, error) {
	return login.Person{ID: "api-key:k", Account: "acme", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, Opens: []string{"w"}, SessionID: "s"}, nil
}

func (r readers) Background(c *gin.Context) (login.Person, error) { return r.Person(c) }

// typed is a form that counts what is read of it.
type typed struct {
	*strings.Reader

	read int
}

func (f *typed) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	f.read += n
	return n, err
}

// answered notes how much of a form was read when its answer began. The router reads the rest then, and keeps nothing of it.
type answered struct {
	*httptest.ResponseRecorder

	form *typed
	read int
}

func (a *answered) WriteHeader(status int) {
	a.read = a.form.read
	a.ResponseRecorder.WriteHeader(status)
}

// formTo sends a form of so many bytes to a path of the dashboard, and returns the answer and how many bytes were read.
func formTo(t *testing.T, who dashboard.People, path string, bytes int) (status, read int) {
	t.Helper()
	server := benchServerOn(t, 1, clocktesting.NewFakeClock(benchBegan), nil, who)
	form := &typed{Reader: strings.NewReader("a=" + strings.Repeat("x", bytes-2))}
	q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, io.NopCloser(form))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	answer := &answered{ResponseRecorder: httptest.NewRecorder(), form: form}
	server.ServeHTTP(answer, q)
	return answer.Code, answer.read
}

// What a form is worth is looked at before it takes memory, as with a request of the REST API.
func TestAFormIsNotReadOfWhoMayNotSendIt(t *testing.T) {
	for path, want := range map[string]int{
		"/app/w/w/articles/u/edit": http.StatusForbidden, "/app/w/w/articles/new/paste": http.StatusForbidden,
		"/app/w/other/articles/bulk": http.StatusNotFound,
	} {
		if status, read := formTo(t, readers{}, path, 1<<20); status != want || read > 0 {
			t.Errorf("%s: got %d, and %d bytes were read; want %d, and none", path, status, read, want)
		}
	}
	// They may change the settings of their browser: the form is read, and has no ticket.
	if status, read := formTo(t, readers{}, "/app/account/settings", 1000); status != http.StatusForbidden || read != 1000 {
		t.Errorf("a form that they may send: got %d, and %d bytes were read", status, read)
	}
}

// Those with a text have 3 MiB, in which each character may take three.
func TestAFormHasAsManyBytesAsItNeeds(t *testing.T) {
	for path, most := range map[string]int{
		"/app/w/w/articles/u/edit": 3 << 20, "/app/w/w/articles/u/edit/preview": 3 << 20, "/app/w/w/articles/new/write": 3 << 20,
		"/app/w/w/articles/new/preview": 3 << 20, "/app/w/w/articles/new/paste": 3 << 20,
		"/app/w/w/articles/bulk": 256 << 10, "/app/account/settings": 256 << 10,
	} {
		if status, _ := formTo(t, benchPeople{}, path, most); status != http.StatusForbidden {
			t.Errorf("%s: %d bytes without a ticket: got %d", path, most, status)
		}
		if status, _ := formTo(t, benchPeople{}, path, most+1); status != http.StatusBadRequest {
			t.Errorf("%s: %d bytes: got %d, want 400", path, most+1, status)
		}
	}
}
