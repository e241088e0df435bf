//go:build e2e

package wordpress_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// A controller that is killed while it publishes to a real WordPress loses no article and makes no post twice. It needs bin/pressroom:
// `make crash-wordpress`.
func TestKilledAgainAndAgain(t *testing.T) {
	articles, kills := number(t, "PRESSROOM_WORDPRESS_ARTICLES"), number(t, "PRESSROOM_WORDPRESS_KILLS")
	if articles == 0 {
		t.Skip("`make crash-wordpress` kills the controller")
	}
	needWordPress(t)
	k := startKilling(t)
	for i := range articles {
		k.create(i)
	}
	began := time.Now()
	for i := range kills {
		k.awaitPublished((i + 1) * articles / (kills + 1))
		// The next requests of the attempts in progress take a few seconds.
		<-time.After(rand.N(2 * time.Second))
		if err := k.system.Controller.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := k.system.StartController(context.Background()); err != nil {
			t.Fatal(err)
		}
		if i%inARow == inARow-1 {
			k.awaitRetries()
		}
	}
	k.awaitPublished(articles)
	t.Logf("%d articles and %d kills took %s", articles, kills, time.Since(began).Round(time.Second))
	k.compare(articles)
	k.searchSecrets()
}

// inARow is how often the controller is killed before the attempts that were cut off may end: an article whose attempts are cut off four
// times is given up.
const inARow = 3

func number(t *testing.T, variable string) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv(variable))
	if os.Getenv(variable) != "" && err != nil {
		t.Fatal(err)
	}
	return n
}

// killing is a system whose controller is killed.
type killing struct {
	t      *testing.T
	system *system.System
	api    client.WithWatch
}

func startKilling(t *testing.T) *killing {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	free, err := ports.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := system.Start(context.Background(), system.Options{
		Root: root, Folder: filepath.Join(server.Folder, "system"), Ports: free,
		Say:            func(string, ...any) {},
		ControllerArgs: []string{"--retry-delays=1s,5s,20s"},
	})
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err == nil {
		err = s.ConnectWordPress(t.Context(), server.URL(), server.Author.Username, server.Author.Password, "Automatic")
	}
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), eventsv1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	api, err := client.NewWithWatch(s.Cluster.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return &killing{t: t, system: s, api: api}
}

func title(i int) string { return fmt.Sprintf("Shoes that survive number %03d", i) }

func (k *killing) create(i int) {
	k.t.Helper()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: fmt.Sprintf("killed-%03d", i)},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: system.WordPressSite}, Stage: v1alpha1.StagePublished,
			Content: &v1alpha1.ArticleContent{
				Title: title(i), Markdown: fmt.Sprintf("The body of number %03d.\n\n## Soles\n\nThey hold.", i),
				FAQ: []v1alpha1.FAQ{{Question: fmt.Sprintf("Does %03d survive?", i), Answer: "It does."}},
			},
		},
	}
	if err := k.api.Create(k.t.Context(), a); err != nil {
		k.t.Fatal(err)
	}
}

// awaitPublished waits until so many articles are published.
func (k *killing) awaitPublished(want int) {
	k.t.Helper()
	k.await(func(count map[string]int) bool { return count[v1alpha1.ReasonDelivered] >= want })
}

// awaitRetries waits until no attempt that was cut off is still to be repeated.
func (k *killing) awaitRetries() {
	k.t.Helper()
	k.await(func(count map[string]int) bool { return count[v1alpha1.ReasonRetryScheduled]+count[retrying] == 0 })
}

// retrying is counted for a retry in progress.
const retrying = "Retrying"

// await waits until the articles are done, which are counted by the reason of their condition Published.
func (k *killing) await(done func(count map[string]int) bool) {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.t.Context(), 30*time.Minute)
	defer cancel()
	for {
		count := map[string]int{}
		version := k.list(func(a *v1alpha1.Article) {
			c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished)
			if c == nil {
				return
			}
			count[c.Reason]++
			if c.Reason == v1alpha1.ReasonDelivering && len(a.Status.Publication.Attempts) > 1 {
				count[retrying]++
			}
			if c.Reason == v1alpha1.ReasonExhausted {
				k.t.Fatalf("%s was given up: %+v", a.Name, a.Status.Publication.Attempts)
			}
		})
		if done(count) {
			return
		}
		if err := k.awaitChange(ctx, version); err != nil {
			k.t.Fatalf("%v: %v", count, err)
		}
	}
}

// list calls f for each article of the site.
func (k *killing) list(f func(*v1alpha1.Article)) (version string) {
	k.t.Helper()
	var all v1alpha1.ArticleList
	if err := k.api.List(k.t.Context(), &all, client.InNamespace(system.Workspace)); err != nil {
		k.t.Fatal(err)
	}
	for i := range all.Items {
		if all.Items[i].Spec.SiteRef.Name == system.WordPressSite {
			f(&all.Items[i])
		}
	}
	return all.ResourceVersion
}

// awaitChange waits until an article has changed since a version.
func (k *killing) awaitChange(ctx context.Context, version string) error {
	watch, err := k.api.Watch(ctx, &v1alpha1.ArticleList{}, client.InNamespace(system.Workspace), &client.ListOptions{
		Raw: &metav1.ListOptions{ResourceVersion: version},
	})
	if err != nil {
		return err
	}
	defer watch.Stop()
	if _, ok := <-watch.ResultChan(); !ok && ctx.Err() != nil {
		return errors.Join(errors.New("nothing happens"), ctx.Err())
	}
	return nil
}

// compare holds what WordPress has against what status says, and reads every page.
func (k *killing) compare(want int) {
	k.t.Helper()
	all, byID, slugs := posts(k.t), map[string]stored{}, map[string]bool{}
	for _, p := range all {
		if byID[id(p)], slugs[p.Slug] = p, true; p.Status != "publish" {
			k.t.Errorf("post %d is %s", p.ID, p.Status)
		}
	}
	interrupted, i := 0, 0
	k.list(func(a *v1alpha1.Article) {
		publication := a.Status.Publication
		p, ok := byID[publication.Post.ExternalID]
		if !ok || p.Slug != a.Status.Slug || publication.Post.Slug != "" || p.Title != a.Spec.Content.Title {
			k.t.Errorf("%s: status has post %s, slug %s, and WordPress %+v", a.Name, publication.Post.ExternalID, a.Status.Slug, p)
		}
		for _, attempt := range publication.Attempts {
			if attempt.Outcome == v1alpha1.AttemptUnknown {
				interrupted++
			}
		}
		n := strings.TrimPrefix(a.Name, "killed-")
		shows(k.t, publication.Post.URL, a.Spec.Content.Title+"</h1>", "The body of number "+n+".", "Does "+n+" survive?")
		i++
	})
	k.t.Logf("%d articles, %d posts, %d slugs; %d attempts were cut off", i, len(all), len(slugs), interrupted)
	if i != want || len(all) != want || len(slugs) != want {
		k.t.Errorf("want %d of each", want)
	}
}
