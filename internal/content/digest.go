package content

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// digestDomain separates these digests from any other use of SHA-256 and numbers the encoding. Approvals name digests, so
// the encoding may never change under the same number.
const digestDomain = "pressroom.dev/content/v1\n"

// Digest names the content: "sha256:" and the lower-case hex SHA-256 of the domain, then of title, slug, Markdown, meta
// title, meta description and language, then of the number of questions, then of each question and answer. A text is
// written as its length in bytes (8 bytes, big-endian) and its bytes, a number as 8 bytes, so that no two documents have
// the same encoding.
func (d Document) Digest() string {
	h := sha256.New()
	h.Write([]byte(digestDomain))
	for _, field := range []string{d.Title, d.Slug, d.Markdown, d.MetaTitle, d.MetaDescription, d.Language} {
		writeText(h, field)
	}
	writeNumber(h, uint64(len(d.FAQ)))
	for _, f := range d.FAQ {
		writeText(h, f.Question)
		writeText(h, f.Answer)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func writeText(h hash.Hash, s string) {
	writeNumber(h, uint64(len(s)))
	h.Write([]byte(s))
}

func writeNumber(h hash.Hash, n uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	h.Write(b[:])
}
