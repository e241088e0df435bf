package base

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestARefusalIsToldFromAFailure(t *testing.T) {
	of, kind := schema.GroupResource{Group: "pressroom.dev", Resource: "posts"}, schema.GroupKind{Group: "pressroom.dev", Kind: "Post"}
	webhook := func(code int32) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: code, Message: `admission webhook "validate.policies" denied the request: no label`,
		}}
	}
	for name, tt := range map[string]struct {
		err error
		// want is empty if the write has failed, and is tried again at once.
		want string
	}{
		"a quota":                   {apierrors.NewForbidden(of, "shoes", errors.New("exceeded quota: pressroom")), "exceeded quota: pressroom"},
		"a schema":                  {apierrors.NewInvalid(kind, "shoes", nil), `Post.pressroom.dev "shoes" is invalid`},
		"a webhook":                 {webhook(http.StatusBadRequest), `admission webhook "validate.policies" denied the request: no label`},
		"a webhook with its code":   {webhook(http.StatusConflict), `admission webhook "validate.policies" denied the request: no label`},
		"a webhook that is down":    {apierrors.NewInternalError(errors.New("failed calling webhook: refused")), "Internal error occurred: failed calling webhook: refused"},
		"a CRD that is missing":     {apierrors.NewGenericServerResponse(http.StatusNotFound, "post", of, "", "", 0, true), "the server could not find the requested resource (post posts.pressroom.dev)"},
		"a version that is missing": {&meta.NoKindMatchError{GroupKind: kind, SearchedVersions: []string{"v1alpha1"}}, `no matches for kind "Post" in version "pressroom.dev/v1alpha1"`},

		"a deleted object":           {apierrors.NewNotFound(of, "shoes"), ""},
		"a conflict":                 {apierrors.NewConflict(of, "shoes", errors.New("modified")), ""},
		"another one of the name":    {apierrors.NewAlreadyExists(of, "shoes"), ""},
		"too many requests":          {apierrors.NewTooManyRequests("later", 1), ""},
		"a time-out":                 {apierrors.NewTimeoutError("later", 1), ""},
		"a server that fails":        {apierrors.NewInternalError(errors.New("etcd")), ""},
		"a server that is not there": {errors.New("connection refused"), ""},
		"rights that have expired":   {apierrors.NewUnauthorized("token"), ""},
		"a deleted workspace":        {fmt.Errorf("%w: %w", ErrDeleted, apierrors.NewForbidden(of, "shoes", errors.New("terminating"))), ""},
		"none":                       {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := &Base{Random: func() float64 { return 0.5 }}
			err := b.BlockedIfRefused(tt.err, "Refused", "Post")
			blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
			switch {
			case tt.want == "" && (ok || !errors.Is(err, tt.err)):
				t.Errorf("%v, want %v", err, tt.err)
			case tt.want != "" && (!ok || blocked.Message != "the Post is refused: "+tt.want || blocked.RetryAfter != RefusedPoll):
				t.Errorf("%+v, want %s", err, tt.want)
			}
		})
	}
}
