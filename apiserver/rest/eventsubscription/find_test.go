package eventsubscription_test

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestASubscriptionIsFoundByItsUIDByThoseWhoMaySeeIt(t *testing.T) {
	api := operationtest.New(t)
	byHand := &v1alpha1.EventSubscription{ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.Workspace, Name: "by-hand"}}
	ofApp := &v1alpha1.EventSubscription{ObjectMeta: metav1.ObjectMeta{
		Namespace: operationtest.Workspace, Name: "0198f0a1-0000-7000-8000-00000000000d", Labels: map[string]string{v1alpha1.ClientLabel: "tool"},
	}}
	foreign := &v1alpha1.EventSubscription{ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.OtherWorkspace, Name: "0198f0a1-0000-7000-8000-00000000000e"}}
	api.Objects.Add(byHand, ofApp, foreign)
	named := identity.UID(identity.KindEventSubscription, operationtest.Workspace, byHand.Name)
	for _, tt := range []struct {
		name, uid, key string
		wantStatus     int
	}{
		{"one that kubectl named", named, operationtest.RightKey, http.StatusOK},
		{"one that kubectl named, for an app", named, operationtest.AppToken, http.StatusNotFound},
		{"that of an app, for the account", ofApp.Name, operationtest.RightKey, http.StatusOK},
		{"that of an app, for the app", ofApp.Name, operationtest.AppToken, http.StatusOK},
		{"that of another workspace", foreign.Name, operationtest.RightKey, http.StatusNotFound},
		{"none", operationtest.AnyUID, operationtest.RightKey, http.StatusNotFound},
		{"a name", byHand.Name, operationtest.RightKey, http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := api.Do(operationtest.Request{Path: subscriptionsPath + "/" + tt.uid, Key: tt.key})
			if got.Status != tt.wantStatus {
				t.Errorf("got %d, want %d: %s", got.Status, tt.wantStatus, got.Raw)
			}
		})
	}
	for _, method := range []string{"test", "rotate-secret", "recover", "deliveries/" + operationtest.AnyUID + "/redeliver"} {
		r := operationtest.Request{Method: http.MethodPost, Path: subscriptionsPath + "/" + operationtest.AnyUID + "/" + method}
		if method == "recover" {
			r.Body = `{"since":"2026-11-20T09:00:00Z"}`
		}
		operationtest.WantFailure(t, api.Do(r), http.StatusNotFound, problem.CodeNotFound)
	}
}
