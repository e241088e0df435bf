package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/informers"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
)

type controllerFlags struct {
	metricsAddress, healthAddress string
	leaderElect, suspend          bool

	generatorType, generatorModel, generatorURL, generatorKeyFile string
	generatorPrivate                                              bool
	generatorPrices                                               priceFlags

	appURL      string
	retryDelays []time.Duration

	egress  egressFlags
	slots   slotFlags
	kubeAPI kubeAPIFlags
}

func newControllerCommand() *cobra.Command {
	f := &controllerFlags{}
	cmd := &cobra.Command{
		Use:   "controller",
		Short: "Run the operator: generation, review, publishing and delivery",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return observed(cmd, f.run)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.metricsAddress, "metrics-bind-address", ":8080", "address of /metrics; 0 turns it off")
	flags.StringVar(&f.healthAddress, "health-probe-bind-address", ":8081", "address of /healthz and /readyz")
	flags.BoolVar(&f.leaderElect, "leader-elect", true,
		"work only while holding the lease: two controllers at once would count each other's attempts as interrupted")
	flags.BoolVar(&f.suspend, "suspend", false,
		"generate and send nothing, as in a restored copy of an installation; what is in progress is recorded")
	f.addGenerator(flags)
	f.generatorPrices.add(flags, generatorPrefix)
	f.egress.add(flags)
	flags.DurationSliceVar(&f.retryDelays, "retry-delays", backoff.DefaultRetryDelays(),
		"waits before the first, second and third retry of a delivery, before jitter")
	flags.StringVar(&f.appURL, "app-url", "",
		"address under which people reach the pages, such as https://app.example.com: messages in Slack and Teams link there")
	f.slots.add(flags)
	addSystemNamespace(flags)
	f.kubeAPI.add(flags)
	return cmd
}

func (f *controllerFlags) addGenerator(flags *pflag.FlagSet) {
	flags.StringVar(&f.generatorType, "generator-type", "BuiltIn", "generator of sites that name none: OpenAI, Anthropic or BuiltIn")
	flags.StringVar(&f.generatorModel, "generator-model", "", "model, as the endpoint names it")
	flags.StringVar(&f.generatorURL, "generator-base-url", "", "base URL of the endpoint; the provider's own if empty")
	flags.StringVar(&f.generatorKeyFile, "generator-api-key-file", "", "file that holds the endpoint's API key")
	flags.BoolVar(&f.generatorPrivate, "generator-allow-private", false,
		"allow the default generator's endpoint to be on a private address")
}

func (f *controllerFlags) options() (controllers.Options, error) {
	policy, err := f.egress.policy()
	if err != nil {
		return controllers.Options{}, err
	}
	generator, err := f.generator(policy)
	if err != nil {
		return controllers.Options{}, err
	}
	if len(f.retryDelays) != v1alpha1.MaxAttempts-1 || slices.Min(f.retryDelays) <= 0 {
		return controllers.Options{}, fmt.Errorf("--retry-delays must be %d durations above zero", v1alpha1.MaxAttempts-1)
	}
	if app, err := url.Parse(f.appURL); f.appURL != "" && (err != nil || app.Host == "" || app.Scheme != "https" && app.Scheme != "http") {
		return controllers.Options{}, errors.New("--app-url must be an http or https address, such as https://app.example.com")
	}
	if err := f.slots.check(); err != nil {
		return controllers.Options{}, err
	}
	return controllers.Options{
		Generator: generator, Egress: policy, RetryDelays: f.retryDelays,
		Runs: f.slots.runs, Deliveries: f.slots.deliveries, Suspend: f.suspend, Texts: article.NewTexts(), Clock: clock.RealClock{},
		AppURL: f.appURL,
	}, nil
}

