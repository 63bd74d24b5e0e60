package store

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
	"time"
)

// fallbackAge is how long hooks add the hidden argument after the server has
// seen a call that came without the host's call id.
const fallbackAge = 7 * 24 * time.Hour

// fallbackPrefix is how the names of the files that say so begin.
const fallbackPrefix = "token-"

// NewToken draws a hidden argument, "<random>.<secret>" with 128 bits of
// secret, and gives what goes into Capability.TokenHash. The random part is the
// beginning of that hash, and the record that IssueCapability then writes is
// named by it.
func NewToken() (token, secretHash string) {
	secret := random(16)
	secretHash = hashSecret(secret)
	return secretHash[:keyDigits] + "." + secret, secretHash
}

func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// tokenName is the random part of a token, "" where it has another form.
func tokenName(token string) string {
	name, _, ok := strings.Cut(token, ".")
	if !ok || !isKey(name) {
		return ""
	}
	return name
}

// tokenFits reports whether a token is the one whose secret has this hash.
func tokenFits(token, secretHash string) bool {
	_, secret, _ := strings.Cut(token, ".")
	return secretHash != "" && subtle.ConstantTimeCompare([]byte(hashSecret(secret)), []byte(secretHash)) == 1
}

// TouchFallback notes that a call of this host came without its call id, so
// that hooks add the hidden argument from now on.
func (s *Store) TouchFallback(host string) error {
	d, err := s.enter(dirCapabilities)
	if err != nil {
		return err
	}
	defer d.Close()
	data, err := line(struct {
		Version int       `json:"v"`
		Host    string    `json:"host"`
		At      time.Time `json:"at"`
	}{RecordVersion, host, s.now().UTC()})
	if err != nil {
		return err
	}
	return s.replace(d, fallbackName(host), data)
}

// FallbackWanted reports whether such a call came within the last seven days,
// or at a time that is still to come.
func (s *Store) FallbackWanted(host string, now time.Time) bool {
	info, err := s.root.Lstat(dirCapabilities + "/" + fallbackName(host))
	return err == nil && now.Sub(info.ModTime()) < fallbackAge
}

// fallbackName: the file's name shows the host, whose name is one of ours;
// anything else is hashed.
func fallbackName(host string) string {
	if host == "" || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(host) > keyDigits {
		host = hashSecret(host)[:keyDigits]
	}
	return fallbackPrefix + host
}
