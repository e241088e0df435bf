//go:build e2e

package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// number returns the whole number in an environment variable, or a default if there is none.
func number(b *testing.B, variable string, otherwise int) int {
	b.Helper()
	value := os.Getenv(variable)
	if value == "" {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	must(b, err)
	return n
}

// reportStart reports how long a program took from its start until now, and how much CPU time it has used.
func reportStart(b *testing.B, name string, began time.Time, p *process.Process) {
	b.Helper()
	b.ReportMetric(time.Since(began).Seconds(), name+"-start-s")
	b.ReportMetric(cpuOf(b, p).Seconds(), name+"-start-CPU-s")
}

// cpuOf returns the CPU time that a process has used, of which Linux tells hundredths of a second.
func cpuOf(b *testing.B, p *process.Process) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid()))
	must(b, err)
	// The fields after the name, which ends in the last parenthesis; utime and stime are the 14th and 15th of all (proc(5)).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		must(b, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// reportStored reports the size of etcd's file, with the history that is not compacted yet, and of what kube-apiserver keeps there
// for many articles like one of them: the Article and its revision.
func (w *bench) reportStored(b *testing.B, name string, articles int) {
	b.Helper()
	file, err := os.Stat(filepath.Join(w.Folder, "etcd", "member", "snap", "db"))
	must(b, err)
	b.ReportMetric(float64(file.Size())/mib, "etcd-MiB")
	var article v1alpha1.Article
	must(b, w.api.Get(b.Context(), client.ObjectKey{Namespace: textsWorkspace, Name: name}, &article))
	one := w.sizeOf(b, "Article", name) + w.sizeOf(b, "ArticleRevision", article.Status.Revision.Name)
	b.ReportMetric(float64(articles*one)/mib, "stored-MiB")
}

// sizeOf returns the size of an object as JSON, the form in which kube-apiserver stores custom resources.
func (w *bench) sizeOf(b *testing.B, kind, name string) int {
	b.Helper()
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
	must(b, w.api.Get(b.Context(), client.ObjectKey{Namespace: textsWorkspace, Name: name}, object))
	data, err := json.Marshal(object)
	must(b, err)
	return len(data)
}

const mib = 1 << 20

// memoryOf reads one of the sizes of a process, in bytes.
func memoryOf(b *testing.B, p *process.Process, field string) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	must(b, err)
	_, rest, _ := strings.Cut(string(status), field)
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	must(b, err)
	return kilobytes * 1024
}
