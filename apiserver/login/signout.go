package login

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// SignOuts remember which sessions have been ended, for all replicas.
type SignOuts interface {
	// Record ends a session. Ending it again changes nothing.
	Record(ctx context.Context, s Session) error
	// Recorded reports whether a session has been ended.
	Recorded(ctx context.Context, s Session) (bool, error)
}

// Records keeps each sign-out as the record of a command, which the controller deletes after a day, as it does those of Idempotency-Keys.
// Sessions last 8 hours, so no record is deleted before its session has ended by itself.
type Records struct {
	// Live reads and writes at kube-apiserver: no replica may lag behind.
	Live client.Client
	// Namespace is that of the system: a session belongs to no workspace.
	Namespace string
}

// Record implements SignOuts.
func (r Records) Record(ctx context.Context, s Session) error {
	name, hash := recordOf(s)
	err := r.Live.Create(ctx, &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: name},
		Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "sign-out", RequestHash: hash, Object: name, ObjectUID: hash},
	})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("recording a sign-out: %w", err)
	}
	return nil
}

// Recorded implements SignOuts.
func (r Records) Recorded(ctx context.Context, s Session) (bool, error) {
	name, _ := recordOf(s)
	err := r.Live.Get(ctx, client.ObjectKey{Namespace: r.Namespace, Name: name}, &internalv1alpha1.IdempotencyRecord{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("finding out whether a session has been ended: %w", err)
	}
	return true, nil
}

// recordOf returns the name of the record of a sign-out, and the hash in it. A reader of records learns no id of a session.
func recordOf(s Session) (name, hash string) {
	sum := sha256.Sum256([]byte(cmp.Or(s.SignIn, s.ID)))
	hash = hex.EncodeToString(sum[:])
	return "session-" + hash[:32], hash
}

// The sign-outs that a replica records of a person, and of an account with all its people: each is an object for a day.
var (
	personSignOuts  = middleware.Rate{PerSecond: 1. / 120, AtOnce: 10}
	accountSignOuts = middleware.Rate{PerSecond: 1. / 20, AtOnce: 100}
)

// signOut ends the session: it removes the cookie, and has copies of it open nothing.
func (l *Login) signOut(c *gin.Context) {
	s, ok := l.sessions.Read(c.Request)
	l.sessions.End(c.Writer)
	if !ok {
		pages.Redirect(c, SignedOut)
		return
	}
	if err := l.endSession(c.Request.Context(), s); err != nil {
		l.Log.Error(err, "a session has been ended in its browser alone", "account", s.Account)
		l.Frame.Message(c, http.StatusServiceUnavailable, "You are signed out in this browser",
			"If somebody has copied the cookie of the session, the copy works until "+s.Expires.Format(time.RFC1123)+
				". To end it before, revoke the API key, or remove the membership.")
		return
	}
	pages.Redirect(c, SignedOut)
}

// endSession records a sign-out, unless it is recorded already.
func (l *Login) endSession(ctx context.Context, s Session) error {
	h := s.holder()
	if l.visits.Take(h.Person, h.Account) > 0 {
		return pages.ErrTooMany
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	if ended, err := l.SignOuts.Recorded(ctx, s); err != nil || ended {
		return err
	}
	if l.signOuts.Take(h.Person, h.Account) > 0 {
		return pages.ErrTooMany
	}
	return l.SignOuts.Record(ctx, s)
}