// generator returns the default generator's configuration.
func (f *controllerFlags) generator(policy egress.Policy) (generate.Config, error) {
	c := generate.Config{
		Type: v1alpha1.GeneratorType(f.generatorType), Model: f.generatorModel, BaseURL: f.generatorURL,
		HTTPClient: egress.NewClient(policy, 0),
	}
	if f.generatorPrivate {
		c.HTTPClient = egress.NewPrivateClient(0)
	}
	if c.Type == v1alpha1.GeneratorBuiltIn && (c.Model != "" || c.BaseURL != "" || f.generatorKeyFile != "") {
		return c, errors.New(
			"--generator-model, --generator-base-url and --generator-api-key-file need --generator-type OpenAI or Anthropic")
	}
	var err error
	if c.Prices, err = f.generatorPrices.prices(generatorPrefix); err != nil {
		return c, err
	}
	if f.generatorKeyFile != "" {
		key, err := os.ReadFile(f.generatorKeyFile)
		if err != nil {
			return c, fmt.Errorf("--generator-api-key-file: %w", err)
		}
		c.APIKey = strings.TrimSpace(string(key))
	}
	if _, err := generate.New(c); err != nil {
		return c, fmt.Errorf("the default generator: %w", err)
	}
	return c, nil
}

func (f *controllerFlags) run(cmd *cobra.Command) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	config, err := f.kubeAPI.config(cmd)
	if err != nil {
		return err
	}
	namespace, err := systemNamespace(cmd)
	if err != nil {
		return err
	}
	boundHeap(os.Getenv)
	warnOfPrivate(options.Egress)
	var lock resourcelock.Interface
	if f.leaderElect {
		held, err := newLock(config, namespace)
		if err != nil {
			return err
		}
		lock, options.Renewed = held, held.Renewed
	}
	pod, err := ownPod(namespace)
	if err != nil {
		return err
	}
	mgr, reporter, err := newManager(config, lock, f, options, pod)
	if err != nil {
		return err
	}
	if err := controllers.Setup(cmd.Context(), mgr, options); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(cmd.Context())
	group.Go(func() error { return reporter.Start(ctx) })
	group.Go(func() error { return runManager(ctx, mgr, reporter.Health) })
	return group.Wait()
}

// starter is the part of a manager that runManager needs.
type starter interface {
	Add(manager.Runnable) error
	Start(context.Context) error
}

// started is closed by a manager that starts its runnables. It does so once its cache is complete, with those that need no lease first.
type started chan struct{}

// Start implements manager.Runnable.
func (s started) Start(context.Context) error {
	close(s)
	return nil
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (started) NeedLeaderElection() bool { return false }

// runManager runs a manager until ctx ends. A manager whose cache is not complete never returns. It has started no controller then, so
// runManager does not wait for it.
func runManager(ctx context.Context, mgr starter, health *informers.Health) error {
	begun := make(started)
	if err := mgr.Add(begun); err != nil {
		return fmt.Errorf("adding a runnable to the manager: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case <-begun:
		return <-ended
	default:
	}
	if health.HasSynced() {
		return <-ended
	}
	return nil
}

// generatorPrefix begins the names of the flags of the controller's generator.
const generatorPrefix = "generator-"

// priceFlags are the prices of a million tokens.
type priceFlags struct{ input, cached, output, currency string }

func (f *priceFlags) add(flags *pflag.FlagSet, prefix string) {
	flags.StringVar(&f.input, prefix+"price-input", "", "price of a million input tokens, such as 0.15, to show costs")
	flags.StringVar(&f.cached, prefix+"price-cached", "",
		"price of a million input tokens from the endpoint's cache; that of input if empty")
	flags.StringVar(&f.output, prefix+"price-output", "", "price of a million output tokens")
	flags.StringVar(&f.currency, prefix+"currency", "USD", "currency of the prices")
}

// prices that the flags name; the zero value if they name none.
func (f *priceFlags) prices(prefix string) (generate.Prices, error) {
	p, err := generate.ParsePrices(f.currency, f.input, f.cached, f.output)
	if err != nil {
		return p, fmt.Errorf("--%sprice-input, --%[1]sprice-cached, --%[1]sprice-output, --%[1]scurrency: %w", prefix, err)
	}
	return p, nil
}
