// Command peers does with a stream what a program built on a general YAML
// library does, and nothing else. It reads standard input; what it writes goes
// to standard output.
//
//	peers kyaml                 read and write all documents with kyaml's kio
//	peers kyaml-per-document    the same, with a new encoder for each document
//	peers yaml-parse            parse with gopkg.in/yaml.v3, write nothing
//	peers goyaml-parse          parse with go.yaml.in/yaml/v3, write nothing
//	peers readable              fail where one of the above would
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	goyaml "go.yaml.in/yaml/v3"
	"gopkg.in/yaml.v3"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

var peers = map[string]func(io.Reader, io.Writer) error{
	"kyaml":              kyaml,
	"kyaml-per-document": kyamlPerDocument,
	"yaml-parse":         yamlParse,
	"goyaml-parse":       goyamlParse,
	"readable":           readable,
}

func main() {
	if len(os.Args) != 2 || peers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: peers kyaml|kyaml-per-document|yaml-parse|goyaml-parse|readable")
		os.Exit(2)
	}
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	err := peers[os.Args[1]](os.Stdin, out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// kyaml is the usual way. The writer has one encoder for the whole stream.
func kyaml(r io.Reader, w io.Writer) error {
	nodes, err := (&kio.ByteReader{Reader: r}).Read()
	if err != nil {
		return err
	}
	return kio.ByteWriter{Writer: w}.Write(nodes)
}

// kyamlPerDocument avoids the encoder that keeps all it wrote.
func kyamlPerDocument(r io.Reader, w io.Writer) error {
	nodes, err := (&kio.ByteReader{Reader: r, OmitReaderAnnotations: true}).Read()
	if err != nil {
		return err
	}
	for _, node := range nodes {
		text, err := node.String()
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, "---\n"+text); err != nil {
			return err
		}
	}
	return nil
}

func yamlParse(r io.Reader, _ io.Writer) error {
	d := yaml.NewDecoder(r)
	return parse(func() error { return d.Decode(new(yaml.Node)) })
}

func goyamlParse(r io.Reader, _ io.Writer) error {
	d := goyaml.NewDecoder(r)
	return parse(func() error { return d.Decode(new(goyaml.Node)) })
}

// parse decodes one document after the other until the stream ends.
func parse(decode func() error) error {
	for {
		if err := decode(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readable runs all peers, with another document before, as in a longer stream.
func readable(r io.Reader, _ io.Writer) error {
	text, err := io.ReadAll(io.MultiReader(bytes.NewBufferString("a: b\n---\n"), r))
	if err != nil {
		return err
	}
	for _, peer := range []func(io.Reader, io.Writer) error{kyaml, kyamlPerDocument, yamlParse, goyamlParse} {
		if err := peer(bytes.NewReader(text), io.Discard); err != nil {
			return err
		}
	}
	return nil
}
