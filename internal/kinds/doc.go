// Package kinds tests the kinds of api/v1alpha1, with their CRDs, policies and roles. The module of the kinds requires apimachinery alone,
// and these tests need more.
package kinds
