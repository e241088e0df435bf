package answer

import (
	"runtime/debug"
	"strings"
)

// UserAgent names the program and its version to receivers.
var UserAgent = "Pressroom/" + version()

// version is the module's, as the Go tool stamps it into the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}
