package page

import (
	_ "embed"
	"strings"
)

// zoneNames are the time zones of the IANA database that stand for a place, one a line, with UTC first.
//
//go:embed zones.txt
var zoneNames string

// Zones are the time zones that a form offers. Others of the database can be typed.
var Zones = strings.Fields(zoneNames)
