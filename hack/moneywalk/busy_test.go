package moneywalk_test

// occupy marks who is busy, and reports whether they were not before.
func (w *walk) occupy(who string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.busy[who]
	w.busy[who] = true
	return !before
}

// spawn does something beside the walk, unless who is busy.
func (w *walk) spawn(who string, do func()) {
	if !w.occupy(who) {
		return
	}
	go func() {
		do()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.busy, who)
	}()
}

// isBusy reports whether somebody is busy.
func (w *walk) isBusy(who string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.busy[who]
}
