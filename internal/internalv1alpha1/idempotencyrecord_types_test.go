package internalv1alpha1_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// A record that is restored from a backup has another uid, and names an object of before. What kube-apiserver refuses of a record is proved
// in internal/kinds, with the rules of all kinds.
func TestACompletedRecordNamesItsObjectAndItself(t *testing.T) {
	r := &internalv1alpha1.IdempotencyRecord{}
	r.UID, r.Annotations = "of-the-record", map[string]string{"kept": "yes"}
	r.Complete("of-the-article")
	if r.Spec.ObjectUID != "of-the-article" || r.Annotations[v1alpha1.UIDAnnotation] != "of-the-record" || r.Annotations["kept"] != "yes" {
		t.Errorf("got %+v with %v", r.Spec, r.Annotations)
	}
}

func TestASchemeKnowsRecords(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := internalv1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"IdempotencyRecord", "IdempotencyRecordList"} {
		if !scheme.Recognizes(internalv1alpha1.GroupVersion.WithKind(kind)) {
			t.Errorf("%s is not known", kind)
		}
	}
}

func TestARecordCountsByTheBytesOfItsAnswer(t *testing.T) {
	for bytes, want := range map[int]int64{0: 1, 60: 1, 1024: 2, 5000: 5} {
		r := &internalv1alpha1.IdempotencyRecord{}
		r.Keep(strings.Repeat("x", bytes))
		if got := internalv1alpha1.CountOf(r); got != want || len(r.Spec.Answer) != bytes {
			t.Errorf("a record with %d bytes counts as %d, want %d", bytes, got, want)
		}
	}
	odd := &internalv1alpha1.IdempotencyRecord{}
	odd.Annotations = map[string]string{internalv1alpha1.AnswerBytesAnnotation: "-5000"}
	if got := internalv1alpha1.CountOf(odd); got != 1 {
		t.Errorf("one with a wrong annotation counts as %d", got)
	}
}
