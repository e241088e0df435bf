package base

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// RefusedPoll is how often a write that kube-apiserver refuses is tried again, before jitter: nothing reports that a quota, a policy or a
// CRD has changed.
const RefusedPoll = 2 * time.Minute

// BlockedIfRefused returns the *lifecycle.BlockedError, with this reason, of a step for which kube-apiserver refuses to write an object. It
// returns any other error as it is.
func (b *Base) BlockedIfRefused(err error, reason, object string) error {
	if !IsRefused(err) {
		return err
	}
	return &lifecycle.BlockedError{
		Reason: reason, Message: fmt.Sprintf("the %s is refused: %s", object, RefusalOf(err)), RetryAfter: b.RefusedWait(),
	}
}

// RefusalOf returns what kube-apiserver says about a write that it refuses, without the object, whose name leaves no room for the rest.
func RefusalOf(err error) string {
	message := err.Error()
	if status, ok := errors.AsType[*apierrors.StatusError](err); ok {
		message = status.ErrStatus.Message
	}
	for _, verdict := range []string{" is forbidden: ", " is invalid: "} {
		if _, why, found := strings.Cut(message, verdict); found {
			return why
		}
	}
	return message
}

// RefusedWait is RefusedPoll with jitter.
func (b *Base) RefusedWait() time.Duration { return backoff.Jitter(RefusedPoll, b.Random()) }

// maxNote bounds the note of an Event, which kube-apiserver takes up to 1,024 bytes of.
const maxNote = 1000

// EventOfRefusal makes an Event about an object for which kube-apiserver refuses a write that its conditions do not speak of.
func (b *Base) EventOfRefusal(of client.Object, err error) {
	b.Recorder.Eventf(of, nil, corev1.EventTypeWarning, ReasonWriteRefused, "Write", "%s", bounds.Cut(err.Error(), maxNote))
}

// IsRefused reports whether kube-apiserver refuses a write for a reason that lasts: a quota, an admission policy or webhook, a right that
// is missing, or a CRD that is missing or of another version.
func IsRefused(err error) bool {
	if meta.IsNoMatchError(err) {
		return true
	}
	status, ok := errors.AsType[*apierrors.StatusError](err)
	if !ok || errors.Is(err, ErrDeleted) {
		return false
	}
	switch s := status.ErrStatus; {
	case strings.Contains(s.Message, "admission webhook") && strings.Contains(s.Message, "denied the request"):
		return true // A webhook chooses its code.
	case s.Code == http.StatusInternalServerError:
		return strings.Contains(s.Message, "failed calling webhook")
	case s.Code == http.StatusConflict: // Of the object, its name, or the status of a quota.
		return false
	case s.Code == http.StatusNotFound:
		return isUnknownPath(s) // Otherwise the object was deleted.
	default:
		return s.Code >= http.StatusBadRequest && s.Code < http.StatusInternalServerError &&
			s.Code != http.StatusUnauthorized && s.Code != http.StatusRequestTimeout && s.Code != http.StatusTooManyRequests
	}
}

// isUnknownPath reports whether kube-apiserver does not know the path of a request, because the CRD is missing.
func isUnknownPath(s metav1.Status) bool {
	return s.Details != nil && slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool {
		return c.Type == metav1.CauseTypeUnexpectedServerResponse
	})
}
