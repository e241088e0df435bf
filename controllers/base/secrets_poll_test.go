package base

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// storedSecrets reads Secrets from a map, and counts the reads.
type storedSecrets struct {
	client.Reader
	values map[string]string
	// address that the Secrets are for, if any.
	address string
	reads   int
}

func (s *storedSecrets) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	s.reads++
	secret, ok := obj.(*corev1.Secret)
	value, stored := s.values[key.Name]
	if !ok || !stored {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "secrets"}, key.Name)
	}
	secret.Data = map[string][]byte{"key": []byte(value)}
	if s.address != "" {
		secret.Annotations = map[string]string{v1alpha1.AddressAnnotation: s.address}
	}
	return nil
}

// secretsWorld has a reader of Secrets, and the namespaces that were notified.
type secretsWorld struct {
	*testing.T
	Secrets
	stored   *storedSecrets
	time     *testclock.FakePassiveClock
	notified []string
}

func newSecretsWorld(t *testing.T) *secretsWorld {
	t.Helper()
	w := &secretsWorld{
		T: t, stored: &storedSecrets{values: map[string]string{}}, time: testclock.NewFakePassiveClock(time.Unix(1e9, 0)),
	}
	w.Secrets = NewSecrets(w.stored, w.time)
	w.onFound(func(namespace string) { w.notified = append(w.notified, namespace) })
	return w
}

func (w *secretsWorld) step(d time.Duration) { w.time.SetTime(w.time.Now().Add(d)) }

var ofSite = v1alpha1.SecretKeyReference{Name: "webhook", Key: "key"}

// expectBlocked reads the Secret, and expects a reason, a time to look again, and so many reads so far.
func (w *secretsWorld) expectBlocked(err error, reason string, after time.Duration, reads int) {
	w.Helper()
	blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
	if !ok || blocked.Reason != reason || blocked.RetryAfter != after {
		w.Errorf("err = %v, want %s and another look after %s", err, reason, after)
	}
	if w.stored.reads != reads {
		w.Errorf("%d requests were made, want %d", w.stored.reads, reads)
	}
}

func (w *secretsWorld) value() error {
	_, err := w.Value(w.Context(), "blog", ofSite, "")
	return err
}

func TestAMissingSecretIsPolledOnce(t *testing.T) {
	w := newSecretsWorld(t)
	for poll := 1; poll <= 3; poll++ {
		w.expectBlocked(w.value(), v1alpha1.ReasonSecretNotFound, 30*time.Second, poll)
		for range 1000 {
			w.expectBlocked(w.value(), v1alpha1.ReasonSecretNotFound, 10*time.Minute, poll)
		}
		w.step(30 * time.Second)
	}
	w.stored.values["webhook"] = "signed"
	if err := w.value(); err != nil {
		t.Fatal(err)
	}
	if len(w.notified) != 1 || w.notified[0] != "blog" {
		t.Errorf("notified are %v, want what waits in blog", w.notified)
	}
	if err := w.value(); err != nil || w.stored.reads != 5 || len(w.notified) != 1 {
		t.Errorf("a Secret that is there is read each time: %v, %d reads, notified %v", err, w.stored.reads, w.notified)
	}
}

func TestOtherSecretsAreReadMeanwhile(t *testing.T) {
	w := newSecretsWorld(t)
	w.stored.values["other"] = "signed"
	w.expectBlocked(w.value(), v1alpha1.ReasonSecretNotFound, 30*time.Second, 1)
	if _, err := w.Value(t.Context(), "blog", v1alpha1.SecretKeyReference{Name: "other", Key: "key"}, ""); err != nil {
		t.Error(err)
	}
	_, err := w.Value(t.Context(), "shop", ofSite, "")
	w.expectBlocked(err, v1alpha1.ReasonSecretNotFound, 30*time.Second, 3)
}

// The reconcilers of Sites and subscriptions show at once what a person has created.
func TestAFreshReaderFindsWhatOthersWaitFor(t *testing.T) {
	w := newSecretsWorld(t)
	w.expectBlocked(w.value(), v1alpha1.ReasonSecretNotFound, 30*time.Second, 1)
	_, err := w.Fresh().Value(t.Context(), "blog", ofSite, "")
	w.expectBlocked(err, v1alpha1.ReasonSecretNotFound, 30*time.Second, 2)
	w.stored.values["webhook"] = "signed"
	if _, err := w.Fresh().Value(t.Context(), "blog", ofSite, ""); err != nil {
		t.Fatal(err)
	}
	if err := w.value(); err != nil || len(w.notified) != 1 {
		t.Errorf("err = %v, notified %v", err, w.notified)
	}
}

func TestAMalformedSigningKeyIsPolledOnce(t *testing.T) {
	w := newSecretsWorld(t)
	w.stored.values["webhook"] = "whsec_short"
	_, err := w.SigningKey(t.Context(), "blog", ofSite)
	w.expectBlocked(err, v1alpha1.ReasonInvalidSecret, 30*time.Second, 1)
	_, err = w.SigningKey(t.Context(), "blog", ofSite)
	w.expectBlocked(err, v1alpha1.ReasonInvalidSecret, 10*time.Minute, 1)
	if err := w.value(); err != nil {
		t.Errorf("the value serves a Site: %v", err)
	}
}

func TestASecretServesTheAddressThatItNamesAlone(t *testing.T) {
	w := newSecretsWorld(t)
	w.stored.values["webhook"], w.stored.address = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", "https://blog.acme.example/hook"
	if value, err := w.Value(t.Context(), "blog", ofSite, "https://blog.acme.example/hook"); err != nil || len(value) == 0 {
		t.Errorf("the value does not serve its own address: %v", err)
	}
	for i, other := range []string{
		"", "https://evil.example/hook", "https://blog.acme.example/hook/", "https://blog.acme.example/hooks", "https://BLOG.acme.example/hook",
		"http://blog.acme.example/hook", "https://blog.acme.example/hook?a",
	} {
		value, err := w.Value(t.Context(), "blog", ofSite, other)
		w.expectBlocked(err, v1alpha1.ReasonInvalidSecret, 30*time.Second, 2+i)
		if value != nil {
			t.Errorf("the value serves %q", other)
		}
	}
	_, err := w.SigningKey(t.Context(), "blog", ofSite)
	w.expectBlocked(err, v1alpha1.ReasonInvalidSecret, 30*time.Second, 9)
}

func TestWhatIsRememberedOfSecretsIsBounded(t *testing.T) {
	w := newSecretsWorld(t)
	for i := range maxBlockedSecrets + 10 {
		ref := v1alpha1.SecretKeyReference{Name: strconv.Itoa(i), Key: "key"}
		if _, err := w.Value(t.Context(), "blog", ref, ""); err == nil {
			t.Fatal("the Secret is there")
		}
	}
	if got := len(w.blocked.Keys()); got != maxBlockedSecrets {
		t.Errorf("%d values are remembered, want %d", got, maxBlockedSecrets)
	}
}
