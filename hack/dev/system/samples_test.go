package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// The samples must fit what is started: `make run` finds the site, the workspace and the account by these names, and a person
// who applies the samples by hand must reach the receiver on its default port.
func TestTheSamplesFitWhatIsStarted(t *testing.T) {
	samples := filepath.Join("..", "..", "..", "config", "samples")
	site := sample(t, filepath.Join(samples, "site.yaml"))
	if site.GetName() != SiteName || site.GetNamespace() != Workspace {
		t.Errorf("the Site is %s/%s, want %s/%s", site.GetNamespace(), site.GetName(), Workspace, SiteName)
	}
	url, _, err := unstructured.NestedString(site.Object, "spec", "cms", "headless", "url")
	if err != nil || url != "http://127.0.0.1:8088/webhook" {
		t.Errorf("the Site's url is %q, %v, want the receiver's default", url, err)
	}
	workspace := sample(t, filepath.Join(samples, "workspace.yaml"))
	if workspace.GetName() != Workspace || workspace.GetLabels()["pressroom.dev/account"] != Account {
		t.Errorf("the workspace is %s of %v, want %s of %s", workspace.GetName(), workspace.GetLabels(), Workspace, Account)
	}
	article := sample(t, filepath.Join(samples, "article.yaml"))
	if article.GetKind() != "Article" || article.GetNamespace() != Workspace {
		t.Errorf("article.yaml is a %s in %s", article.GetKind(), article.GetNamespace())
	}
}

func sample(t *testing.T, file string) *unstructured.Unstructured {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(data, &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestAKeyIsFoundInWhatThePersonSees(t *testing.T) {
	const key = "pr_ak_abcdefgh234567ab_0123456789ABCDEFabcdef"
	for _, text := range []string{key, key + "\n", "Key: " + key + "\nKeep it: it is shown once.", `{"key":"` + key + `"}`} {
		if got := keys.FindString(text); got != key {
			t.Errorf("in %q found %q, want %q", text, got, key)
		}
	}
	if got := keys.FindString(strings.Replace(key, "pr_ak_", "pr_at_", 1)); got != "" {
		t.Errorf("found %q, which is no API key", got)
	}
}
