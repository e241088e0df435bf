// Package browser uses the dashboard as people do: with a real Chromium, on the facade as it is assembled, on a real kube-apiserver.
package browser
