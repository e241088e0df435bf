package language

import (
	"strings"
	"unicode/utf8"
)

// addCluster adds characters that fold together, and reports whether the last of them is a letter or a digit.
func (r *Reader) addCluster(cluster string) bool {
	f := r.fold(cluster)
	if f.inWord {
		if r.signs > 0 {
			r.endWord(classWord)
		}
		r.word, r.count.inside = append(r.word, f.text...), true
		return f.joins
	}
	for _, c := range cluster {
		r.count.see(c, r.classes.of(c))
	}
	for _, c := range f.text {
		r.add(c, r.classes.of(c))
	}
	return f.joins
}

// folded are characters that fold together, in their folded form.
type folded struct {
	text string
	// inWord is true if they are a part of a word before and after folding, and of no script without spaces.
	inWord bool
	// joins is true if the last of them was a letter or a digit.
	joins bool
}

// fold folds characters that fold together: mostly the same as the last time, or before.
func (r *Reader) fold(cluster string) folded {
	if cluster == r.lastCluster {
		return r.lastFolded
	}
	f, ok := r.folded[cluster]
	if !ok {
		f = r.foldNew(cluster)
		r.folded[cluster] = f
	}
	r.lastCluster, r.lastFolded = cluster, f
	return f
}

func (r *Reader) foldNew(cluster string) folded {
	last, _ := utf8.DecodeLastRuneInString(cluster)
	f := folded{text: foldAny(cluster), joins: r.classes.of(last)&classJoined != 0}
	f.inWord = r.isInWord(cluster) && r.isInWord(f.text)
	return f
}

// isInWord reports whether a text begins with a letter or a number, and has no more than letters, numbers and marks, and none that are
// words of their own.
func (r *Reader) isInWord(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return r.classes.of(first)&(classLetter|classNumber) != 0 && !strings.ContainsFunc(text, func(c rune) bool {
		is := r.classes.of(c)
		return is&classWord == 0 || is&classSingle != 0 || c == apostropheLetter
	})
}
