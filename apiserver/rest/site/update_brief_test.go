package site_test

import (
	"net/http"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestASiteNamesABriefByItsUID(t *testing.T) {
	api := operationtest.New(t)
	api.Brief("trail", v1alpha1.BriefSpec{Facts: []string{"a"}})
	api.Objects.Add(api.Site(operationtest.Workspace, operationtest.SiteUID))
	trail := identity.UID(identity.KindBrief, operationtest.Workspace, "trail")
	change := func(body string) operationtest.Request {
		return operationtest.Request{Method: http.MethodPatch, Path: "/v1/api/sites/" + operationtest.SiteUID, Key: operationtest.ManagerKey, Body: body}
	}
	named := func() string {
		site := &v1alpha1.Site{}
		if err := api.Objects.Get(t.Context(), client.ObjectKey{Namespace: operationtest.Workspace, Name: operationtest.SiteUID}, site); err != nil {
			t.Fatal(err)
		}
		if site.Spec.BriefRef == nil {
			return ""
		}
		return site.Spec.BriefRef.Name
	}
	for _, step := range []struct{ body, want, shown string }{
		{`{"brief_uid":"` + trail + `"}`, "trail", trail}, {`{"name":"Blog"}`, "trail", trail},
		{`{"brief_uid":"","expected":{"brief_uid":"` + trail + `"}}`, "", ""}, {`{"brief_uid":null}`, "", ""},
	} {
		if got := api.Do(change(step.body)); got.Status != http.StatusOK || got.Text("brief_uid") != step.shown || named() != step.want {
			t.Errorf("%s: got %d, the site names %q: %s", step.body, got.Status, named(), got.Raw)
		}
	}
	operationtest.WantFields(t, api.Do(change(`{"brief_uid":"`+operationtest.AnyUID+`"}`)), "brief_uid")
	operationtest.WantFields(t, api.Do(change(`{"brief_uid":"trail"}`)), "brief_uid")
}
