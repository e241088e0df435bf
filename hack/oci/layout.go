package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Media types of the image specification of the Open Container Initiative, and of Helm.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	helmConfig   = "application/vnd.cncf.helm.config.v1+json"
	helmChart    = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
)

// descriptor names a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
}

// manifest is an image, or another artifact.
type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// index lists manifests.
type index struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

// layout is a folder with the image layout of the Open Container Initiative.
type layout string

// blob stores a text under its digest.
func (l layout) blob(mediaType string, text []byte) (descriptor, error) {
	sum := sha256.Sum256(text)
	name := hex.EncodeToString(sum[:])
	folder := filepath.Join(string(l), "blobs", "sha256")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return descriptor{}, fmt.Errorf("making the layout: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
		return descriptor{}, fmt.Errorf("writing a blob: %w", err)
	}
	return descriptor{MediaType: mediaType, Digest: "sha256:" + name, Size: len(text)}, nil
}

// json stores a document.
func (l layout) json(mediaType string, document any) (descriptor, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return descriptor{}, fmt.Errorf("encoding a document: %w", err)
	}
	return l.blob(mediaType, text)
}

// artifact stores a manifest with one layer.
func (l layout) artifact(configType string, config any, layer descriptor, annotations map[string]string) (descriptor, error) {
	c, err := l.json(configType, config)
	if err != nil {
		return descriptor{}, err
	}
	return l.json(manifestType, manifest{
		SchemaVersion: 2, MediaType: manifestType, Config: c, Layers: []descriptor{layer}, Annotations: annotations,
	})
}

// finish writes the files that name what is in the layout.
func (l layout) finish(named []descriptor) error {
	text, err := json.MarshalIndent(index{SchemaVersion: 2, MediaType: indexType, Manifests: named}, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the index: %w", err)
	}
	if err := os.WriteFile(filepath.Join(string(l), "index.json"), append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	if err := os.WriteFile(filepath.Join(string(l), "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`+"\n"), 0o600); err != nil {
		return fmt.Errorf("writing the version of the layout: %w", err)
	}
	return nil
}

// as names a manifest in the layout.
func (d descriptor) as(name string) descriptor {
	d.Annotations = map[string]string{"org.opencontainers.image.ref.name": name}
	return d
}
