package apiserver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"
)

// cert-manager and others renew certificates: nobody restarts the facade for it.
func TestACertificateThatChangesIsUsed(t *testing.T) {
	folder := t.TempDir()
	o := TLSOptions{CertFile: filepath.Join(folder, "tls.crt"), KeyFile: filepath.Join(folder, "tls.key")}
	writeCertificate(t, o, 1)
	l, err := listen("127.0.0.1:0", http.NotFoundHandler(), logr.Discard())
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := o.secure(l)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 2)
	go func() { done <- watcher.Start(ctx) }()
	go func() { done <- l.serve() }()
	t.Cleanup(func() {
		stop()
		l.server.Close()
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
	if !strings.HasPrefix(l.url(), "https://") {
		t.Errorf("the address is %s", l.url())
	}
	if got := serialOf(t, l.Addr()); got != 1 {
		t.Fatalf("the certificate is %d, want 1", got)
	}

	writeCertificate(t, o, 2)
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, 5*time.Minute, true, func(context.Context) (bool, error) {
		return serialOf(t, l.Addr()) == 2, nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestACertificateThatCannotBeUsedIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    TLSOptions
		want string
	}{
		{"a certificate without a key", TLSOptions{CertFile: "tls.crt"}, "--tls-cert-file and --tls-private-key-file must be given together"},
		{"a key without a certificate", TLSOptions{KeyFile: "tls.key"}, "--tls-cert-file and --tls-private-key-file must be given together"},
		{"no such file", TLSOptions{CertFile: "nowhere.crt", KeyFile: "nowhere.key"}, "nowhere.crt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.o.check()
			if err == nil {
				_, err = tt.o.secure(&listener{server: &http.Server{ReadHeaderTimeout: time.Second}})
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %s", err, tt.want)
			}
		})
	}
}

func serialOf(t *testing.T, address net.Addr) int64 {
	t.Helper()
	connection, err := tls.Dial("tcp", address.String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	return connection.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// writeCertificate replaces both files.
func writeCertificate(t *testing.T, o TLSOptions, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{
		o.KeyFile: {Type: "PRIVATE KEY", Bytes: encoded}, o.CertFile: {Type: "CERTIFICATE", Bytes: certificate},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
