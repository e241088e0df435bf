//go:build e2e

package scale_test

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// sizesVariable is the environment variable with the numbers of articles; defaultSizes is its default.
	sizesVariable, defaultSizes = "SCALE", "3000,30000,100000"
	// oneVariable is that with the number of articles of the large account of TestOneLargeAccount: 0 leaves it out, and the default is the
	// largest number of SCALE.
	oneVariable = "SCALE_ONE"
	// accounts have the articles; with three Sites each, there are 600.
	accounts = 200
	// apiServerGOGC is that of kube-apiserver at all sizes: with its default of 100 it takes a fifth more memory.
	apiServerGOGC = "50"
)

// sizes returns the numbers of articles, in the order in which they are measured.
func sizes(t *testing.T) (all []int) {
	t.Helper()
	text := cmp.Or(os.Getenv(sizesVariable), defaultSizes)
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1000 {
			t.Fatalf("%s must be numbers of articles, each 1000 or more, with commas between them, and is %q", sizesVariable, text)
		}
		all = append(all, n)
	}
	return all
}

// forPrograms unsets what would change how the programs use memory: `make` sets it for compilers.
func forPrograms(t *testing.T) {
	t.Helper()
	for _, variable := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS"} {
		t.Setenv(variable, "") // has the value come back
		must(t, os.Unsetenv(variable))
	}
}

// TestScale prints the table of `make scale`. Nothing is asserted of a figure: the machine decides about it.
func TestScale(t *testing.T) {
	forPrograms(t)
	of := &table{}
	for _, size := range sizes(t) {
		if !t.Run(strconv.Itoa(size), func(t *testing.T) {
			of.sizes = append(of.sizes, size)
			measure(t, of, size)
		}) {
			break
		}
	}
	fmt.Printf("\nArticles of %d accounts with %d Sites each, kube-apiserver with GOGC=%s, %s, %d cores:\n\n%s\n",
		accounts, sitesPerAccount, apiServerGOGC, time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), of)
}

// measure measures Pressroom with so many articles.
func measure(t *testing.T, of *table, size int) {
	t.Helper()
	w := newWorld(t)
	all := w.createTemplates(t)
	var accountNames []string
	counts := map[string]int{}
	for i, n := range shares(size, accounts) {
		accountNames = append(accountNames, accountName(i))
		counts[accountName(i)] = n
	}
	w.createAccounts(t, accountNames, sitesPerAccount)
	w.createAccounts(t, []string{publisher}, publisherSites)
	largest := accountNames[0]
	for _, account := range accountNames[:generators] {
		w.createKey(t, account)
	}
	w.stopAll(t)
	must(t, w.Cluster.StartEtcd(t.Context()))
	began := time.Now()
	l, err := w.load(t.Context(), all, counts, largest)
	must(t, err)
	t.Logf("%d articles are loaded (%s)", l.articles, time.Since(began).Round(time.Second))
	must(t, w.Cluster.Etcd.Stop())
	// A controller that takes part in an election ends while kube-apiserver is away: the failover comes last.
	for _, m := range []struct {
		what    string
		measure func()
	}{
		{"starts", func() { w.measureStarts(t, of, l.articles) }},
		{"memory", func() { w.measureMemory(t, of) }},
		{"requests", func() { w.measureRequests(t, of, l, largest) }},
		{"generate", func() { w.measureGenerate(t, of, accountNames[:generators]) }},
		{"publishing", func() { w.measurePublishing(t, of) }},
		{"the restart of kube-apiserver", func() { w.measureRestart(t, of, largest) }},
		{"the failover", func() { w.measureFailover(t, of) }},
	} {
		began := time.Now()
		m.measure()
		w.awaitIdle(t)
		t.Logf("%s: %s", m.what, time.Since(began).Round(time.Second))
	}
}

// TestOneLargeAccount measures the requests of an account with 100 articles: alone, and beside an account with many, that sends requests
// too.
func TestOneLargeAccount(t *testing.T) {
	forPrograms(t)
	const small, large, few = "small", "large", 100
	many := slices.Max(sizes(t))
	if text := os.Getenv(oneVariable); text != "" {
		var err error
		many, err = strconv.Atoi(text)
		must(t, err)
	}
	if many == 0 {
		t.Skip(oneVariable + " is 0")
	}
	w := newWorld(t)
	all := w.createTemplates(t)
	w.createAccounts(t, []string{small, large}, sitesPerAccount)
	w.createKey(t, small)
	w.createKey(t, large)
	alone, beside := &table{sizes: []int{few}}, &table{sizes: []int{few}}
	start := func(counts map[string]int, noted string) loaded {
		w.stopAll(t)
		must(t, w.Cluster.StartEtcd(t.Context()))
		l, err := w.load(t.Context(), all, counts, noted)
		must(t, err)
		must(t, w.Cluster.StartAPIServer(t.Context()))
		w.connect(t)
		w.startFacade(t)
		must(t, w.StartController(t.Context()))
		w.awaitReconciled(t, l.articles)
		w.awaitIdle(t)
		return l
	}
	ofSmall := start(map[string]int{small: few}, small)
	w.measureRequests(t, alone, ofSmall, small)
	w.measureGenerate(t, alone, []string{small})
	ofLarge := start(map[string]int{large: many}, large)
	end := w.keepAsking(t, ofLarge, large)
	w.measureRequests(t, beside, ofSmall, small)
	w.measureGenerate(t, beside, []string{small})
	end()
	fmt.Printf("\nAn account with %d articles beside one with %s:\n\n", few, thousands(many))
	fmt.Print("| figure | alone | beside | ratio |\n|---|--:|--:|--:|\n")
	for i, f := range alone.figures {
		a, b := f.at(0), beside.figures[i].at(0)
		fmt.Printf("| %s, %s | %s | %s | %.2f |\n", f.name, f.unit, number(a), number(b), b/a)
	}
}
