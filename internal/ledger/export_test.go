package ledger

// Busyness counts the accounts that a Charger has a goroutine for.
func Busyness(c *Charger) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

// Waiting counts the requests for an account that are in no batch yet.
func Waiting(c *Charger, account string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting[account])
}
