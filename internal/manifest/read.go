package manifest

import (
	"bytes"
	"errors"
	"io"
)

// chunkSize is how much of a stream is read before what is there goes to work.
const chunkSize = 1 << 20

// Read reads a stream to its end and hands on each chunk as soon as it is
// there. The error is the reader's: nothing is wrong yet with what was read.
func (in *Input) Read(r io.Reader, each func(*Chunk)) error {
	buf := make([]byte, 0, chunkSize)
	searched := 0
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			if in.EndLine && len(buf) > 0 && buf[len(buf)-1] != '\n' {
				buf = append(buf, '\n')
			}
			if len(buf) > 0 {
				in.add(buf, each)
			}
			return nil
		}
		if err != nil {
			return err
		}
		cut := lastCut(buf, searched)
		if cut == 0 { // one document so far
			searched = max(len(buf)-len("\n---")-2, 0)
			buf = append(make([]byte, 0, grown(cap(buf))), buf...)
			continue
		}
		in.add(buf[:cut:cut], each)
		rest := buf[cut:]
		buf = append(make([]byte, 0, max(chunkSize, 2*len(rest))), rest...)
		searched = 0
	}
}

// grown is the next size of a buffer: twice the old one, but in small steps
// where that would cost memory that counts.
func grown(size int) int {
	const large = 64 << 20
	if size < large {
		return 2 * size
	}
	return size + size/4
}

func (in *Input) add(text []byte, each func(*Chunk)) {
	c := &Chunk{Text: text, Input: in}
	in.Chunks = append(in.Chunks, c)
	each(c)
}

// lastCut returns the offset of the last "---" line in a text, 0 if none is
// found from the offset on that was searched before. One that may end
// directives is passed over, and so is one that the text ends with, as it may
// go on with other characters.
func lastCut(text []byte, searched int) int {
	for i := len(text) - 1; i > searched; i -= 3 { // as in splitter.mark
		if text[i] != '-' {
			continue
		}
		at := i
		for at > max(i-2, 0) && text[at-1] == '-' {
			at--
		}
		if at > 0 && text[at-1] == '\n' && at+len("---") < len(text) && isMarker(text[at:], "---") && !mayEndDirectives(text[:at]) {
			return at
		}
	}
	return 0
}

// mayEndDirectives reports whether the last line of a text that is no comment
// is a directive.
func mayEndDirectives(text []byte) bool {
	for len(text) > 0 {
		start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
		line := bytes.TrimSpace(bytes.TrimPrefix(text[start:], bom))
		if len(line) > 0 && line[0] != '#' {
			return line[0] == '%'
		}
		text = text[:start]
	}
	return false
}
