package base

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// oneSecret reads the Secret cms, which has a value under the key token.
type oneSecret struct{ client.Reader }

func (oneSecret) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	secret, ok := obj.(*corev1.Secret)
	if !ok || key.Name != "cms" {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "secrets"}, key.Name)
	}
	secret.Data = map[string][]byte{"token": []byte("t1"), "id": []byte("i1")}
	return nil
}

func TestAnAttemptIsGivenTheSecretsOfItsConnection(t *testing.T) {
	token, other := v1alpha1.SecretKeyReference{Name: "cms", Key: "token"}, v1alpha1.SecretKeyReference{Name: "cms", Key: "other"}
	for name, tt := range map[string]struct {
		secrets    []publish.SecretRef
		wantValues int
		wantReason string
	}{
		"a required one":                 {[]publish.SecretRef{{SecretKeyReference: token}}, 1, ""},
		"a required one is missing":      {[]publish.SecretRef{{SecretKeyReference: other}}, 0, v1alpha1.ReasonSecretNotFound},
		"others stand in for it":         {[]publish.SecretRef{{SecretKeyReference: other, Instead: []string{"id", "token"}}}, 2, ""},
		"nothing has to stand in for it": {[]publish.SecretRef{{SecretKeyReference: token, Instead: []string{"id"}}}, 1, ""},
		"not all stand in for it": {
			[]publish.SecretRef{{SecretKeyReference: other, Instead: []string{"token", "missing"}}}, 0, v1alpha1.ReasonSecretNotFound,
		},
	} {
		b := &Base{Secrets: NewSecrets(oneSecret{}, clock.RealClock{})}
		target, err := b.Connect(t.Context(), nil, &v1alpha1.Site{}, publish.Connection{Secrets: tt.secrets})
		blocked, reason := (*lifecycle.BlockedError)(nil), ""
		if errors.As(err, &blocked) {
			reason = blocked.Reason
		}
		if reason != tt.wantReason || err != nil && blocked == nil || len(target.Secrets) != tt.wantValues {
			t.Errorf("%s: %d secrets, %v, want %d, blocked by %q", name, len(target.Secrets), err, tt.wantValues, tt.wantReason)
		}
		if tt.wantValues > 0 && string(target.Secrets[token]) != "t1" {
			t.Errorf("%s: the token is %q", name, target.Secrets[token])
		}
	}
}
