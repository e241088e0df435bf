//go:build e2e

package scale_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
)

const (
	// A transaction has at most so many objects and bytes: etcd takes 128 operations and 1.5 MiB.
	mostInTransaction, mostBytes = 100, 900 << 10
	// writersToEtcd send transactions at once.
	writersToEtcd = 4
)

// etcd reads and writes what kube-apiserver stores, by the JSON of etcd's gateway.
type etcd struct{ http *http.Client }

func etcdOf(c *cluster.Cluster) *etcd {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", c.EtcdSocket())
	}
	return &etcd{&http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: writersToEtcd}}}
}

// pair is a key with its value. JSON has both in base64.
type pair struct {
	Key   []byte `json:"key"`
	Value []byte `json:"value"`
}

func (e *etcd) ask(ctx context.Context, path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://etcd/v3/"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	got, err := e.http.Do(request)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("etcd answers %s: %.300s", got.Status, data)
	}
	if err == nil && answer != nil {
		err = json.Unmarshal(data, answer)
	}
	return err
}

// keyOf is where kube-apiserver stores a custom resource.
func keyOf(resource, namespace, name string) []byte {
	return fmt.Appendf(nil, "/registry/%s/%s/%s/%s", v1alpha1.GroupVersion.Group, resource, namespace, name)
}

// objects returns what is stored of a resource in a namespace.
func (e *etcd) objects(ctx context.Context, resource, namespace string) ([]pair, error) {
	var answer struct {
		KVs []pair `json:"kvs"`
	}
	first := keyOf(resource, namespace, "")
	end := bytes.Clone(first)
	end[len(end)-1]++ // the first key after those that begin like this one
	err := e.ask(ctx, "kv/range", map[string][]byte{"key": first, "range_end": end}, &answer)
	return answer.KVs, err
}

// write stores objects as they come, several at once, until there are no more.
func (e *etcd) write(ctx context.Context, objects <-chan pair) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for range writersToEtcd {
		all.Go(func() {
			if err := e.writeEach(ctx, objects); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// writeEach stores objects in transactions. Once it has failed, it takes the other objects and drops them.
func (e *etcd) writeEach(ctx context.Context, objects <-chan pair) (err error) {
	type operation struct {
		Put pair `json:"request_put"`
	}
	var some []operation
	size := 0
	flush := func() {
		if len(some) > 0 && err == nil {
			err = e.ask(ctx, "kv/txn", map[string][]operation{"success": some}, nil)
		}
		some, size = some[:0], 0
	}
	for o := range objects {
		if len(some) == mostInTransaction || size+len(o.Value) > mostBytes {
			flush()
		}
		some, size = append(some, operation{o}), size+len(o.Value)
	}
	flush()
	return err
}
