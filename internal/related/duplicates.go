package related

import "slices"

// sameKeyword returns the names of the other articles with the keyword of one, in order.
func (s *Site) sameKeyword(of *subject) []string {
	var names []string
	for name, other := range s.articles {
		if of.key != "" && other.key == of.key && name != of.Name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), maxSameKeyword)]
}

// Near returns the names of the published articles, other than one, whose text a fingerprint is near to, in order.
func (s *Site) Near(f Fingerprint, except string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var names []string
	for _, p := range s.prints {
		if f.Near(p.fingerprint) && p.of.Name != except {
			names = append(names, p.of.Name)
		}
	}
	slices.Sort(names)
	return names
}
