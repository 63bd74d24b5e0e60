package hostrun

import (
	"encoding/json"
	"path/filepath"
)

// InstallPlugin adds a folder with a .claude-plugin/marketplace.json as a
// marketplace and installs every plugin it lists, as a person would. Options
// are plugin options, KEY=VALUE. The host reads such a marketplace in place, so
// the folder must stay as it is while the story runs.
func (c *Claude) InstallPlugin(marketplace string, options ...string) {
	c.tb.Helper()
	path, err := filepath.Abs(marketplace)
	if err != nil {
		c.tb.Fatalf("hostrun: %v", err)
	}
	var market struct {
		Name    string `json:"name"`
		Plugins []struct {
			Name string `json:"name"`
		} `json:"plugins"`
	}
	if err := readJSON(filepath.Join(path, ".claude-plugin", "marketplace.json"), &market); err != nil {
		c.tb.Fatalf("hostrun: %v", err)
	}
	if market.Name == "" || len(market.Plugins) == 0 {
		c.tb.Fatalf("hostrun: %s: a marketplace without a name or plugins", path)
	}
	c.AddMarketplace(path)
	for _, p := range market.Plugins {
		c.AddPlugin(p.Name+"@"+market.Name, options...)
	}
}

// AddMarketplace runs claude plugin marketplace add.
func (c *Claude) AddMarketplace(path string) {
	c.tb.Helper()
	c.Command("plugin", "marketplace", "add", path)
}

// AddPlugin runs claude plugin install for plugin@marketplace.
func (c *Claude) AddPlugin(plugin string, options ...string) {
	c.tb.Helper()
	args := []string{"plugin", "install", plugin}
	for _, o := range options {
		args = append(args, "--config", o)
	}
	c.Command(args...)
	var installed []struct {
		ID      string `json:"id"`
		Enabled bool   `json:"enabled"`
	}
	out := c.Command("plugin", "list", "--json")
	if err := json.Unmarshal([]byte(out), &installed); err != nil {
		c.tb.Fatalf("claude plugin list: %v\n%s", err, out)
	}
	for _, p := range installed {
		if p.ID == plugin && p.Enabled {
			return
		}
	}
	c.tb.Fatalf("claude plugin install %s: not in the list of enabled plugins:\n%s", plugin, out)
}
