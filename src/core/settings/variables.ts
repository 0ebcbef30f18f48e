import { type Env, readVariable } from "../domain/env.ts"

/**
 * Every variable of the environment that is known. Reading them is up to whoever needs one; this table is what
 * `nacre doctor` checks and docs/ENVIRONMENT.md is made of, and a test keeps it complete.
 */
export interface Variable {
  /** With its full name; one that begins with CLAUDE_CODE_ may also be written as NACRE_, which goes first. */
  readonly name: string
  readonly kind: "flag" | "text" | "secret" | "number"
  /** Numbers only. */
  readonly range?: readonly [least: number, most: number]
  /** What it does, in half a sentence; those that do nothing need none. */
  readonly help: string
  /** Known to others of its kind, without effect in this version. */
  readonly unused?: true
}

const LONGEST_MS = 2_147_483_647
const MANY_TOKENS = 10_000_000

const flag = (name: string, help: string): Variable => ({ name, kind: "flag", help })
const text = (name: string, help: string): Variable => ({ name, kind: "text", help })
const secret = (name: string, help: string): Variable => ({ name, kind: "secret", help })
const number = (name: string, least: number, most: number, help: string): Variable => ({
  name,
  kind: "number",
  range: [least, most],
  help
})

const unused = (kind: Variable["kind"], names: string): ReadonlyArray<Variable> =>
  names.split(" ").map((name) => ({ name, kind, help: "", unused: true }))

