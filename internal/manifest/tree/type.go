package tree

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unsafe"
)

// Type is what a scalar stands for.
type Type uint8

// The types of scalars. A scalar in quotes, behind | or behind > is a String.
const (
	untyped Type = iota
	String
	Bool
	Int
	Float
	Null
)

// String names the type as a user would.
func (t Type) String() string {
	return [...]string{"nothing", "a string", "a boolean", "a number", "a number", "null"}[t]
}

// Type returns what a scalar stands for, as the API server is given it by
// kubectl, Helm and Argo CD, which all read YAML 1.1 through sigs.k8s.io/yaml
// (v1.6.0, go.yaml.in/yaml/v2 resolve.go): yes and no, on and off, y and n are
// booleans, 012 and 0x1f and 1_000 numbers, a date is a string.
func (n Node) Type() Type {
	if n.Kind() != Scalar {
		return untyped
	}
	nd := n.node()
	switch {
	case nd.typ != untyped:
		return nd.typ
	case nd.style != plain:
		return String
	case nd.flags&imported != 0:
		return Resolve(n.tree.values[nd.aux])
	case nd.flags&raw == 0:
		return String // over several lines
	}
	text := n.rawText()
	return Resolve(unsafe.String(unsafe.SliceData(text), len(text)))
}

var (
	styleFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	styleInt   = regexp.MustCompile(`^[-+]?[0-9]+$`)
)

// Resolve returns the type of a plain scalar.
func Resolve(text string) Type {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return Bool
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return Float
	}
	switch c := text[0]; {
	case c > '9' || c < '0' && c != '+' && c != '-' && c != '.':
		return String
	case c == '.':
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return Float
		}
		return String
	case isDate(text):
		return String
	}
	digits := strings.ReplaceAll(text, "_", "")
	if _, ok := integer(digits); ok {
		return Int
	}
	if styleFloat.MatchString(digits) {
		if _, err := strconv.ParseFloat(digits, 64); err == nil {
			return Float
		}
	}
	return String
}

// truth tells which of the two a boolean's word says.
func truth(word string) bool {
	return strings.ContainsRune("yYtT", rune(word[0])) || strings.EqualFold(word, "on")
}

// isDate reports whether a text starts as a timestamp does; no number does.
func isDate(text string) bool {
	return len(text) > 4 && text[4] == '-' && styleInt.MatchString(text[:4])
}

// integer returns the decimal digits of an integer in any of YAML 1.1's bases.
// Decimal digits are kept however many there are, where the library would
// round to a float.
func integer(text string) (string, bool) {
	if v, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(v, 10), true
	}
	if v, err := strconv.ParseUint(text, 0, 64); err == nil {
		return strconv.FormatUint(v, 10), true
	}
	if rest, ok := strings.CutPrefix(text, "-0b"); ok {
		v, err := strconv.ParseInt("-"+rest, 2, 64)
		return strconv.FormatInt(v, 10), err == nil
	}
	digits := strings.TrimLeft(text, "+-")
	if len(digits) > 18 && digits[0] != '0' && styleInt.MatchString(text) {
		return strings.TrimPrefix(text, "+"), true
	}
	return "", false
}

// True reports whether a scalar is a boolean that is true.
func (n Node) True() bool { return n.Type() == Bool && truth(n.Text()) }

// AppendJSON appends a scalar that is no string as canonical JSON (RFC 8785).
// Integers keep their digits; ok is false for what JSON cannot say, infinity
// and not-a-number.
func (n Node) AppendJSON(buf []byte) (out []byte, ok bool) {
	text := n.Text()
	switch n.Type() {
	case Null:
		return append(buf, "null"...), true
	case Bool:
		return strconv.AppendBool(buf, truth(text)), true
	case Int:
		digits, ok := integer(strings.ReplaceAll(text, "_", ""))
		return append(buf, digits...), ok
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return buf, false
	}
	return appendFloat(buf, f), true
}

// appendFloat writes a number as ECMAScript does, which RFC 8785 prescribes.
func appendFloat(buf []byte, f float64) []byte {
	if f == 0 {
		return append(buf, '0') // also for -0
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(buf, f, 'f', -1, 64)
	}
	buf = strconv.AppendFloat(buf, f, 'e', -1, 64)
	if n := len(buf); buf[n-2] == '0' && (buf[n-3] == '-' || buf[n-3] == '+') {
		buf[n-2] = buf[n-1] // e-07 is e-7
		buf = buf[:n-1]
	}
	return buf
}
