package v1alpha1_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func TestATimeOfCreationThatCannotBeIsIgnored(t *testing.T) {
	created := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for annotation, wantKept := range map[string]bool{
		"2026-11-20T09:00:00.123Z": true, "2026-11-20T09:00:04.999Z": true, "2026-11-20T08:59:56Z": true,
		"2020-01-01T00:00:00Z": true, "2026-11-20T09:00:06Z": false, "soon": false, "": false,
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{
			CreationTimestamp: metav1.NewTime(created), Annotations: map[string]string{v1alpha1.CreatedAtAnnotation: annotation},
		}}
		site := &v1alpha1.Site{ObjectMeta: a.ObjectMeta}
		if kept := !a.CreatedAt().Equal(created); kept != wantKept || !site.CreatedAt().Equal(a.CreatedAt()) {
			t.Errorf("%q: kept %t, want %t; of a site %s", annotation, kept, wantKept, site.CreatedAt())
		}
	}
}
