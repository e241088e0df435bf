package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMinorOf(t *testing.T) {
	tests := []struct {
		text, want string
		wantOK     bool
	}{
		{"Kubernetes v1.37.1\n", "v1.37", true},
		{"Kubernetes v1.38.0-alpha.1+0123456", "v1.38", true},
		{"Kubernetes v2", "", false},
		{"etcd Version: 3.7.0", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got, ok := minorOf(tt.text); got != tt.want || ok != tt.wantOK {
			t.Errorf("minorOf(%q) = %q, %t, want %q, %t", tt.text, got, ok, tt.want, tt.wantOK)
		}
	}
}

func fill(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestAssetsComeFirstAndWhatTheyLackIsTakenFromBin(t *testing.T) {
	assets := fill(t, "etcd", "kube-apiserver", "kubectl")
	built := fill(t, "etcd", "kube-apiserver", "kubectl", "kube-controllers")
	b, err := FindBinaries(assets, built)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(b.APIServer) != assets || filepath.Dir(b.Etcd) != assets || filepath.Dir(b.Kubectl) != assets {
		t.Errorf("binaries = %+v, want those of the assets", b)
	}
	if filepath.Dir(b.Controllers) != built {
		t.Errorf("kube-controllers = %s, want the one that is built", b.Controllers)
	}
}

func TestAMissingBinaryIsNamedWithTheWayToGetIt(t *testing.T) {
	_, err := FindBinaries("", fill(t, "etcd", "kube-apiserver", "kubectl"))
	if err == nil || !strings.Contains(err.Error(), "kube-controllers") || !strings.Contains(err.Error(), "make control-plane") {
		t.Errorf("err = %v, want one that names kube-controllers and make control-plane", err)
	}
}
