package article_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// The names come from the credential, whatever a request says.
func TestATextIsRecordedWithTheNameOfWhoWroteOrAskedForIt(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithRevisions(1, 2)
	a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	name := func(annotation string) string {
		_, name, _ := strings.Cut(api.Stored(a).Annotations[annotation], " ")
		return name
	}
	send := func(key, method, path, body string) {
		t.Helper()
		api.Into(operationtest.Request{Method: method, Path: "/v1/api/blogs/" + a.Name + path, Body: body, Key: key}, nil)
	}
	for _, tt := range []struct {
		what, key, method, path, body, edited, requested string
	}{
		{"a decision", operationtest.RightKey, http.MethodPost, "/reject", `{"note":"no"}`, "", ""},
		{"an edit", operationtest.RightKey, http.MethodPatch, "", `{"content_markdown":"One hut."}`, "Mara", ""},
		{"an edit by another", operationtest.OtherApproverKey, http.MethodPatch, "", `{"title":"Cabins"}`, "Jo", ""},
		{"what changes nothing", operationtest.RightKey, http.MethodPatch, "", `{"title":"Cabins"}`, "Jo", ""},
		{"another request", operationtest.RightKey, http.MethodPatch, "", `{"target_keyword":"huts"}`, "Jo", "Mara"},
		{"an app", operationtest.AppToken, http.MethodPatch, "", `{"title":"Shelters"}`, "Mara (app tool)", "Mara"},
	} {
		send(tt.key, tt.method, tt.path, tt.body)
		if edited, requested := name(v1alpha1.EditedByAnnotation), name(v1alpha1.RequestedByAnnotation); edited != tt.edited || requested != tt.requested {
			t.Errorf("%s: edited by %q and asked for by %q, want %q and %q", tt.what, edited, requested, tt.edited, tt.requested)
		}
	}
	send(operationtest.OtherApproverKey, http.MethodPost, "/revisions/1/restore", "")
	if by := maker.Editor(api.Stored(a)); by == nil || by.Name != "Jo" || by.Restored != 1 {
		t.Errorf("a restored text is recorded as that of %+v", by)
	}
}

func TestAnArticleRecordsWhoCreatedAndChangedIt(t *testing.T) {
	api := operationtest.New(t)
	const text = `{"site_uid":"` + operationtest.SiteUID + `","title":"Shoes","content_markdown":"Run.","draft":true}`
	for name, key := range map[string]string{"k1": operationtest.RightKey, "Mara (app tool)": operationtest.AppToken} {
		for path, body := range map[string]string{
			"/v1/api/blogs": text, "/v1/api/generate": `{"site_uid":"` + operationtest.SiteUID + `","keyword":"trail shoes"}`,
		} {
			var made struct {
				UID     string `json:"uid"`
				BlogUID string `json:"blog_uid"`
			}
			api.Into(operationtest.Request{Method: http.MethodPost, Path: path, Body: body, Key: key}, &made)
			a := api.Objects.Articles[client.ObjectKey{Namespace: operationtest.Workspace, Name: made.UID + made.BlogUID}]
			if got := a.Annotations[v1alpha1.CreatedByAnnotation]; got != name {
				t.Errorf("%s with %s: created by %q, want %q", path, key, got, name)
			}
		}
	}
	a := api.Article(nil)
	change := func(key, keyword string) string {
		body := fmt.Sprintf(`{"title":%q}`, keyword)
		api.Into(operationtest.Request{Method: http.MethodPatch, Path: "/v1/api/blogs/" + a.Name, Body: body, Key: key}, nil)
		return api.Stored(a).Annotations[v1alpha1.ChangedByAnnotation]
	}
	for _, tt := range []struct{ name, key, title, want string }{
		{"the first", operationtest.RightKey, "one", "k1"},
		{"another", operationtest.WriterKey, "two", "k7,k1"},
		{"one who changes nothing", operationtest.RightKey, "two", "k7,k1"},
		{"the first again", operationtest.RightKey, "three", "k1,k7"},
	} {
		if got := change(tt.key, tt.title); got != tt.want {
			t.Errorf("%s: changed by %q, want %q", tt.name, got, tt.want)
		}
	}
	stored := api.Objects.Articles[client.ObjectKeyFromObject(a)]
	stored.Annotations[v1alpha1.ChangedByAnnotation] = strings.Repeat("x", 60) + "," + strings.Repeat("y", 66)
	if got := change(operationtest.WriterKey, "four"); got != "k7,"+strings.Repeat("x", 60) {
		t.Errorf("changed by %q, want no more than fits into %d bytes", got, v1alpha1.MaxNonceBytes)
	}
}
