package check

import (
	"sync"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// tools are what the checks of a text need, with the memory for it. Another text uses them again.
type tools struct {
	reader *language.Reader
	lists  lists
	// keys and times are of phraseKeys.
	keys  []uint64
	times []uint32
	// places are of countKeys.
	places []keyCount
}

// usedTools are those that no check uses now. Each belongs to one language.
var usedTools sync.Pool

// takeTools returns tools for a text of so many bytes.
func takeTools(p *language.Profile, size int) *tools {
	if t, ok := usedTools.Get().(*tools); ok && t.reader.Knows(p) {
		t.reader.Again(size)
		return t
	}
	t := &tools{reader: p.NewReaderFor(size)}
	t.lists = newLists(t.reader)
	t.reader.Keep()
	return t
}
