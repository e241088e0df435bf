package ports_test

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

func TestATakenPortIsNamed(t *testing.T) {
	free := allocate(t)
	if err := free.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, port := range []int{free.API, free.KubeAPIServer} {
		l, err := net.Listen("tcp", ports.Address(port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
	}
	err := free.Check(t.Context())
	if err == nil {
		t.Fatal("taken ports are accepted")
	}
	for _, want := range []string{
		"port " + strconv.Itoa(free.API) + ", for the REST API", "port " + strconv.Itoa(free.KubeAPIServer) + ", for kube-apiserver",
		"address already in use",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "receiver") {
		t.Errorf("message %q names a port that is free", err)
	}
}

func TestFreePortsAreGivenOnce(t *testing.T) {
	free := allocate(t)
	seen := map[int]bool{}
	for _, port := range []int{
		free.API, free.ControllerHealth, free.APIMetrics, free.APIHealth, free.ControllerMetrics, free.KubeAPIServer, free.WordPress, free.EtcdHealth,
		free.Receiver,
	} {
		if port == 0 || seen[port] || port >= 32768 {
			t.Errorf("ports %+v: %d is 0, used twice, or in the range that the system hands out for port 0", free, port)
		}
		seen[port] = true
	}
	// Nothing listens on the ports yet. Another process that chooses the same range is refused its last port.
	if l, err := net.Listen("tcp", ports.Address(free.API+9)); err == nil {
		l.Close()
		t.Error("the range is not reserved")
	}
}

func allocate(t *testing.T) ports.Ports {
	t.Helper()
	free, err := ports.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return free
}
