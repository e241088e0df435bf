package testkit

import (
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
)

// TrustTLSServers has this process trust the servers of httptest.NewTLSServer, for clients whose authorities are those of the system. It
// writes their certificate to a file in a folder. It must be called before the process checks its first certificate.
func TrustTLSServers(folder string) error {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	file := filepath.Join(folder, "authorities.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("writing the certificate: %w", err)
	}
	return os.Setenv("SSL_CERT_FILE", file)
}
