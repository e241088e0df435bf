package ports_test

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

// taken returns a port that something listens on.
func taken(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

func TestAllocateNamesEveryTakenPortAndTheVariableToChange(t *testing.T) {
	first, second := taken(t), taken(t)
	p := ports.Ports{API: first, Etcd: second}
	err := p.Allocate(t.Context())
	if err == nil {
		t.Fatal("taken ports are accepted")
	}
	for _, want := range []string{
		"port " + strconv.Itoa(first), "the REST API", "PRESSROOM_API_PORT=",
		"port " + strconv.Itoa(second), "etcd", "PRESSROOM_ETCD_PORT=",
		"address already in use",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
}

func TestAllocateGivesEveryZeroAFreePortOfItsOwn(t *testing.T) {
	var p ports.Ports
	if err := p.Allocate(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, port := range []int{
		p.API, p.Receiver, p.KubeAPIServer, p.Etcd, p.APIMetrics, p.APIHealth, p.ControllerMetrics, p.ControllerHealth,
	} {
		if port == 0 || seen[port] {
			t.Errorf("ports %+v: %d is 0 or used twice", p, port)
		}
		if port >= 32768 {
			t.Errorf("ports %+v: %d is in the range that the system hands out for port 0", p, port)
		}
		seen[port] = true
	}
}

func TestAllocateRefusesOnePortForTwo(t *testing.T) {
	free := ports.Ports{}
	if err := free.Allocate(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := ports.Ports{API: free.API, Receiver: free.API}
	if err := p.Allocate(t.Context()); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("err = %v, want one that says twice", err)
	}
}

func TestTheDefaultsAreAllDifferent(t *testing.T) {
	p := ports.Default()
	seen := map[int]bool{}
	for _, port := range []int{
		p.API, p.Receiver, p.KubeAPIServer, p.Etcd, p.APIMetrics, p.APIHealth, p.ControllerMetrics, p.ControllerHealth,
	} {
		if port == 0 || seen[port] {
			t.Errorf("default port %d is 0 or used twice", port)
		}
		seen[port] = true
	}
}

func TestEnvironment(t *testing.T) {
	tests := []struct {
		name    string
		value   string
		want    int
		wantErr bool
	}{
		{"set", "9999", 9999, false},
		{"empty is unset", "", 8080, false},
		{"any free one", "0", 0, false},
		{"no number", "http", 8080, true},
		{"too big", "65536", 8080, true},
		{"negative", "-1", 8080, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := ports.Default()
			err := p.FromEnvironment(func(name string) (string, bool) { return tt.value, name == "PRESSROOM_API_PORT" })
			if (err != nil) != tt.wantErr || p.API != tt.want {
				t.Errorf("API = %d, %v, want %d, error %t", p.API, err, tt.want, tt.wantErr)
			}
		})
	}
}

func TestAFlagOverridesADefault(t *testing.T) {
	p := ports.Default()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	p.Flags(flags)
	if err := flags.Parse([]string{"--kube-apiserver-port=7443"}); err != nil {
		t.Fatal(err)
	}
	if p.KubeAPIServer != 7443 || p.API != 8080 {
		t.Errorf("ports = %+v, want 7443 for kube-apiserver and 8080 for the API", p)
	}
}
