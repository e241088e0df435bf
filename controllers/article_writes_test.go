package controllers

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func TestAnArticleIsSeenOnceTheCacheShowsTheLastWrite(t *testing.T) {
	writes := newOwnWrites()
	article := func(version string) *v1alpha1.Article {
		return &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: "shoes", ResourceVersion: version}}
	}
	expect := func(version string, want bool) {
		t.Helper()
		if got := writes.seen(article(version)); got != want {
			t.Errorf("at version %s the write is seen: %t, want %t", version, got, want)
		}
	}
	expect("7", true)
	writes.wrote(article("100"))
	expect("99", false)
	expect("99", false)
	expect("101", true)
	if len(writes.versions) != 0 {
		t.Error("a write that was seen stays in memory")
	}
	expect("99", true)

	writes.wrote(article("200"))
	expect("not a number", true)

	writes.wrote(article("300"))
	writes.forget(client.ObjectKeyFromObject(article("")))
	expect("250", true)
}
