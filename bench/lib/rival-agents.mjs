import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The agents that are compared, each made to talk to the local endpoint and to nobody else, past its first-run
 * questions. `prepare` writes what it needs into a home of its own and says how to start it.
 */
const KEY = "bench-key-of-twenty."

const write = (path, text) => {
  mkdirSync(join(path, ".."), { recursive: true })
  writeFileSync(path, text)
}

const versionOf = (installed, name) =>
  JSON.parse(readFileSync(join(installed, "node_modules", name, "package.json"), "utf8")).version

const nacre = (cli) => ({
  name: "nacre",
  version: execFileSync(process.execPath, [cli, "--version"], { encoding: "utf8" }).trim().split(" ")[0],
  ready: "Type a message",
  prepare: (_place, url) => ({
    command: [process.execPath, cli],
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, ANTHROPIC_MODEL: "claude-sonnet-5-5" }
  })
})

const claude = {
  name: "claude",
  package: "@anthropic-ai/claude-code",
  ready: "? for shortcuts",
  prepare: (bin) => (place, url) => {
    const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
    const answered = {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: [KEY], rejected: [] }
    }
    write(join(place.home, ".claude.json"), JSON.stringify({ ...answered, projects: { [place.cwd]: project } }))
    const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" }
    return { command: [bin], env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, ...quiet } }
  }
}

const codex = {
  name: "codex",
  package: "@openai/codex",
  ready: "? for shortcuts",
  prepare: (bin) => (place, url) => {
    const config = `model = "bench"
model_provider = "bench"
approval_policy = "never"
sandbox_mode = "read-only"
[model_providers.bench]
name = "bench"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "BENCH_KEY"
[projects."${place.cwd}"]
trust_level = "trusted"
`
    write(join(place.home, ".codex", "config.toml"), config)
    return { command: [bin], env: { BENCH_KEY: KEY } }
  }
}

const pi = {
  name: "pi",
  package: "@mariozechner/pi-coding-agent",
  ready: "(auto)",
  prepare: (bin) => (place, url) => {
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const model = {
      id: "bench",
      name: "bench",
      reasoning: false,
      input: ["text"],
      cost: free,
      contextWindow: 128_000,
      maxTokens: 16_000
    }
    const provider = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: KEY, models: [model] }
    write(join(place.home, ".pi", "agent", "models.json"), JSON.stringify({ providers: { bench: provider } }))
    return {
      command: [bin, "--provider", "bench", "--model", "bench"],
      env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" }
    }
  }
}

/** Ours, and those of the others that are installed in the directory. */
export const findAgents = ({ cli, installed }) => {
  const found = [claude, codex, pi].flatMap(({ name, package: from, ready, prepare }) => {
    const bin = installed === undefined ? undefined : join(installed, "node_modules", ".bin", name)
    if (bin === undefined || !existsSync(bin)) return []
    return [{ name, version: versionOf(installed, from), ready, prepare: prepare(bin) }]
  })
  return [nacre(cli), ...found]
}
