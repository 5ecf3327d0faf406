package values

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// step is a key of a map, or a place in a list.
type step struct {
	key   string
	place int // -1 for a key
}

func show(path []step) string {
	var b strings.Builder
	for i, s := range path {
		switch {
		case s.place >= 0:
			fmt.Fprintf(&b, "[%d]", s.place)
		case i > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// setter reads an expression.
type setter struct {
	text string
	form Form
	at   int
}

// until reads up to one of the ends, and over it. The end is 0 at the end of
// the text. What a backslash stood before is no end.
func (p *setter) until(ends string) (text string, end byte) {
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '\\' && p.at < len(p.text):
			b.WriteByte(p.text[p.at])
			p.at++
		case strings.IndexByte(ends, c) >= 0:
			return b.String(), c
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), 0
}

// path reads up to the equals sign and over it.
func (p *setter) path() (path []step, err error) {
	for {
		key, end := p.until(".[=,")
		behindPlace := key == "" && len(path) > 0 && path[len(path)-1].place >= 0
		switch {
		case key == "" && !behindPlace || behindPlace && end == 0:
			return nil, fmt.Errorf("after %q: a key is missing", show(path))
		case key != "":
			path = append(path, step{key, -1})
		}
		if end == '[' {
			if path, err = p.places(path); err != nil {
				return nil, err
			}
			if p.at < len(p.text) && p.text[p.at] == '.' {
				p.at++
				continue
			}
			end = 0
			if p.at < len(p.text) {
				end = p.text[p.at]
				p.at++
			}
		}
		switch end {
		case '=':
			return path, nil
		case '.':
		default:
			return nil, fmt.Errorf("%s: there must be =value behind it", show(path))
		}
	}
}

// mostPlaces is how long a list may become by an expression.
const mostPlaces = 1 << 16

// places reads what is in brackets, and more brackets behind them.
func (p *setter) places(path []step) ([]step, error) {
	for {
		text, end := p.until("]")
		place, err := strconv.Atoi(text)
		if end == 0 || err != nil || place < 0 || place >= mostPlaces {
			return nil, fmt.Errorf("%s: in brackets must be a number from 0 to %d", show(path), mostPlaces-1)
		}
		path = append(path, step{place: place})
		if p.at == len(p.text) || p.text[p.at] != '[' {
			return path, nil
		}
		p.at++
	}
}

func (p *setter) value() (any, error) {
	if p.at == len(p.text) || p.text[p.at] != '{' {
		text, _ := p.until(",")
		return p.scalar(text), nil
	}
	p.at++
	list := []any{}
	for {
		text, end := p.until(",}")
		switch {
		case end == 0:
			return nil, errors.New("the list has no end")
		case end == ',' || text != "" || len(list) > 0:
			list = append(list, p.scalar(text))
		}
		if end == '}' {
			break
		}
	}
	if p.at == len(p.text) {
		return list, nil
	}
	if p.text[p.at] != ',' {
		return nil, errors.New("only a comma may stand behind a list")
	}
	p.at++
	return list, nil
}

func (p *setter) scalar(text string) any {
	if p.form == Text {
		return text
	}
	switch strings.ToLower(text) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if n, err := strconv.Atoi(text); err == nil && strconv.Itoa(n) == text { // no zero before it
		return n
	}
	return text
}

// put sets the value at a path below a node, and returns the node.
func put(node any, path []step, v any) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	if s := path[0]; s.place >= 0 {
		list, ok := node.([]any)
		if node != nil && !ok {
			return nil, errors.New("what is there is no list")
		}
		for len(list) <= s.place {
			list = append(list, nil)
		}
		child, err := put(list[s.place], path[1:], v)
		list[s.place] = child
		return list, err
	}
	m, ok := node.(map[string]any)
	if node != nil && !ok {
		return nil, errors.New("what is there is no map")
	}
	if m == nil {
		m = make(map[string]any)
	}
	child, err := put(m[path[0].key], path[1:], v)
	if child == nil {
		delete(m, path[0].key)
	} else {
		m[path[0].key] = child
	}
	return m, err
}
