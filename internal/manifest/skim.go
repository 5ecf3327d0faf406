package manifest

import "bytes"

// Header is what a document's unindented lines tell of it.
type Header struct {
	APIVersion, Kind []byte // parts of the document's text
}

// Skim tells what a document is without parsing it. It looks at unindented
// lines alone, each of which must be a comment, a plain "key:", an entry of a
// sequence or blank; sure is false where one is not, or kind is not told
// exactly once, and then the document must be parsed to know.
//
// A document with no kind at all is surely no object. A document whose kind is
// wanted is to be parsed anyway, so that it is not sure what it is.
func (d *Document) Skim(wanted func(kind []byte) bool) (h Header, sure bool) {
	text := bytes.TrimPrefix(d.Text, bom)
	first := true // no content yet
	for at := 0; at < len(text); {
		end := LineEnd(text, at)
		line := text[at:end]
		at = end
		switch c := line[0]; {
		case c == ' ':
			if first && len(bytes.TrimSpace(line)) > 0 && bytes.TrimSpace(line)[0] != '#' {
				return h, false
			}
			continue
		case c == '\n' || c == '\r' || c == '#':
			continue
		case c == '-' && len(line) > 1 && isSpace(line[1]):
		case c == '-' && first && markerOnly(line, "---"):
			continue
		case c == '.' && markerOnly(line, "..."):
			continue
		default:
			if !h.add(line) || h.Kind != nil && line[0] == 'k' && wanted(h.Kind) {
				return h, false
			}
		}
		first = false
	}
	return h, true
}

// markerOnly reports whether a line is a document marker with nothing but a
// comment behind it.
func markerOnly(line []byte, mark string) bool {
	if !isMarker(line, mark) {
		return false
	}
	rest := bytes.TrimSpace(line[3:])
	return len(rest) == 0 || rest[0] == '#'
}

// add takes in the line of a root key.
func (h *Header) add(line []byte) bool {
	colon := bytes.IndexByte(line, ':')
	if colon < 0 || colon+1 < len(line) && !isSpace(line[colon+1]) {
		return false
	}
	for _, c := range line[:colon] {
		if !isKeyByte(c) {
			return false
		}
	}
	switch string(line[:colon]) {
	case "kind":
		return setOnce(&h.Kind, line[colon+1:])
	case "apiVersion":
		return setOnce(&h.APIVersion, line[colon+1:])
	}
	return true
}

// setOnce takes a plain or simply quoted value.
func setOnce(field *[]byte, value []byte) bool {
	if *field != nil {
		return false
	}
	value = bytes.TrimSpace(value)
	if i := bytes.Index(value, []byte(" #")); i >= 0 {
		value = bytes.TrimSpace(value[:i])
	}
	if n := len(value); n > 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	for _, c := range value {
		if !isKeyByte(c) && c != '/' {
			return false
		}
	}
	*field = value
	return len(value) > 0
}

// isKeyByte reports whether c is part of a plain word.
func isKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
}
