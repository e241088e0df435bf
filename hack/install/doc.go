// Package install tests the chart and the manifests of config as they are installed: with helm and with kustomize, from the files
// that `make dist` packs.
package install
