//go:build e2e

package scale_test

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const (
	// patience bounds what a busy machine may take for a step.
	patience = 20 * time.Minute
	// Each account has one workspace, which has its name, with so many Sites.
	sitesPerAccount = 3
	// publisher is the account whose articles are published while it is measured, and so many Sites that it has.
	publisher, publisherSites = "publisher", 8
	// secretName is the Secret that requests to Sites are signed with.
	secretName = "webhook"
)

// world is Pressroom with many accounts. kube-controllers does not run: what it keeps in memory is not Pressroom's.
type world struct {
	*system.System
	api      client.WithWatch
	receiver *receiver
	// keys are API keys of accounts, by name. All have all scopes.
	keys map[string]string
	// sites are all Sites as kube-apiserver has them, by name.
	sites map[string]*v1alpha1.Site
}

// newWorld starts Pressroom with the samples alone.
func newWorld(t *testing.T) *world {
	t.Helper()
	// Sockets have short paths: t.TempDir has the name of the test in its own.
	folder, err := os.MkdirTemp("", "pressroom-scale") //nolint:usetesting // see above
	must(t, err)
	root, err := filepath.Abs("../..")
	must(t, err)
	free, err := ports.Free(t.Context())
	must(t, err)
	w := &world{System: &system.System{}, receiver: newReceiver(), keys: map[string]string{}}
	// The test's context has ended when this runs.
	t.Cleanup(func() {
		w.receiver.close()
		must(t, errors.Join(w.Stop(), os.RemoveAll(folder)))
	})
	w.System, err = system.Start(t.Context(), system.Options{
		Root: root, Folder: folder, Ports: free, Say: t.Logf, APIServerEnv: []string{"GOGC=" + apiServerGOGC},
	})
	must(t, err)
	w.connect(t)
	return w
}

// connect makes the client of the administrator.
func (w *world) connect(t *testing.T) {
	t.Helper()
	scheme := runtime.NewScheme()
	must(t, errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)))
	config := w.Cluster.Config()
	config.QPS, config.Burst = 1000, 2000
	var err error
	w.api, err = client.NewWithWatch(config, client.Options{Scheme: scheme})
	must(t, err)
}

// accountName is that of an account of a number, and of its workspace.
func accountName(i int) string { return fmt.Sprintf("account-%03d", i) }

// siteName is that of a Site in any workspace.
func siteName(account string, i int) string { return fmt.Sprintf("%s-site-%d", account, i) }

// createAccounts creates accounts with their workspaces and Sites, and waits until the controller has made their ledgers.
func (w *world) createAccounts(t *testing.T, names []string, sites int) {
	t.Helper()
	const most = 1_000_000
	must(t, inParallel(names, func(name string) error {
		account := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.AccountSpec{Limits: v1alpha1.AccountLimits{
			ArticlesPerSitePerDay: new(int32(most)), Articles: new(int32(most)), UnpublishedArticles: new(int32(most)),
		}}}
		workspace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1alpha1.AccountLabel: name}}}
		secret := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: secretName},
			StringData: map[string]string{"signingSecret": "a long random string of this measurement's"},
		}
		for _, o := range []client.Object{account, workspace, secret} {
			if err := w.api.Create(t.Context(), o); err != nil {
				return err
			}
		}
		for i := range sites {
			if err := w.api.Create(t.Context(), w.site(name, siteName(name, i))); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, name := range names {
		await(t, "the ledger of "+name, func() bool {
			err := w.api.Get(t.Context(), client.ObjectKey{Name: name}, &v1alpha1.AccountLedger{})
			must(t, client.IgnoreNotFound(err))
			return err == nil
		})
	}
	w.awaitIdle(t)
	w.sites = map[string]*v1alpha1.Site{}
	var list v1alpha1.SiteList
	must(t, w.api.List(t.Context(), &list))
	for i := range list.Items {
		w.sites[list.Items[i].Name] = &list.Items[i]
	}
}

