package process_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// rewrite changes the record of a process.
func rewrite(t *testing.T, file string, change func(*process.Record)) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r process.Record
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	change(&r)
	if data, err = json.Marshal(r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAProcessThatOnlyHasTheIDOfOneOfOursIsNotOurs(t *testing.T) {
	tests := []struct {
		name   string
		change func(*process.Record)
	}{
		{"another command line", func(r *process.Record) { r.Command = append(r.Command, "--data-dir=/elsewhere") }},
		{"begun at another time", func(r *process.Record) { r.Started += "0" }},
		{"no such process", func(r *process.Record) { r.Pid = 1 << 30 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.start(t, "polite", "polite")
			file := filepath.Join(f.folder, "polite.pid.json")
			rewrite(t, file, tt.change)
			if got := left(t, f.folder); len(got) != 0 {
				t.Errorf("Left = %v, want none", got)
			}
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("the record of a process that is not ours is kept: %v", err)
			}
		})
	}
}

func TestARecordCutOffByACrashIsForgotten(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "etcd.pid.json"), []byte(`{"name":"etcd","pid":1`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := left(t, folder); len(got) != 0 {
		t.Errorf("Left = %v, want none", got)
	}
}

func TestStopLeftStopsWhatAnEarlierRunLeft(t *testing.T) {
	tests := []struct{ role string }{{"polite"}, {"stubborn"}}
	for _, tt := range tests {
		t.Run(tt.role, func(t *testing.T) {
			f := newFixture(t)
			p := f.start(t, "old", tt.role)
			if err := process.StopLeft(f.folder, left(t, f.folder), patience/10); err != nil {
				t.Fatal(err)
			}
			await(t, "the process to end", func() bool {
				select {
				case <-p.Done():
					return true
				default:
					return false
				}
			})
			if got := left(t, f.folder); len(got) != 0 {
				t.Errorf("Left = %v, want none", got)
			}
		})
	}
}
