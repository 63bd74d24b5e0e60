//go:build linux || darwin

package main

// groups are all figures with their bounds, in the order they are printed in.
// Everything is built and written below dir.
func groups(dir string) []group {
	b := &builder{dir: dir}
	return []group{
		{
			figures: []figure{
				{name: "hook_foreign_vs_empty_go", most: 1.4},
				{name: "hook_measuring_vs_empty_go", most: 1.6},
				{name: "hook_measuring_config_vs_empty_go", most: 2.0},
				{name: "tail_1gb_vs_1mb", most: 1.1},
				{name: "hook_foreign_mb", most: 12},
				{name: "hook_measuring_mb", most: 12},
			},
			measure: func() (map[string]value, error) { return measureHook(b) },
		},
		{
			figures: []figure{
				{name: "hook_stdin_16mb_vs_empty_go", most: 20},
				{name: "hook_stdin_16mb_mb", most: 12},
			},
			measure: func() (map[string]value, error) { return measureLargeStdin(b) },
		},
		{
			figures: []figure{{name: "hook_vs_node_ts", least: 30}},
			measure: func() (map[string]value, error) { return measureNode(b) },
		},
		{
			figures: []figure{
				{name: "mcp_start_vs_bare_sdk", most: 1.25},
				{name: "mcp_idle_mb", most: 15},
			},
			measure: func() (map[string]value, error) { return measureServer(b) },
		},
		{
			figures: []figure{{name: "publish_vs_syscalls", most: 1.2}},
			measure: func() (map[string]value, error) { return measurePublish(b) },
		},
		{
			figures: []figure{{name: "read_100k_vs_100", most: 1.2}},
			measure: func() (map[string]value, error) { return measureRead(b) },
		},
	}
}
