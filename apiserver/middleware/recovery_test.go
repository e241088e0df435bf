package middleware_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr/funcr"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// serve has a handler answer a request. It returns the answer, the log, and the panic that reaches the server.
func serve(t *testing.T, handler gin.HandlerFunc) (answer *httptest.ResponseRecorder, log string, raised error) {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	var lines strings.Builder
	router := gin.New()
	router.Use(middleware.Recover(funcr.New(func(_, line string) { lines.WriteString(line) }, funcr.Options{}),
		func(c *gin.Context) { c.String(http.StatusInternalServerError, "sorry") }))
	router.GET("/things/:name", handler, func(*gin.Context) { t.Error("a handler runs after the panic") })
	answer = httptest.NewRecorder()
	func() {
		defer func() { raised, _ = recover().(error) }()
		router.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/things/one", http.NoBody))
	}()
	return answer, lines.String(), raised
}

func TestAPanicIsAnsweredAndLogged(t *testing.T) {
	answer, log, raised := serve(t, func(c *gin.Context) {
		c.Header(problem.RequestIDHeader, "r-1")
		panic("secret of the house")
	})
	if raised != nil || answer.Code != http.StatusInternalServerError || answer.Body.String() != "sorry" {
		t.Errorf("got %d %q, and the server saw %v", answer.Code, answer.Body, raised)
	}
	for _, want := range []string{"secret of the house", "r-1", "GET", "/things/:name", "recovery_test.go"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
	}
}

func TestAnAnswerThatHasBegunIsBrokenOff(t *testing.T) {
	answer, log, raised := serve(t, func(c *gin.Context) {
		c.String(http.StatusOK, "half")
		panic("secret of the house")
	})
	if !errors.Is(raised, http.ErrAbortHandler) || answer.Body.String() != "half" || !strings.Contains(log, "secret of the house") {
		t.Errorf("got %q, the server saw %v, logged: %s", answer.Body, raised, log)
	}
}

func TestAHandlerMayBreakTheConnectionItself(t *testing.T) {
	_, log, raised := serve(t, func(*gin.Context) { panic(http.ErrAbortHandler) })
	if !errors.Is(raised, http.ErrAbortHandler) || log != "" {
		t.Errorf("the server saw %v, logged: %s", raised, log)
	}
}
