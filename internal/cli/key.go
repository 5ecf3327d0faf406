package cli

import (
	"bytes"
	"os"
)

// The key for the hashes of Secret values: the file that holds it, or itself.
const (
	secretKeyFileVariable = "RESTAMP_SECRET_KEY_FILE"
	secretKeyVariable     = "RESTAMP_SECRET_KEY"
)

// secretKey reads the key for Secret values. The flag wins over the variables,
// which must not both be set. A key that is named, but is not there or empty, is
// an error: hashes would silently be other ones.
func (o *options) secretKey() ([]byte, error) {
	file, fileThere := os.LookupEnv(secretKeyFileVariable)
	key, keyThere := os.LookupEnv(secretKeyVariable)
	switch {
	case o.secretKeyFile != "":
		return readKey("--secret-key-file", o.secretKeyFile)
	case fileThere && keyThere:
		return nil, usage("%s and %s are both set: unset one of them", secretKeyFileVariable, secretKeyVariable)
	case fileThere && file == "":
		return nil, usage("%s is set, but names no file: unset it to hash Secret values without a key", secretKeyFileVariable)
	case fileThere:
		return readKey(secretKeyFileVariable, file)
	case keyThere && key == "":
		return nil, usage("%s is set, but holds no key: unset it to hash Secret values without one", secretKeyVariable)
	case keyThere:
		return []byte(key), nil
	}
	return nil, nil
}

func readKey(source, file string) ([]byte, error) {
	key, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("reading %s: %w", source, err)
	}
	key = bytes.TrimSuffix(key, []byte("\n"))
	if len(key) == 0 {
		return nil, usage("reading %s: %s holds no key", source, file)
	}
	return key, nil
}
