package login_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
)

// bounded notes how long somebody has to find out who is signed in.
type bounded struct {
	login.People

	left []time.Duration
}

func (b *bounded) Find(ctx context.Context, s login.Session) (login.Person, error) {
	end, ok := ctx.Deadline()
	if !ok {
		end = time.Now().Add(time.Hour)
	}
	b.left = append(b.left, time.Until(end))
	return b.People.Find(ctx, s)
}

// A stream asks for the rights of its person again and again, and notices neither its end nor the server's while it waits for an answer.
func TestFindingOutWhoSomebodyIsIsBounded(t *testing.T) {
	people := &bounded{}
	s := logintest.New(t, logintest.Options{Login: func(o *login.Options) { people.People, o.People = o.People, people }})
	for path, find := range map[string]func(*gin.Context) (login.Person, error){"/page": s.Login.Person, "/stream": s.Login.Background} {
		s.Router.GET(path, func(c *gin.Context) {
			if _, err := find(c); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			c.Status(http.StatusNoContent)
		})
	}
	s.SignIn()
	people.left = nil
	s.Get("/page")
	s.Get("/stream")
	if len(people.left) != 2 {
		t.Fatalf("%d people were found, want 2", len(people.left))
	}
	for _, left := range people.left {
		if left > 5*time.Second {
			t.Errorf("finding out may take %s, want 5 s at the most", left)
		}
	}
}
