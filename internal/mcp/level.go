package mcp

import "slices"

// Level is the severity of a log message, as MCP and syslog name them.
type Level int32

// The levels of MCP, least severe first. The zero Level asks for nothing.
const (
	Debug Level = iota + 1
	Info
	Notice
	Warning
	Error
	Critical
	Alert
	Emergency
)

var levelNames = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// String returns the level as MCP writes it.
func (l Level) String() string {
	if l < Debug || l > Emergency {
		return "none"
	}
	return levelNames[l-1]
}

// ParseLevel returns the level of that name.
func ParseLevel(name string) (Level, bool) {
	i := slices.Index(levelNames, name)
	return Level(i + 1), i >= 0
}
