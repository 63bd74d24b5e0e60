// What our hook does after a quiet batch of tools, written the way a TypeScript
// plugin would: the event from stdin, the agent's state and its settings, the
// newest usage at the end of its record, and whether that reaches a stage. It
// says nothing below the first one.
import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

interface BatchEvent {
  session_id: string;
  transcript_path: string;
  agent_id?: string;
  agent_type?: string;
  hook_event_name: string;
  tool_calls?: { tool_use_id: string }[];
}

interface Usage {
  input_tokens: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  output_tokens: number;
}

interface Row {
  type: string;
  agentId?: string;
  sessionId?: string;
  message?: { id?: string; model?: string; usage?: Usage; content?: { type: string; id?: string }[] };
}

const home = process.env.HOME ?? "";
const store = process.env.AUTO_CONTEXT_HANDOVER_DATA ?? join(process.env.XDG_DATA_HOME ?? join(home, ".local", "share"), "handover");

function readJSON(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function closed(event: BatchEvent): boolean {
  const key = createHash("sha256").update(JSON.stringify(["claude", event.session_id, event.agent_id ?? "", 1])).digest("hex");
  const id = join(store, "handovers", `ho-${key.slice(0, 16)}`);
  return existsSync(`${id}.handover`) || existsSync(`${id}.removed`);
}

function stagesTold(event: BatchEvent): string[] {
  const key = createHash("sha256").update(JSON.stringify(["claude", event.session_id, event.agent_id ?? ""])).digest("hex");
  try {
    return readdirSync(join(store, "actors", key.slice(0, 32))).filter((name) => name.includes(".stage-"));
  } catch {
    return [];
  }
}

function lastRow(event: BatchEvent): Row | undefined {
  const main = event.transcript_path;
  const path = event.agent_id ? join(main.slice(0, -".jsonl".length), "subagents", `agent-${event.agent_id}.jsonl`) : main;
  const fd = openSync(path, "r");
  try {
    const size = fstatSync(fd).size;
    for (let length = 64 << 10; ; length *= 4) {
      const from = Math.max(0, size - length);
      const block = Buffer.alloc(size - from);
      readSync(fd, block, 0, block.length, from);
      const lines = block.toString("utf8").split("\n");
      if (from > 0) lines.shift();
      for (const line of lines.reverse()) {
        if (!line.includes('"usage"')) continue;
        const row = JSON.parse(line) as Row;
        if (row.type === "assistant" && row.agentId === event.agent_id && row.message?.usage) return row;
      }
      if (from === 0 || length > 16 << 20) return undefined;
    }
  } finally {
    closeSync(fd);
  }
}

function main(): void {
  const event = JSON.parse(readFileSync(0, "utf8")) as BatchEvent;
  if (event.hook_event_name !== "PostToolBatch" || !event.agent_id) return;
  if (existsSync(store) && statSync(store).uid !== process.getuid?.()) return;
  const config = readJSON(join(process.env.XDG_CONFIG_HOME ?? join(home, ".config"), "handover", "config.json"));
  if (config?.enabled === false || closed(event)) return;
  const told = stagesTold(event).length;
  const row = lastRow(event);
  const usage = row?.message?.usage;
  if (!usage) return;
  const user = readJSON(join(home, ".claude", "settings.json"));
  const project = readJSON(join(process.env.CLAUDE_PROJECT_DIR ?? dirname(event.transcript_path), ".claude", "settings.json"));
  const window = Number(project?.autoCompactWindow ?? user?.autoCompactWindow ?? 200_000);
  const tokens = usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + usage.output_tokens;
  const soft = Math.min(150_000, (window - 33_000) * 0.72);
  if (tokens < soft * [1, 1.1, 1.2, 1.5][Math.min(told, 3)]) return;
  process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolBatch", additionalContext: `${tokens} tokens` } }));
}

main();
