package mcpserver

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/auto-context-handover/handover/internal/hosts"
)

// TestToolsList pins what a host's model is told about the tools.
func TestToolsList(t *testing.T) {
	for _, host := range hosts.All() {
		r := newRig(t, func(o *Options) { o.Host = host })
		got := r.request("tools/list", "{}")
		var list bytes.Buffer
		if err := json.Indent(&list, []byte(got.Raw), "", "  "); err != nil {
			t.Fatal(err)
		}
		list.WriteByte('\n')
		golden(t, "testdata/tools_list_"+host.Name+".json", list.Bytes())
		for _, word := range []string{hosts.ReservedKey, "outputSchema", "listChanged"} {
			if strings.Contains(got.Raw, word) {
				t.Errorf("tools/list holds %q", word)
			}
		}
	}
}

// TestConversations plays testdata/*.txtar: each holds the lines of a client
// and the answers that are expected, in order. A line of the client that is no
// notification is answered before the next is sent. $STORE stands for the
// store's directory.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) != 2 || archive.Files[0].Name != "client" || archive.Files[1].Name != "server" {
				t.Fatalf("%s does not hold client and server", file)
			}
			r := startRig(t, nil)
			var answers []string
			for line := range strings.Lines(string(archive.Files[0].Data)) {
				line = strings.TrimSuffix(line, "\n")
				r.send(line)
				var msg struct{ ID json.RawMessage }
				if err := json.Unmarshal([]byte(line), &msg); err == nil && msg.ID == nil {
					continue
				}
				id := "null"
				if msg.ID != nil {
					id = string(msg.ID)
				}
				answers = append(answers, strings.ReplaceAll(r.await(id).Raw, r.options.DataDir, "$STORE"))
			}
			got := strings.Join(answers, "\n") + "\n"
			if updating(t) {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(archive.Files[1].Data); got != want {
				t.Errorf("answers differ; run with -update to accept\n got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
