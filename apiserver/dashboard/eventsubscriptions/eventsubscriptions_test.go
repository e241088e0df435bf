package eventsubscriptions_test

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

// withSubscription signs a person in whose workspace has a subscription. It returns the path of the page of the subscription.
func withSubscription(t *testing.T, scopes ...v1alpha1.Scope) (*pagetest.Person, string) {
	t.Helper()
	p := pagetest.SignIn(t, scopes...)
	p.API.Objects.Add(&v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: operationtest.Workspace, Name: operationtest.AnyUID, CreationTimestamp: metav1.NewTime(operationtest.Began),
		},
		Spec: v1alpha1.EventSubscriptionSpec{
			URL: hook, Events: []v1alpha1.EventSelector{"Failed"}, SiteRef: &v1alpha1.LocalReference{Name: operationtest.SiteUID},
		},
	})
	return p, pagetest.In("events", operationtest.AnyUID)
}

func TestTheListSaysWhatIsSentWhere(t *testing.T) {
	p, one := withSubscription(t)
	list := p.Get(pagetest.In("events"))
	p.Want(list, http.StatusOK, map[string]string{"tbody tr": hook, "tbody tr td:nth-child(2)": "Generating or delivering an article failed", "tbody tr td:nth-child(3)": "blog.example.com"})
	if got := list.Links("tbody a"); len(got) != 1 || got[0] != one {
		t.Errorf("the row leads to %v, want %s", got, one)
	}
}

func TestASubscriptionIsOnlyShownToThoseWhoMayNotWrite(t *testing.T) {
	p, one := withSubscription(t, v1alpha1.ScopeRead)
	page := p.Get(one)
	p.Want(page, http.StatusOK, map[string]string{"h1": "Events to " + hook})
	if got := page.Find("main form").Length() + p.Get(pagetest.In("events")).Find("main a[href$='/new']").Length(); got != 0 {
		t.Errorf("%d ways to change something are offered", got)
	}
	for _, path := range []string{pagetest.In("events", "new"), one + "/edit"} {
		p.Want(p.Get(path), http.StatusForbidden, nil)
	}
}

func TestASubscriptionThatIsNotThereIsNotFound(t *testing.T) {
	p := pagetest.SignIn(t)
	p.Want(p.Get(pagetest.In("events", operationtest.AnyUID)), http.StatusNotFound, nil)
}
