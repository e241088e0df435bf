package operation_test

import (
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// A client goes on with the uid of a site at once, perhaps at another replica than that which created it.
func TestASiteThatTheIndexDoesNotHaveYetCanBeNamed(t *testing.T) {
	const created, ended, madeUp = "0198f0a1-0000-7000-8000-0000000000c1", "0198f0a1-0000-7000-8000-0000000000c2", "0198f0a1-0000-7000-8000-0000000000c3"
	api := operationtest.New(t)
	for _, uid := range []string{created, ended} {
		site := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.Workspace, Name: uid}}
		site.Spec.Domain, site.Spec.CMS.Type = "new.example.com", v1alpha1.CMSNone
		if uid == ended {
			site.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		}
		if err := api.Objects.Create(t.Context(), site); err != nil {
			t.Fatal(err)
		}
	}
	for uid, want := range map[string]int{created: http.StatusAccepted, ended: http.StatusBadRequest, madeUp: http.StatusBadRequest} {
		got := api.Do(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/generate", Body: `{"site_uid":"` + uid + `","keyword":"huts"}`})
		if got.Status != want {
			t.Errorf("%s: got %d: %s", uid, got.Status, got.Raw)
		}
		if want != http.StatusAccepted {
			operationtest.WantFailure(t, got, want, problem.CodeValidation)
		}
	}
}

// That kube-apiserver does not answer is no fault of the uid: the client tries again.
func TestASiteThatCannotBeReadIsNotCalledUnknown(t *testing.T) {
	api := operationtest.New(t)
	api.Objects.Err = apierrors.NewServiceUnavailable("etcd has no leader")
	got := api.Do(operationtest.Request{
		Method: http.MethodPost, Path: "/v1/api/generate", Body: `{"site_uid":"0198f0a1-0000-7000-8000-0000000000c4","keyword":"huts"}`,
	})
	operationtest.WantFailure(t, got, http.StatusServiceUnavailable, problem.CodeUnavailable)
}