// site is one that the receiver stands for.
func (w *world) site(workspace, name string) *v1alpha1.Site {
	return &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: name},
		Spec: v1alpha1.SiteSpec{
			Domain: name + ".example",
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: w.receiver.url(name), SigningSecretRef: v1alpha1.SecretKeyReference{Name: secretName, Key: "signingSecret"},
			}},
		},
	}
}

// createKey makes an API key of an account.
func (w *world) createKey(t *testing.T, account string) {
	t.Helper()
	c, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
	must(t, err)
	must(t, w.api.Create(t.Context(), &v1alpha1.APIKey{
		ObjectMeta: metav1.ObjectMeta{Name: c.ID},
		Spec: v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: account}, SecretHash: c.Hash(),
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove, v1alpha1.ScopeManage},
		},
	}))
	w.keys[account] = c.Reveal()
}

// stopAll stops all programs, and makes the control plane again, of which nothing runs.
func (w *world) stopAll(t *testing.T) {
	t.Helper()
	must(t, w.Stop())
	var err error
	w.Group, err = process.NewGroup()
	must(t, err)
	w.Cluster, err = cluster.New(w.ClusterOptions())
	must(t, err)
}

func (w *world) startFacade(t *testing.T) {
	t.Helper()
	var err error
	w.APIServer, err = w.StartReplica(t.Context(), "pressroom-apiserver", w.Ports)
	must(t, err)
}

// awaitIdle waits until the controller has nothing to do.
func (w *world) awaitIdle(t *testing.T) {
	t.Helper()
	idle := 0
	await(t, "the controller to be idle", func() bool {
		if w.metric(w.Ports.ControllerMetrics, "workqueue_depth{")+w.metric(w.Ports.ControllerMetrics, "controller_runtime_active_workers{") > 0 {
			idle = 0
		}
		idle++
		return idle > 5
	})
}

// metric returns the sum of the metrics of a program whose lines begin so; 0 if it does not answer.
func (w *world) metric(port int, start string, having ...string) float64 {
	answer, err := http.Get(ports.URL(port) + "/metrics")
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	sum := 0.0
	lines := bufio.NewScanner(answer.Body)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, start) || !containsAll(line, having) {
			continue
		}
		if value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64); err == nil {
			sum += value
		}
	}
	return sum
}

func containsAll(line string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(line, part) {
			return false
		}
	}
	return true
}

// writes returns how many requests the controller has made of kube-apiserver that change something.
func (w *world) writes() float64 {
	sum := 0.0
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		sum += w.metric(w.Ports.ControllerMetrics, "rest_client_requests_total{", `method="`+method+`"`)
	}
	return sum
}

// shares returns how many articles of all each account has: the largest first, each as many as the first one divided by its rank, as the
// sizes of customers are (Zipf's law).
func shares(articles, accounts int) []int {
	total := 0.0
	for i := range accounts {
		total += 1 / float64(i+1)
	}
	counts, left := make([]int, accounts), articles
	for i := range counts {
		counts[i] = min(int(math.Round(float64(articles)/total/float64(i+1))), left)
		left -= counts[i]
	}
	counts[0] += left
	return counts
}

// uidOf is the uid of a Site over REST.
func uidOf(workspace, site string) string { return identity.UID(identity.KindSite, workspace, site) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// await asks again and again until something is so.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !is() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited too long for %s", what)
		case <-t.Context().Done():
			t.Fatalf("interrupted while waiting for %s", what)
		}
	}
}

// inParallel does something for each name, several at once.
func inParallel(names []string, do func(name string) error) error {
	const workers = 8
	next := make(chan string, len(names))
	for _, name := range names {
		next <- name
	}
	close(next)
	var all sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for range workers {
		all.Go(func() {
			for name := range next {
				if err := do(name); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// names are so many of one kind.
func names(kind string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%d", kind, i)
	}
	return all
}
