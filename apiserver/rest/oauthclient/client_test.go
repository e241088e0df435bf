package oauthclient_test

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAnAppOfAnotherAccountIsNotThere(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.OAuth.Clients.(*operationtest.FakeClients).Clients["theirs"] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: "theirs"},
		Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "rival"}},
	}
	if list := api.Do(operationtest.Request{Path: operationtest.ClientsPath}); list.Status != http.StatusOK || strings.Contains(list.Raw, "theirs") {
		t.Errorf("got %d: %s", list.Status, list.Raw)
	}
	path := operationtest.ClientsPath + "/pr_ci_theirs"
	for _, r := range []operationtest.Request{{Path: path}, {Method: "DELETE", Path: path}, {Method: "POST", Path: path + "/rotate-secret"}} {
		operationtest.WantFailure(t, api.Do(r), 404, problem.CodeNotFound)
	}
}
