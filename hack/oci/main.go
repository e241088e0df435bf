// Command oci writes an image layout with the image of static programs, one for each platform, and with a Helm chart. It needs no container
// engine and no base image: an image has the program and certificate authorities. The same files make the same layout.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

func main() {
	folder := flag.String("layout", "", "the folder to write")
	version := flag.String("version", "", "the version, which is the name of the image in the layout")
	certificates := flag.String("certificates", "", "the file of certificate authorities")
	chart := flag.String("chart", "", "the archive of the chart, whose name in the layout is chart- and its version")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: oci [flags] PROGRAM-OS-ARCHITECTURE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := write(layout(*folder), *version, *certificates, *chart, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "oci:", err)
		os.Exit(1)
	}
}

func write(l layout, version, certificates, chart string, programs []string) error {
	images := index{SchemaVersion: 2, MediaType: indexType}
	for _, program := range programs {
		d, err := l.image(program, certificates, version)
		if err != nil {
			return err
		}
		images.Manifests = append(images.Manifests, d)
	}
	image, err := l.json(indexType, images)
	if err != nil {
		return err
	}
	packed, name, err := l.chart(chart)
	if err != nil {
		return err
	}
	return l.finish([]descriptor{image.as(version), packed.as(name)})
}

// imageConfig is how an image is run.
type imageConfig struct {
	platform

	Config struct {
		User       string
		Entrypoint []string
		Labels     map[string]string
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// image stores the image of a program, whose name ends with its platform.
func (l layout) image(program, certificates, version string) (descriptor, error) {
	parts := strings.Split(filepath.Base(program), "-")
	if len(parts) < 3 {
		return descriptor{}, fmt.Errorf("the name of %s does not end with a platform", program)
	}
	files, err := archive(file{"pressroom", program, 0o755}, file{"etc/ssl/certs/ca-certificates.crt", certificates, 0o644})
	if err != nil {
		return descriptor{}, err
	}
	packed, err := zipped(files)
	if err != nil {
		return descriptor{}, err
	}
	layer, err := l.blob(layerType, packed)
	if err != nil {
		return descriptor{}, err
	}
	sum := sha256.Sum256(files)
	config := imageConfig{platform: platform{OS: parts[len(parts)-2], Architecture: parts[len(parts)-1]}}
	config.Config.User, config.Config.Entrypoint = "65532:65532", []string{"/pressroom"}
	config.Config.Labels = map[string]string{
		"org.opencontainers.image.title": "Pressroom", "org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.version": version,
	}
	config.RootFS.Type, config.RootFS.DiffIDs = "layers", []string{"sha256:" + hex.EncodeToString(sum[:])}
	image, err := l.artifact(configType, config, layer, nil)
	image.Platform = &config.platform
	return image, err
}

// file is one of an image: where it is in there, and where it comes from.
type file struct {
	name, from string
	mode       int64
}

// archive returns files, and the folders above them, as a tar archive without times.
func archive(files ...file) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		text, err := os.ReadFile(f.from)
		if err != nil {
			return nil, fmt.Errorf("reading a file of the image: %w", err)
		}
		parents := strings.Split(f.name, "/")
		for n := 1; n < len(parents); n++ {
			folder := &tar.Header{Typeflag: tar.TypeDir, Name: strings.Join(parents[:n], "/") + "/", Mode: 0o755}
			if err := w.WriteHeader(folder); err != nil {
				return nil, fmt.Errorf("packing %s: %w", f.name, err)
			}
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(text))}); err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.name, err)
		}
		if _, err := w.Write(text); err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.name, err)
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func zipped(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// chart stores an archive that helm has packed, as `helm push` does, and returns its name in the layout.
func (l layout) chart(path string) (packed descriptor, name string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return descriptor{}, "", fmt.Errorf("reading the chart: %w", err)
	}
	about, err := chartFile(text)
	if err != nil {
		return descriptor{}, "", fmt.Errorf("reading the chart %s: %w", path, err)
	}
	layer, err := l.blob(helmChart, text)
	if err != nil {
		return descriptor{}, "", err
	}
	version := fmt.Sprint(about["version"])
	packed, err = l.artifact(helmConfig, about, layer, map[string]string{
		"org.opencontainers.image.title": fmt.Sprint(about["name"]), "org.opencontainers.image.version": version,
	})
	return packed, "chart-" + version, err
}

// chartFile returns the Chart.yaml of an archive.
func chartFile(packed []byte) (map[string]any, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err != nil {
			return nil, err
		}
		if strings.Count(header.Name, "/") != 1 || filepath.Base(header.Name) != "Chart.yaml" {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		about := map[string]any{}
		err = yaml.Unmarshal(text, &about)
		return about, err
	}
}
