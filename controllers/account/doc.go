// Package account holds the controller of Accounts: it makes the ledger of a new account, confirms or returns the pending charges of each
// ledger, and says in status whether the account can be used.
package account
