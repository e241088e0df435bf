package apiserver

import (
	"crypto/tls"
	"errors"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// TLSOptions name the PEM files of the certificate with which the REST API and the pages are served. Without them they are plain HTTP.
// A changed certificate is used within 10 seconds.
type TLSOptions struct {
	CertFile, KeyFile string
}

func (o TLSOptions) check() error {
	if (o.CertFile == "") != (o.KeyFile == "") {
		return errors.New("--tls-cert-file and --tls-private-key-file must be given together")
	}
	return nil
}

// secure has a listener serve HTTPS, with the certificate that the watcher has read last. Without files it changes nothing, and the
// watcher is nil.
func (o TLSOptions) secure(l *listener) (*certwatcher.CertWatcher, error) {
	if o.CertFile == "" {
		return nil, nil
	}
	watcher, err := certwatcher.New(o.CertFile, o.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert-file and --tls-private-key-file: %w", err)
	}
	l.https = true
	l.server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: watcher.GetCertificate}
	return watcher, nil
}
