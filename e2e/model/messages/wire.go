// Package messages is the Anthropic Messages API as a [model.Wire]: POST
// /v1/messages, streamed or whole, and POST /v1/messages/count_tokens.
package messages

import (
	"net/http"
	"strings"

	"github.com/auto-context-handover/handover/e2e/model"
)

// Wire is the format. Its zero value is ready.
type Wire struct{}

var _ model.Wire = Wire{}

// Use implements [model.Wire].
func (Wire) Use(method, path string) model.Use {
	switch {
	case method != http.MethodPost:
		return model.UseProbe
	case strings.HasSuffix(path, "/v1/messages"):
		return model.UseAnswer
	case strings.HasSuffix(path, "/v1/messages/count_tokens"):
		return model.UseCount
	}
	return model.UseProbe
}
