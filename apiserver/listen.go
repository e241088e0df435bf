package apiserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
)

// The bounds of a request and of an idle connection.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
)

// listener is an address with its server.
type listener struct {
	net.Listener
	server *http.Server
	// https says that the server has a certificate.
	https bool
}

func (s *Server) open(api http.Handler, registry prometheus.Gatherer) error {
	for _, l := range []struct {
		name, address string
		handler       http.Handler
	}{
		{"the REST API", s.options.BindAddress, api},
		{"metrics", s.options.MetricsBindAddress, metricsHandler(registry)},
		{"health", s.options.HealthProbeBindAddress, s.healthHandler()},
	} {
		if l.address == Off {
			continue
		}
		opened, err := listen(l.address, l.handler, s.options.Log)
		if err != nil {
			s.close()
			return fmt.Errorf("listening for %s: %w", l.name, err)
		}
		s.listeners = append(s.listeners, opened)
	}
	if s.options.BindAddress == Off {
		return errors.New("the REST API must have an address")
	}
	s.api = s.listeners[0]
	var err error
	if s.certificate, err = s.options.TLS.secure(s.api); err != nil {
		s.close()
	}
	return err
}

func (s *Server) close() {
	for _, l := range s.listeners {
		l.Close()
	}
}

func listen(address string, handler http.Handler, log logr.Logger) (*listener, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	return &listener{Listener: l, server: &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logr.ToSlogHandler(log), slog.LevelDebug),
	}}, nil
}

func (l *listener) serve() error {
	serve := l.server.Serve
	if l.https {
		serve = func(open net.Listener) error { return l.server.ServeTLS(open, "", "") }
	}
	if err := serve(l.Listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving on %s: %w", l.Addr(), err)
	}
	return nil
}

// bindsLoopback reports whether a listener on an address is reached only by programs of the same machine.
func bindsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}

func (l *listener) url() string {
	if l.https {
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

// metricsHandler serves the facade's metrics and those of its client of kube-apiserver.
func metricsHandler(own prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(prometheus.Gatherers{own, ctrlmetrics.Registry}, promhttp.HandlerOpts{}))
	return mux
}

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
