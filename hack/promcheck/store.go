package main

import (
	"context"
	"slices"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// store holds series in memory, for the engine of Prometheus.
type store struct{ series map[string]*series }

type series struct {
	labels  labels.Labels
	samples []chunks.Sample
}

func newStore() *store { return &store{series: map[string]*series{}} }

// add appends a sample to a series. Times, in milliseconds, only grow.
func (s *store) add(of labels.Labels, at int64, value float64) {
	key := of.String()
	if s.series[key] == nil {
		s.series[key] = &series{labels: of}
	}
	s.series[key].samples = append(s.series[key].samples, sample{at, value})
}

// Querier returns the store itself, whatever the time range: the engine leaves out what is outside of it.
func (s *store) Querier(int64, int64) (storage.Querier, error) { return s, nil }

// Select returns the series that all matchers match, in the order of their labels.
func (s *store) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	found := &set{at: -1}
	for _, one := range s.series {
		if matches(one.labels, matchers) {
			found.series = append(found.series, storage.NewListSeries(one.labels, one.samples))
		}
	}
	slices.SortFunc(found.series, func(a, b storage.Series) int { return labels.Compare(a.Labels(), b.Labels()) })
	return found
}

func matches(of labels.Labels, matchers []*labels.Matcher) bool {
	return !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(of.Get(m.Name)) })
}

// LabelValues is for people who type queries.
func (*store) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

// LabelNames is for people who type queries.
func (*store) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

// Close has nothing to close.
func (*store) Close() error { return nil }

// set is the answer of Select.
type set struct {
	series []storage.Series
	at     int
}

// Next goes to the next series.
func (s *set) Next() bool {
	s.at++
	return s.at < len(s.series)
}

// At returns the series.
func (s *set) At() storage.Series { return s.series[s.at] }

// Err is always nil: everything is in memory.
func (*set) Err() error { return nil }

// Warnings are none.
func (*set) Warnings() annotations.Annotations { return nil }

// sample is a value at a time in milliseconds.
type sample struct {
	at    int64
	value float64
}

// T is the time.
func (s sample) T() int64 { return s.at }

// ST is the time since which a counter counts, which the text format does not tell.
func (sample) ST() int64 { return 0 }

// F is the value.
func (s sample) F() float64 { return s.value }

// H would be a native histogram.
func (sample) H() *histogram.Histogram { return nil }

// FH would be a native histogram.
func (sample) FH() *histogram.FloatHistogram { return nil }

// Type says that the sample is a number.
func (sample) Type() chunkenc.ValueType { return chunkenc.ValFloat }

// Copy returns the sample, which nobody can change.
func (s sample) Copy() chunks.Sample { return s }
