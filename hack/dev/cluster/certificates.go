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

	"k8s.io/utils/clock"
)

const (
	authorityLifetime   = 10 * 365 * 24 * time.Hour
	certificateLifetime = 365 * 24 * time.Hour
	// clockSkew is how far certificates reach back, for clocks that are set right meanwhile.
	clockSkew = time.Hour
)

// authority signs certificates. It is kept with the data, so that yesterday's kubeconfig goes on working.
type authority struct {
	folder      string
	clock       clock.PassiveClock
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// identity is what a certificate says of its holder.
type identity struct {
	name   string
	groups []string
}

func (a *authority) path(file string) string { return filepath.Join(a.folder, file) }
func (a *authority) certificateFile() string { return a.path("ca.crt") }

// openAuthority reads the authority of a folder, or makes one.
func openAuthority(folder string, c clock.PassiveClock) (*authority, error) {
	a := &authority{folder: folder, clock: c}
	err := a.read()
	if errors.Is(err, os.ErrNotExist) {
		err = a.create()
	}
	if err != nil {
		return nil, fmt.Errorf("the certificate authority in %s: %w", folder, err)
	}
	return a, nil
}

func (a *authority) read() error {
	certificate, err := readPEM(a.path("ca.crt"))
	if err != nil {
		return err
	}
	if a.certificate, err = x509.ParseCertificate(certificate); err != nil {
		return fmt.Errorf("reading ca.crt: %w", err)
	}
	a.key, err = readKey(a.path("ca.key"))
	return err
}

func (a *authority) create() error {
	if err := os.MkdirAll(a.folder, 0o700); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	key, err := createKey(a.path("ca.key"))
	if err != nil {
		return err
	}
	template, err := a.template("pressroom-dev", nil, authorityLifetime)
	if err != nil {
		return err
	}
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return fmt.Errorf("signing ca.crt: %w", err)
	}
	a.key = key
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		return fmt.Errorf("reading ca.crt back: %w", err)
	}
	return writePEM(a.path("ca.crt"), "CERTIFICATE", der)
}

func (a *authority) template(name string, groups []string, lifetime time.Duration) (*x509.Certificate, error) {
	const serialBits = 120
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), serialBits))
	if err != nil {
		return nil, fmt.Errorf("choosing a serial number: %w", err)
	}
	now := a.clock.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name, Organization: groups},
		NotBefore:    now.Add(-clockSkew),
		NotAfter:     now.Add(lifetime),
	}, nil
}

// pair names the files of a certificate and its key.
type pair struct{ certificate, key string }

// issue makes a new certificate, for a server on loopback and for a client at once, and returns its files. Each start makes
// new ones, so that they never expire.
func (a *authority) issue(file string, who identity) (pair, error) {
	p := pair{certificate: a.path(file + ".crt"), key: a.path(file + ".key")}
	template, err := a.template(who.name, who.groups, certificateLifetime)
	if err != nil {
		return pair{}, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.DNSNames = []string{"localhost"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	key, err := createKey(p.key)
	if err != nil {
		return pair{}, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return pair{}, fmt.Errorf("signing %s.crt: %w", file, err)
	}
	return p, writePEM(p.certificate, "CERTIFICATE", der)
}

// signingKey returns the file of the key that signs ServiceAccount tokens, made where it is missing.
func (a *authority) signingKey() (string, error) {
	file := a.path("service-accounts.key")
	_, err := readKey(file)
	if errors.Is(err, os.ErrNotExist) {
		_, err = createKey(file)
	}
	return file, err
}

func createKey(file string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encoding a key: %w", err)
	}
	return key, writePEM(file, "EC PRIVATE KEY", der)
}

func readKey(file string) (*ecdsa.PrivateKey, error) {
	der, err := readPEM(file)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParseECPrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.Base(file), err)
	}
	return key, nil
}

func writePEM(file, kind string, der []byte) error {
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Base(file), err)
	}
	return nil
}

func readPEM(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.Base(file), err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("reading %s: it holds no PEM block", filepath.Base(file))
	}
	return block.Bytes, nil
}
