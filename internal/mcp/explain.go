package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	printer "golang.org/x/text/message"

	"stratum"
)

// errorsMax is the most bytes that data.errors takes.
const errorsMax = 64 << 10

var english = printer.NewPrinter(language.English)

// explain lists every violated path, by path.
func (s *schema) explain(err error) []stratum.FieldError {
	violation, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []stratum.FieldError{{Message: "does not fit the tool's schema"}}
	}
	var fields []stratum.FieldError
	var walk func(*jsonschema.ValidationError)
	walk = func(v *jsonschema.ValidationError) {
		for _, cause := range v.Causes {
			walk(cause)
		}
		if len(v.Causes) == 0 {
			fields = append(fields, s.fieldErrors(v)...)
		}
	}
	walk(violation)
	slices.SortFunc(fields, func(a, b stratum.FieldError) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	return fields
}

// fieldErrors words one violation. It repeats no text of the client's but the
// names of properties.
func (s *schema) fieldErrors(v *jsonschema.ValidationError) []stratum.FieldError {
	var at strings.Builder
	for _, step := range v.InstanceLocation {
		at.WriteString(pointer(step))
	}
	one := func(format string, args ...any) []stratum.FieldError {
		return []stratum.FieldError{{Path: at.String(), Message: fmt.Sprintf(format, args...)}}
	}
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		fields := make([]stratum.FieldError, len(k.Missing))
		for i, name := range k.Missing {
			fields[i] = stratum.FieldError{Path: at.String() + pointer(name), Message: "is missing, and required"}
		}
		return fields
	case *kind.AdditionalProperties:
		fields := make([]stratum.FieldError, len(k.Properties))
		for i, name := range k.Properties {
			fields[i] = stratum.FieldError{Path: at.String() + pointer(name), Message: "is not a property of this tool"}
			if near := closest(name, s.names()); len(near) > 0 {
				fields[i].Message += " (did you mean " + strings.Join(near, " or ") + "?)"
			}
		}
		return fields
	case *kind.Type:
		return one("must be %s, not %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		return one("must be one of %s", marshal(k.Want))
	case *kind.Minimum:
		return one("must be at least %s", k.Want.RatString())
	case *kind.Maximum:
		return one("must be at most %s", k.Want.RatString())
	case *kind.MinLength:
		if k.Want == 1 {
			return one("must not be empty")
		}
		return one("must have at least %d characters, not %d", k.Want, k.Got)
	case *kind.MaxLength:
		return one("must have at most %d characters, not %d", k.Want, k.Got)
	case *kind.Pattern:
		return one("does not match the pattern %s", k.Want)
	}
	return one("%.200s", v.ErrorKind.LocalizedString(english))
}

func (s *schema) names() []string {
	names := make([]string, len(s.props))
	for i, p := range s.props {
		names[i] = p.name
	}
	return names
}

// refuse makes the error for arguments that do not fit, with as many of the
// fields as room bytes hold.
func (s *schema) refuse(fields []stratum.FieldError, room int) *stratum.Error {
	const inMessage = 3
	e := &stratum.Error{Kind: stratum.InvalidArgs}
	var told []string
	for i, f := range fields {
		room -= len(marshal(f)) + len(",")
		if room < 0 {
			e.Errors = append(e.Errors, stratum.FieldError{Message: fmt.Sprintf("%d more are not listed", len(fields)-i)})
			break
		}
		e.Errors = append(e.Errors, f)
		if len(told) < inMessage && len(f.Path) <= nameMax {
			told = append(told, strings.TrimSpace(cmp.Or(f.Path, "the whole")+" "+f.Message))
		}
	}
	if rest := len(fields) - len(told); rest > 0 {
		told = append(told, fmt.Sprintf("%d more in data.errors", rest))
	}
	e.Message = fmt.Sprintf("The arguments of %s do not fit its schema: %s.", s.tool, strings.Join(told, "; "))
	e.Hint = s.usage
	return e
}
