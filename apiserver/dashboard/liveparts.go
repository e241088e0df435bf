package dashboard

import (
	"bytes"
	"hash/maphash"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The attributes of what live updates replace. An element with attributeLive and an id is replaced as a whole; one with attributeRow is a
// row of a list, which is announced and not inserted if it is new.
const (
	attributeLive = "data-live"
	attributeRow  = "data-row"
)

// livePart is an element of a page that live updates replace.
type livePart struct {
	id   string
	row  bool
	html string
	// hash is that of the part without what is different each time it is made: the token of its forms, and how long ago a time was.
	hash uint64
}

// hashSeed is that of the hashes of parts, which no other replica sees.
var hashSeed = maphash.MakeSeed()

// liveParts returns the parts of a page in their order.
func liveParts(page []byte) ([]livePart, error) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	var parts []livePart
	var walk func(*html.Node) error
	walk = func(n *html.Node) error {
		id, isPart := attribute(n, "id"), hasAttribute(n, attributeLive)
		if isPart && id != "" {
			part, err := newLivePart(n, id)
			parts = append(parts, part)
			return err
		}
		for child := range n.ChildNodes() {
			if err := walk(child); err != nil {
				return err
			}
		}
		return nil
	}
	return parts, walk(root)
}

// newLivePart renders an element, and then hashes it without what is different each time.
func newLivePart(n *html.Node, id string) (livePart, error) {
	var sent, same bytes.Buffer
	if err := html.Render(&sent, n); err != nil {
		return livePart{}, err
	}
	for child := range n.Descendants() {
		switch {
		case child.DataAtom == atom.Time:
			dropAttribute(child, "title")
		case child.DataAtom == atom.Input && attribute(child, "name") == fieldTicket:
			dropAttribute(child, "value")
		}
	}
	if err := html.Render(&same, n); err != nil {
		return livePart{}, err
	}
	return livePart{id: id, row: hasAttribute(n, attributeRow), html: sent.String(), hash: maphash.Bytes(hashSeed, same.Bytes())}, nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func dropAttribute(n *html.Node, name string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// liveState is what a browser has of a page.
type liveState struct {
	// rows are the ids of the rows that its page has.
	rows []string
	// hashes are those of the parts that were sent last.
	hashes map[string]uint64
	// added is how many rows it was told of.
	added int
}

// liveMessage is what is sent of a page that has changed.
type liveMessage struct {
	// Parts are elements that take the place of those with the same ids. Each is parsed by itself: a row is none beside other elements.
	Parts []string `json:"parts"`
	// Added is how many rows the list has that the page has not.
	Added int `json:"added"`
}

// changes returns what has to be sent, and remembers it as sent. It is empty if nothing has changed.
func (s *liveState) changes(parts []livePart) (liveMessage, bool) {
	message := liveMessage{Parts: []string{}}
	for _, part := range parts {
		if part.row && !slices.Contains(s.rows, part.id) {
			message.Added++
			continue
		}
		if s.hashes[part.id] != part.hash {
			s.hashes[part.id] = part.hash
			message.Parts = append(message.Parts, part.html)
		}
	}
	some := len(message.Parts) > 0 || s.added != message.Added
	s.added = message.Added
	return message, some
}