export const VARIABLE_GROUPS = {
  "Files and sessions": [
    text("NACRE_CONFIG_DIR", "the configuration directory; `~/.claude` when neither this nor the next is set"),
    text("CLAUDE_CONFIG_DIR", "the same; NACRE_CONFIG_DIR wins"),
    text("CLAUDE_CODE_TMPDIR", "directory for temporary files of Nacre and its commands"),
    text("CLAUDE_CODE_PROJECT_DIR_NAME", "fixed name for the project's directory below `projects`"),
    flag("NACRE_TRUST", "trusts the folder for this run; read from the environment only, never from a file"),
    flag("CLAUDE_CODE_SKIP_PROMPT_HISTORY", "prompts, registers and marks are not written to disk"),
    flag("NACRE_NO_HISTORY", "the same"),
    text("CLAUDE_CODE_ENTRYPOINT", "who started Nacre, as the transcript names it")
  ],
  "Credential and endpoint": [
    secret("ANTHROPIC_API_KEY", "an API key"),
    secret("ANTHROPIC_AUTH_TOKEN", "a bearer token; it wins over the key"),
    flag("NACRE_REQUIRE_CREDENTIAL", "without a credential the start fails instead of going offline"),
    number(
      "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
      0,
      LONGEST_MS,
      "how long a key of `apiKeyHelper` is used; 300,000 by default"
    ),
    text("ANTHROPIC_BASE_URL", "another endpoint that speaks the Messages API"),
    secret("ANTHROPIC_CUSTOM_HEADERS", "more request headers, one `Name: value` a line"),
    flag("DO_NOT_TRACK", "requests carry no user id"),
    text("HTTPS_PROXY", "proxy for requests to the model"),
    text("https_proxy", "the same, where HTTPS_PROXY is not set"),
    text("HTTP_PROXY", "proxy for an endpoint without TLS"),
    text("http_proxy", "the same, where HTTP_PROXY is not set"),
    text("ALL_PROXY", "proxy where neither of these names one"),
    text("all_proxy", "the same, where ALL_PROXY is not set"),
    text("NO_PROXY", "hosts that are reached without a proxy"),
    text("no_proxy", "the same, where NO_PROXY is not set"),
    text("NODE_EXTRA_CA_CERTS", "more certificate authorities; Node itself reads it")
  ],
  "Model and answers": [
    text("ANTHROPIC_MODEL", "the model when --model names none; it wins over the setting"),
    text("ANTHROPIC_DEFAULT_OPUS_MODEL", "the model behind the alias `opus`"),
    text("ANTHROPIC_DEFAULT_SONNET_MODEL", "the model behind the alias `sonnet`"),
    text("ANTHROPIC_DEFAULT_HAIKU_MODEL", "the model behind the alias `haiku`"),
    text(
      "ANTHROPIC_SMALL_FAST_MODEL",
      "the model for side requests, such as reading a page for WebFetch; the newest Haiku by default"
    ),
    number("CLAUDE_CODE_MAX_OUTPUT_TOKENS", 1, MANY_TOKENS, "fixed limit for one answer"),
    text("CLAUDE_CODE_EFFORT_LEVEL", "effort of the answers"),
    flag("CLAUDE_CODE_ALWAYS_ENABLE_EFFORT", "the effort is sent to models that are not known to take it"),
    number("MAX_THINKING_TOKENS", 0, MANY_TOKENS, "thinking budget; 0 turns thinking off"),
    flag("CLAUDE_CODE_DISABLE_THINKING", "no thinking"),
    flag("CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING", "a fixed thinking budget where a model takes either"),
    flag(
      "DISABLE_PROMPT_CACHING",
      "no prompt cache; with `_HAIKU`, `_SONNET`, `_OPUS` or `_FABLE` behind it, for these models only"
    ),
    flag("ENABLE_PROMPT_CACHING_1H", "the prompt cache lives for an hour"),
    flag("FORCE_PROMPT_CACHING_5M", "five minutes, whatever else says an hour"),
    number("MAX_STRUCTURED_OUTPUT_RETRIES", 1, 100, "tries for --json-schema; 5 by default")
  ],
  "Requests and failures": [
    number("CLAUDE_CODE_MAX_RETRIES", 0, 15, "tries after a failed request; 10 by default"),
    flag("CLAUDE_CODE_RETRY_WATCHDOG", "waits out overload and rate limits without end"),
    number("API_TIMEOUT_MS", 1, LONGEST_MS, "time for a whole request; 600,000 by default"),
    number("CLAUDE_STREAM_IDLE_TIMEOUT_MS", 1, LONGEST_MS, "silence allowed in a stream; at least 300,000"),
    flag("API_FORCE_IDLE_TIMEOUT", "off: silence in a stream is not watched")
  ],
  "Context window": [
    flag("CLAUDE_CODE_DISABLE_ATTACHMENTS", "nothing is attached to prompts: no files named with `@`, no reminders"),
    flag("DISABLE_AUTO_COMPACT", "no automatic compaction"),
    flag("DISABLE_COMPACT", "no compaction at all, `/compact` included"),
    number("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", 1, 100, "compacts when this share of the window is full"),
    text("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "compacts as if the window had so many tokens"),
    number("CLAUDE_CODE_MAX_CONTEXT_TOKENS", 1_000, MANY_TOKENS, "size of the window"),
    flag("CLAUDE_CODE_DISABLE_1M_CONTEXT", "the large window is not used")
  ],
  Instructions: [
    flag("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "the model is not told the state of the repository"),
    flag("CLAUDE_CODE_REMOTE", "the same, on machines that are not the user's"),
    flag("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "no instruction file is read but the organisation's"),
    flag("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "instruction files of directories of --add-dir are read too")
  ],
  Memory: [
    flag("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "no memory between conversations; off: memory, whatever the settings say"),
    text("NACRE_MEMORY_DIR", "where memory is kept; absolute or with `~/`"),
    text("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "the same; NACRE_MEMORY_DIR wins")
  ],
  "Beside the conversation": [
    flag(
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
      "no titles, suggestions, recaps and looking for things to remember by a model"
    ),
    flag("CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "whether a next prompt is suggested, whatever the settings say")
  ],
  "Tools and permission": [
    flag("CLAUDE_CODE_SIMPLE", "as --bare: the tools Bash, Read, Edit and Write only"),
    number("CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY", 1, 100, "calls that may run side by side; 10 by default"),
    number("NACRE_CLASSIFIER_TIMEOUT_MS", 1, 600_000, "time for the classifier of auto mode; 30,000 by default"),
    text("CLAUDE_CODE_SHELL", "the shell of Bash and of `!` lines, before SHELL"),
    text("CLAUDE_CODE_SHELL_PREFIX", "program that gets each command line of Bash"),
    text("SHELL", "the user's shell, named to the model; it runs `!` lines"),
    number("BASH_DEFAULT_TIMEOUT_MS", 1, LONGEST_MS, "time for a command that asks for none; 120,000 by default"),
    number("BASH_MAX_TIMEOUT_MS", 1, LONGEST_MS, "the longest time that a command may ask for; 600,000 by default"),
    number("BASH_MAX_OUTPUT_LENGTH", 1, 150_000, "how much of an output is read back"),
    flag("CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR", "every command starts in the project's directory"),
    flag("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "no commands in the background"),
    flag(
      "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB",
      "commands get no variable whose name sounds like a secret, whatever the settings say"
    ),
    number("CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS", 1, MANY_TOKENS, "how much one Read may return"),
    flag("CLAUDE_CODE_GLOB_HIDDEN", "off: Glob leaves out hidden files"),
    flag("CLAUDE_CODE_GLOB_NO_IGNORE", "off: Glob leaves out ignored files"),
    flag("USE_BUILTIN_RIPGREP", "off: the `rg` of PATH instead of the packaged one"),
    text("NACRE_SHELL_PARSER", "`native`: commands are read by the compiled tree-sitter where it could be installed"),
    number("CLAUDE_CODE_WEBFETCH_CACHE_TTL_MS", 0, LONGEST_MS, "how long a fetched page is used again; 900,000 by default"),
    number("CLAUDE_CODE_MAX_WEB_SEARCHES_PER_SESSION", 0, MANY_TOKENS, "calls of WebSearch in a session; 200 by default"),
    text("NODE_ENV", "`test`: the tool TestingPermission is there, which only asks"),
    flag("IS_SANDBOX", "this is a container: root may bypass permissions")
  ],
  "Terminal and interface": [
    text("VISUAL", "the external editor"),
    text("EDITOR", "the external editor where VISUAL is not set"),
    text("TERM", "what the terminal can do; `dumb` gives the line mode"),
    flag("CLAUDE_AX_SCREEN_READER", "line mode for screen readers"),
    number("CLAUDE_AX_STARTUP_QUIET_MS", 0, 60_000, "its pause after the first line"),
    text("NO_COLOR", "no colours"),
    text("FORCE_COLOR", "how many colours: 0 to 3"),
    text("COLORTERM", "`truecolor` or `24bit`: all colours"),
    flag("NACRE_TRUECOLOR", "all colours, whatever the terminal says"),
    flag("CLAUDE_CODE_TMUX_TRUECOLOR", "the same"),
    text("FORCE_HYPERLINK", "links, whatever the terminal says; 0 for none"),
    flag("CLAUDE_CODE_FORCE_SYNC_OUTPUT", "synchronised frames, whatever the terminal says"),
    flag("CLAUDE_CODE_FORCE_STRIKETHROUGH", "the terminal can strike text through"),
    flag("CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "no title"),
    flag("CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN", "the interface runs inline"),
    flag("CLAUDE_CODE_NO_FLICKER", "on: full screen; off: inline"),
    flag("CLAUDE_CODE_DISABLE_MOUSE", "no mouse"),
    flag("CLAUDE_CODE_DISABLE_MOUSE_CLICKS", "the wheel only"),
    number("CLAUDE_CODE_SCROLL_SPEED", 0.25, 20, "rows for a notch of the wheel"),
    flag("CLAUDE_CODE_BS_AS_CTRL_BACKSPACE", "the terminal sends Ctrl+Backspace as `^H`"),
    flag("CLAUDE_CODE_ACCESSIBILITY", "the cursor is shown in lists and menus too"),
    flag("NACRE_FULL_REPAINT", "every frame is drawn in full"),
    flag("CLAUDE_CODE_ALT_SCREEN_FULL_REPAINT", "the same")
  ],
  "Offline model": [
    text("NACRE_OFFLINE_SCRIPT", "file with a script"),
    number("NACRE_OFFLINE_DELAY_MS", 0, 10_000, "pause before each chunk"),
    number("NACRE_OFFLINE_WINDOW", 1_000, MANY_TOKENS, "size of its window in tokens; 200,000 by default")
  ],
  "Logs and measuring": [
    text("NACRE_DEBUG", "writes a debug log: `1`, or categories as for --debug"),
    text("CLAUDE_CODE_DEBUG_LOGS_DIR", "where debug logs are"),
    text("NACRE_RECORD", "directory for recordings, as --record"),
    text("NACRE_FRAME_LOG", "file that gets a line of JSON for each frame: cells, bytes, microseconds"),
    flag("NACRE_PROFILE_STARTUP", "when the process ends, stderr says when each step of its start was done"),
    flag("NACRE_EXIT_AFTER_FIRST_RENDER", "the interface leaves after its first frame")
  ],
  "Known, without effect in this version": [
    ...unused("secret", "CLAUDE_CODE_OAUTH_TOKEN"),
    ...unused("text", "CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY CLAUDE_CODE_SUBAGENT_MODEL ENABLE_TOOL_SEARCH"),
    ...unused("flag", "CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY"),
    ...unused("flag", "CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING"),
    ...unused("number", "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS MCP_TIMEOUT MCP_TOOL_TIMEOUT MAX_MCP_OUTPUT_TOKENS"),
    ...unused("number", "MCP_SERVER_CONNECTION_BATCH_SIZE MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE")
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<Variable>>>

export const VARIABLES: ReadonlyArray<Variable> = Object.values(VARIABLE_GROUPS).flat()

const SHARED = "CLAUDE_CODE_"

/** The names under which a variable may be set, the one that counts first. */
export const namesOf = ({ name }: Variable): ReadonlyArray<string> =>
  name.startsWith(SHARED) ? [`NACRE_${name.slice(SHARED.length)}`, name] : [name]

/** The value in force; an empty one counts as none. */
export const variableIn = (env: Env, variable: Variable): string | undefined => {
  const { name } = variable
  return name.startsWith(SHARED) ? readVariable(env, name.slice(SHARED.length)) : env[name] || undefined
}

const FLAG_WORD = /^(?:1|true|yes|on|0|false|no|off)$/i

/** What is wrong with a value; undefined when it can be used. */
export const variableFault = ({ kind, range }: Variable, value: string): string | undefined => {
  if (kind === "flag" && !FLAG_WORD.test(value.trim())) return "it is neither on (1, true, yes) nor off (0, false, no)"
  if (kind !== "number" || range === undefined) return undefined
  const [least, most] = range
  const figure = Number(value)
  const isFit = value.trim() !== "" && Number.isFinite(figure) && figure >= least && figure <= most
  return isFit ? undefined : `it is not a number from ${least} to ${most}`
}
