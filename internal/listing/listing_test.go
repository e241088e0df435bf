package listing

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// server has so many ConfigMaps, and remembers what it was asked for.
type server struct {
	client.Reader

	objects int
	asked   []client.ListOptions
	err     error
}

func (s *server) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	asked := client.ListOptions{}
	asked.ApplyOptions(options)
	s.asked = append(s.asked, asked)
	if s.err != nil {
		return s.err
	}
	page, ok := list.(*corev1.ConfigMapList)
	if !ok {
		return fmt.Errorf("asked for %T", list)
	}
	first, _ := strconv.Atoi(asked.Continue)
	last := min(first+int(asked.Limit), s.objects)
	for i := first; i < last; i++ {
		one := corev1.ConfigMap{}
		one.Name = strconv.Itoa(i)
		page.Items = append(page.Items, one)
	}
	if last < s.objects {
		page.Continue = strconv.Itoa(last)
	}
	return nil
}

func TestEachGetsAllObjectsInPages(t *testing.T) {
	s := &server{objects: 2*pageSize + 50}
	seen := map[string]int{}
	err := Each(t.Context(), s, &corev1.ConfigMapList{}, func(c *corev1.ConfigMap) { seen[c.Name]++ }, client.InNamespace("acme-blog"))
	if err != nil || len(seen) != s.objects {
		t.Errorf("got %d of %d objects, %v", len(seen), s.objects, err)
	}
	if len(s.asked) != 3 {
		t.Errorf("asked %d times, want 3", len(s.asked))
	}
	for _, asked := range s.asked {
		if asked.Limit != pageSize || asked.Namespace != "acme-blog" {
			t.Errorf("asked for %+v", asked)
		}
	}
}

func TestEachEndsWithTheErrorOfKubeAPIServer(t *testing.T) {
	refused := errors.New("refused")
	err := Each(t.Context(), &server{err: refused}, &corev1.ConfigMapList{}, func(*corev1.ConfigMap) { t.Error("there is an object") })
	if !errors.Is(err, refused) {
		t.Errorf("error = %v, want %v", err, refused)
	}
}
