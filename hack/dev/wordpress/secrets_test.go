//go:build e2e

package wordpress_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// searchSecrets looks for the password of the WordPress user in every log of the system, and in all Sites, Articles, revisions, Posts and
// Events.
func (k *killing) searchSecrets() {
	k.t.Helper()
	var secrets []string
	for _, password := range []string{server.Author.Password, strings.ReplaceAll(server.Author.Password, " ", "")} {
		secrets = append(secrets, password, base64.StdEncoding.EncodeToString([]byte(server.Author.Username+":"+password)))
	}
	logs, err := filepath.Glob(filepath.Join(k.system.Folder, "logs", "*.log"))
	if err != nil || len(logs) == 0 {
		k.t.Fatalf("there are no logs: %v", err)
	}
	for _, log := range logs {
		data, err := os.ReadFile(log)
		if err != nil {
			k.t.Fatal(err)
		}
		hasNone(k.t, log, string(data), secrets)
	}
	for kind, list := range map[string]client.ObjectList{
		"Sites": &v1alpha1.SiteList{}, "Articles": &v1alpha1.ArticleList{}, "ArticleRevisions": &v1alpha1.ArticleRevisionList{},
		"Posts": &v1alpha1.PostList{}, "Events": &eventsv1.EventList{},
	} {
		if err := k.api.List(k.t.Context(), list); err != nil {
			k.t.Fatal(err)
		}
		data, err := json.Marshal(list)
		if err != nil {
			k.t.Fatal(err)
		}
		hasNone(k.t, kind, string(data), secrets)
	}
}

func hasNone(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the password is in %s", where)
		}
	}
}
