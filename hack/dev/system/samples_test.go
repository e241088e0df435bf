package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func read(t *testing.T, manifest string) *unstructured.Unstructured {
	t.Helper()
	objects, err := decode(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 1 {
		t.Fatalf("decoded %d objects, want 1", len(objects))
	}
	return objects[0]
}

func TestAHeadlessSiteIsPointedAtTheReceiver(t *testing.T) {
	const receiver = "http://127.0.0.1:9999/webhook"
	tests := []struct{ name, manifest, want string }{
		{"headless", "kind: Site\nspec: {cms: {headless: {url: 'http://127.0.0.1:8088/webhook'}}}", receiver},
		{"pulled", "kind: Site\nspec: {cms: {type: None}}", ""},
		{"no site", "kind: Article\nspec: {cms: {headless: {url: 'http://127.0.0.1:8088/webhook'}}}", "http://127.0.0.1:8088/webhook"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			object := read(t, tt.manifest)
			if err := pointAt(object, receiver); err != nil {
				t.Fatal(err)
			}
			got, _, err := unstructured.NestedString(object.Object, "spec", "cms", "headless", "url")
			if err != nil || got != tt.want {
				t.Errorf("url = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestDecodeSkipsEmptyDocuments(t *testing.T) {
	objects, err := decode("---\n# nothing\n---\nkind: A\n---\nkind: B\n")
	if err != nil || len(objects) != 2 || objects[0].GetKind() != "A" || objects[1].GetKind() != "B" {
		t.Errorf("decode = %v, %v, want A and B", objects, err)
	}
}

// The samples must fit what is started: `make run` finds the site, the workspace and the account by these names, and a person
// who applies the samples by hand must reach the receiver on its default port.
func TestTheSamplesFitWhatIsStarted(t *testing.T) {
	samples := filepath.Join("..", "..", "..", "config", "samples")
	site := sample(t, filepath.Join(samples, "site.yaml"))
	if site.GetName() != SiteName || site.GetNamespace() != Workspace {
		t.Errorf("the Site is %s/%s, want %s/%s", site.GetNamespace(), site.GetName(), Workspace, SiteName)
	}
	url, _, err := unstructured.NestedString(site.Object, "spec", "cms", "headless", "url")
	if err != nil || url != "http://127.0.0.1:8088"+webhookPath {
		t.Errorf("the Site's url is %q, %v, want the receiver's default", url, err)
	}
	workspace := sample(t, filepath.Join(samples, "workspace.yaml"))
	if workspace.GetName() != Workspace || workspace.GetLabels()["pressroom.dev/account"] != Account {
		t.Errorf("the workspace is %s of %v, want %s of %s", workspace.GetName(), workspace.GetLabels(), Workspace, Account)
	}
	article := sample(t, filepath.Join(samples, "article.yaml"))
	if article.GetKind() != articleKind || article.GetNamespace() != Workspace {
		t.Errorf("article.yaml is a %s in %s", article.GetKind(), article.GetNamespace())
	}
}

func sample(t *testing.T, file string) *unstructured.Unstructured {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(data))
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
