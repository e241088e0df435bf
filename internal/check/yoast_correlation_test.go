package check_test

import "math"

// rankCorrelation is Spearman's.
func rankCorrelation(a, b []float64) float64 {
	a, b = ranks(a), ranks(b)
	mean := float64(len(a)-1) / 2
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - mean) * (b[i] - mean)
		aa += (a[i] - mean) * (a[i] - mean)
		bb += (b[i] - mean) * (b[i] - mean)
	}
	return ab / math.Sqrt(aa*bb)
}

// ranks of values from 0; equal ones share the mean of theirs.
func ranks(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		less, same := 0, 0
		for _, w := range values {
			if w < v {
				less++
			} else if w == v {
				same++
			}
		}
		out[i] = float64(less) + float64(same-1)/2
	}
	return out
}
