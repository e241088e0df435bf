package index_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	review    = v1alpha1.PhaseReview
	published = v1alpha1.PhasePublished
	scheduled = v1alpha1.PhaseScheduled
	approved  = v1alpha1.PhaseApproved
)

func newIndex() (*index.Index, *clocktesting.FakePassiveClock) {
	clock := clocktesting.NewFakePassiveClock(start)
	return index.New(clock), clock
}

// article number n of a workspace: the higher the number, the younger.
func article(workspace string, n int, site string, phase v1alpha1.ArticlePhase) *v1alpha1.Article {
	a := &v1alpha1.Article{}
	a.Namespace, a.Name = workspace, fmt.Sprintf("a%06d", n)
	a.UID = types.UID(workspace + "/" + a.Name)
	a.ResourceVersion = strconv.Itoa(1000 + n)
	a.CreationTimestamp = metav1.NewTime(start.Add(time.Duration(n-1_000_000) * time.Second))
	a.Spec.SiteRef.Name = site
	a.Status.Phase = phase
	return a
}

// next is a later state of an object.
func next(a *v1alpha1.Article, change func(*v1alpha1.Article)) *v1alpha1.Article {
	b := a.DeepCopy()
	rv, err := strconv.Atoi(a.ResourceVersion)
	if err != nil {
		rv = 0
	}
	b.ResourceVersion = strconv.Itoa(rv + 1_000_000)
	change(b)
	return b
}

func site(workspace, name string, age time.Duration) *v1alpha1.Site {
	s := &v1alpha1.Site{}
	s.Namespace, s.Name = workspace, name
	s.UID = types.UID(workspace + "/" + name)
	s.ResourceVersion = "5"
	s.CreationTimestamp = metav1.NewTime(start.Add(-age))
	return s
}

func namespace(name, account, version string) *metav1.PartialObjectMetadata {
	n := index.NamespaceMetadata()
	n.Name, n.ResourceVersion = name, version
	n.CreationTimestamp = metav1.NewTime(start)
	if account != "" {
		n.Labels = map[string]string{v1alpha1.AccountLabel: account}
	}
	return n
}

func names(items []index.Article) []string {
	out := make([]string, 0, len(items))
	for _, i := range items {
		out = append(out, i.Object.Name)
	}
	return out
}

func siteNames(sites []index.Site) []string {
	out := make([]string, 0, len(sites))
	for _, s := range sites {
		out = append(out, s.Workspace+"/"+s.Object.Name)
	}
	return out
}

func workspaceNames(list []index.Workspace) []string {
	out := make([]string, 0, len(list))
	for _, w := range list {
		out = append(out, w.Name)
	}
	return out
}

func wantStrings(t *testing.T, what string, got, want []string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
