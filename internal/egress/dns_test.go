package egress

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers DNS questions in memory.
type nameServer struct {
	t *testing.T
	// answer returns the addresses of a name at its nth look-up, from 0. None means that it does not exist.
	answer func(name string, n int) []string

	mu    sync.Mutex
	asked []string
	count map[dnsmessage.Question]int
}

func newNameServer(t *testing.T, answer func(name string, n int) []string) *nameServer {
	t.Helper()
	return &nameServer{t: t, answer: answer, count: map[dnsmessage.Question]int{}}
}

// always answers every name with the same addresses.
func always(addresses ...string) func(string, int) []string {
	return func(string, int) []string { return addresses }
}

func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go s.serve(server)
		return client, nil
	}}
}

// names returns the names that were looked up, each once.
func (s *nameServer) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// serve speaks DNS over a stream (RFC 1035, section 4.2.2), which the resolver does over what is not a packet connection.
func (s *nameServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		answer, err := s.reply(question)
		if err != nil {
			s.t.Errorf("answering a DNS question: %v", err)
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

func (s *nameServer) reply(raw []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(raw); err != nil {
		return nil, err
	}
	q := m.Questions[0]
	addresses := s.answer(q.Name.String(), s.record(q))
	m.Response, m.Authoritative, m.RecursionAvailable = true, true, true
	m.Additionals = nil
	if len(addresses) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, text := range addresses {
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 0}
		switch a := netip.MustParseAddr(text); {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	return m.Pack()
}

func (s *nameServer) record(q dnsmessage.Question) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.count[q]
	s.count[q]++
	if n == 0 && q.Type == dnsmessage.TypeA {
		s.asked = append(s.asked, q.Name.String())
	}
	return n
}
