import { type Env, readVariable } from "../domain/env.ts"

/**
 * Every variable of the environment that is known. Reading them is up to whoever needs one; this table is what
 * `nacre doctor` checks, and a test keeps it complete.
 */
export interface Variable {
  /** With its full name; one that begins with CLAUDE_CODE_ may also be written as NACRE_, which goes first. */
  readonly name: string
  readonly kind: "flag" | "text" | "secret" | "number"
  /** Numbers only. */
  readonly range?: readonly [least: number, most: number]
  /** Known to others of its kind, without effect in this version. */
  readonly unused?: true
}

const LONGEST_MS = 2_147_483_647
const MANY_TOKENS = 10_000_000

const all = (kind: Variable["kind"], names: string): ReadonlyArray<Variable> =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, kind }))

const number = (name: string, least: number, most: number): Variable => ({ name, kind: "number", range: [least, most] })

const unused = (variables: ReadonlyArray<Variable>): ReadonlyArray<Variable> =>
  variables.map((variable) => ({ ...variable, unused: true }))

export const VARIABLES: ReadonlyArray<Variable> = [
  ...all("secret", "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS"),
  ...all("text", "ANTHROPIC_BASE_URL ANTHROPIC_MODEL ANTHROPIC_DEFAULT_OPUS_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL"),
  ...all("text", "ANTHROPIC_DEFAULT_HAIKU_MODEL ANTHROPIC_SMALL_FAST_MODEL NACRE_CONFIG_DIR CLAUDE_CONFIG_DIR"),
  ...all(
    "flag",
    "NACRE_TRUST NACRE_REQUIRE_CREDENTIAL DO_NOT_TRACK IS_SANDBOX NACRE_PROFILE_STARTUP NACRE_EXIT_AFTER_FIRST_RENDER"
  ),
  number("API_TIMEOUT_MS", 1, LONGEST_MS),
  number("CLAUDE_STREAM_IDLE_TIMEOUT_MS", 1, LONGEST_MS),
  ...all("flag", "API_FORCE_IDLE_TIMEOUT DISABLE_AUTO_COMPACT DISABLE_COMPACT"),
  number("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", 1, 100),
  ...all("flag", "DISABLE_PROMPT_CACHING ENABLE_PROMPT_CACHING_1H FORCE_PROMPT_CACHING_5M"),
  number("MAX_THINKING_TOKENS", 0, MANY_TOKENS),
  number("MAX_STRUCTURED_OUTPUT_RETRIES", 1, 100),
  number("NACRE_CLASSIFIER_TIMEOUT_MS", 1, 600_000),
  number("BASH_DEFAULT_TIMEOUT_MS", 1, LONGEST_MS),
  number("BASH_MAX_TIMEOUT_MS", 1, LONGEST_MS),
  number("BASH_MAX_OUTPUT_LENGTH", 1, 150_000),
  ...all("flag", "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR USE_BUILTIN_RIPGREP CLAUDE_AX_SCREEN_READER"),
  number("CLAUDE_AX_STARTUP_QUIET_MS", 0, 60_000),
  ...all("text", "CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_TMPDIR"),
  ...all("text", "CLAUDE_CODE_PROJECT_DIR_NAME CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_ENTRYPOINT"),
  number("CLAUDE_CODE_MAX_OUTPUT_TOKENS", 1, MANY_TOKENS),
  number("CLAUDE_CODE_MAX_CONTEXT_TOKENS", 1_000, MANY_TOKENS),
  number("CLAUDE_CODE_MAX_RETRIES", 0, 15),
  number("CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY", 1, 100),
  number("CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS", 1, MANY_TOKENS),
  number("CLAUDE_CODE_WEBFETCH_CACHE_TTL_MS", 0, LONGEST_MS),
  number("CLAUDE_CODE_SCROLL_SPEED", 0.25, 20),
  number("CLAUDE_CODE_API_KEY_HELPER_TTL_MS", 0, LONGEST_MS),
  ...all("flag", "CLAUDE_CODE_SIMPLE CLAUDE_CODE_SUBPROCESS_ENV_SCRUB CLAUDE_CODE_SKIP_PROMPT_HISTORY"),
  ...all("flag", "CLAUDE_CODE_DISABLE_MOUSE CLAUDE_CODE_DISABLE_MOUSE_CLICKS CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN"),
  ...all("flag", "CLAUDE_CODE_DISABLE_TERMINAL_TITLE CLAUDE_CODE_NO_FLICKER CLAUDE_CODE_FORCE_SYNC_OUTPUT"),
  ...all("flag", "CLAUDE_CODE_ALT_SCREEN_FULL_REPAINT CLAUDE_CODE_ACCESSIBILITY CLAUDE_CODE_FORCE_STRIKETHROUGH"),
  ...all("flag", "NACRE_FULL_REPAINT"),
  ...all("text", "NACRE_FRAME_LOG NACRE_DEBUG CLAUDE_CODE_DEBUG_LOGS_DIR"),
  ...all("flag", "CLAUDE_CODE_TMUX_TRUECOLOR CLAUDE_CODE_BS_AS_CTRL_BACKSPACE CLAUDE_CODE_DISABLE_THINKING"),
  ...all("flag", "CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING CLAUDE_CODE_ALWAYS_ENABLE_EFFORT CLAUDE_CODE_RETRY_WATCHDOG"),
  ...all("flag", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS CLAUDE_CODE_DISABLE_1M_CONTEXT CLAUDE_CODE_GLOB_HIDDEN"),
  ...all("flag", "CLAUDE_CODE_GLOB_NO_IGNORE NACRE_NO_HISTORY NACRE_TRUECOLOR"),
  ...all("text", "NACRE_OFFLINE_SCRIPT NACRE_RECORD VISUAL EDITOR SHELL TERM COLORTERM"),
  ...all("text", "NO_COLOR FORCE_COLOR FORCE_HYPERLINK"),
  number("NACRE_OFFLINE_DELAY_MS", 0, 10_000),
  number("NACRE_OFFLINE_WINDOW", 1_000, MANY_TOKENS),
  // The runtime itself reads this one.
  ...all("text", "NODE_EXTRA_CA_CERTS"),
  ...all("text", "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy"),
  ...unused([
    ...all("secret", "CLAUDE_CODE_OAUTH_TOKEN"),
    ...all("text", "CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY CLAUDE_CODE_SUBAGENT_MODEL ENABLE_TOOL_SEARCH"),
    ...all("flag", "CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY"),
    ...all("flag", "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING"),
    ...all("flag", "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION"),
    ...all("number", "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"),
    ...all("number", "MCP_TIMEOUT MCP_TOOL_TIMEOUT MAX_MCP_OUTPUT_TOKENS MCP_SERVER_CONNECTION_BATCH_SIZE"),
    ...all("number", "MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE")
  ])
]

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
  return isFit ? undefined : `it is no number from ${least} to ${most}`
}
