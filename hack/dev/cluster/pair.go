package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// pair names the files of a certificate and its key.
type pair struct{ certificate, key string }

// makePair makes a certificate that signs itself, for etcd as a server and for kube-apiserver as its client. Whoever trusts
// it trusts nobody else.
func makePair(folder string) (pair, error) {
	const lifetime = 365 * 24 * time.Hour
	p := pair{certificate: filepath.Join(folder, "etcd.crt"), key: filepath.Join(folder, "etcd.key")}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return p, fmt.Errorf("making a key for etcd: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: "pressroom-dev-etcd"},
		// An hour earlier, for clocks that are set right meanwhile.
		NotBefore:   now.Add(-time.Hour),
		NotAfter:    now.Add(lifetime),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return p, fmt.Errorf("making a certificate for etcd: %w", err)
	}
	encoded, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return p, fmt.Errorf("encoding a key for etcd: %w", err)
	}
	return p, errors.Join(
		os.WriteFile(p.certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600),
		os.WriteFile(p.key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded}), 0o600))
}
