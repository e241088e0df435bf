package survey

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// working is an installation without any fault.
func working() *Installation {
	return &Installation{
		Programs: []Program{
			{"pressroom-apiserver", "registry.example.com/pressroom:v1.2.0", "v1.2.0", 2, 2},
			{"pressroom-controller", "registry.example.com/pressroom:v1.2.0", "v1.2.0", 1, 1},
		},
		Leader: &Leader{"pressroom-controller-0_1", "2026-11-20T12:00:00Z", LeaderCurrent},
	}
}

func TestATableForEachQuestion(t *testing.T) {
	refused := errors.New("refused")
	for _, tt := range []struct {
		name string
		give *Installation
		own  *Program
		want string
	}{
		{
			name: "nothing", give: &Installation{Queues: []Queue{}, FailingSites: []FailingSite{}},
			own: &Program{Name: "kubectl-pressroom", Version: "v1.2.0"},
			want: `
PROGRAM             VERSION   READY   IMAGE
kubectl-pressroom   v1.2.0            

No leader.

No failing informers.

Nothing is due.

No failing sites.
`,
		},
		{
			name: "health alone, of which nothing can be read",
			give: &Installation{Unknown: []Gap{
				{programs, right{"list", "deployments.apps", "pressroom-system"}.String(), refused},
				{leaders, right{"get", "leases.coordination.k8s.io", "pressroom-system"}.String(), refused},
				{failingInformers, "etcdserver: request timed out", refused},
			}},
			want: `
Programs: unknown (needs list on deployments.apps in pressroom-system)

Leader: unknown (needs get on leases.coordination.k8s.io in pressroom-system)

Failing informers: unknown (etcdserver: request timed out)
`,
		},
		{
			name: "some queues and no sites",
			give: &Installation{
				Programs: working().Programs, Leader: working().Leader,
				Queues: []Queue{{"generation", "InsufficientCredits", 12}}, FailingSites: []FailingSite{},
				Unknown: []Gap{
					{eventQueue, right{"list", "eventdeliveries.pressroom.dev", ""}.String(), refused},
					{failingSites, right{"list", "sites.pressroom.dev", "acme-blog"}.String(), refused},
				},
			},
			want: `
PROGRAM                VERSION   READY   IMAGE
pressroom-apiserver    v1.2.0    2/2     registry.example.com/pressroom:v1.2.0
pressroom-controller   v1.2.0    1/1     registry.example.com/pressroom:v1.2.0

LEADER                     RENEWED                STATE
pressroom-controller-0_1   2026-11-20T12:00:00Z   Current

No failing informers.

QUEUE        REASON                COUNT
generation   InsufficientCredits   12
Queue of events: unknown (needs list on eventdeliveries.pressroom.dev in all namespaces)

Failing sites: unknown (needs list on sites.pressroom.dev in acme-blog)
`,
		},
		{
			name: "everything",
			give: &Installation{
				Programs: []Program{{"pressroom-controller", "pressroom@sha256:00", "sha256:00", 0, 1}},
				Leader:   &Leader{"pressroom-controller-0_1", "2026-11-20T12:00:00Z", LeaderExpired},
				FailingInformers: []FailingInformer{{
					Pod: "pressroom-apiserver-1", Kind: "APIKey", Since: "2026-11-20T11:00:00Z", Message: "apikeys.pressroom.dev is forbidden\n\x1b[2J",
				}},
				Queues:       []Queue{{"generation", "InsufficientCredits", 12}, {"publication", "RetryScheduled", 3}},
				FailingSites: []FailingSite{{"acme-blog", "acme", "SecretNotFound", "no Secret webhook"}},
			},
			want: `
PROGRAM                VERSION     READY   IMAGE
pressroom-controller   sha256:00   0/1     pressroom@sha256:00

LEADER                     RENEWED                STATE
pressroom-controller-0_1   2026-11-20T12:00:00Z   Expired

POD                     FAILING INFORMER   SINCE                  MESSAGE
pressroom-apiserver-1   APIKey             2026-11-20T11:00:00Z   apikeys.pressroom.dev is forbidden...

QUEUE         REASON                COUNT
generation    InsufficientCredits   12
publication   RetryScheduled        3

NAMESPACE   FAILING SITE   REASON           MESSAGE
acme-blog   acme           SecretNotFound   no Secret webhook
`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := tt.give.Write(&out, tt.own); err != nil {
				t.Fatal(err)
			}
			if got := "\n" + out.String(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestErrSaysWhyAnInstallationIsNotKnownToWork(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(i *Installation)
		want   []string
	}{
		{name: "it works", change: func(*Installation) {}},
		{name: "work waits and sites fail", change: func(i *Installation) {
			i.Queues, i.FailingSites = []Queue{{"publication", "RetryScheduled", 3}}, []FailingSite{{Name: "acme"}}
		}},
		{name: "a Pod is not ready", change: func(i *Installation) { i.Programs[0].Ready = 1 }, want: []string{
			"pressroom-apiserver: 1 of 2 Pods are ready",
		}},
		{name: "no Pod is wanted", change: func(i *Installation) { i.Programs[1].Ready, i.Programs[1].Replicas = 0, 0 }, want: []string{
			"pressroom-controller: 0 of 1 Pods are ready",
		}},
		{name: "nothing runs", change: func(i *Installation) { i.Programs, i.Leader = nil, nil }, want: []string{
			"no controller leads",
		}},
		{name: "the lease has expired", change: func(i *Installation) { i.Leader.State = LeaderExpired }, want: []string{
			"no controller leads: pressroom-controller-0_1 has not renewed its lease since 2026-11-20T12:00:00Z",
		}},
		{name: "an informer fails", change: func(i *Installation) {
			i.FailingInformers = []FailingInformer{{Pod: "pressroom-apiserver-1", Kind: "APIKey"}}
		}, want: []string{"pressroom-apiserver-1 cannot list or watch objects of the kind APIKey"}},
		{name: "something is unknown", change: func(i *Installation) {
			i.Programs, i.Leader = nil, nil
			i.Unknown = []Gap{{programs, "", errors.New("deployments is forbidden")}, {leaders, "", errors.New("leases is forbidden")}}
		}, want: []string{"deployments is forbidden", "leases is forbidden"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := working()
			tt.change(i)
			var got []string
			if err := i.Err(); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
