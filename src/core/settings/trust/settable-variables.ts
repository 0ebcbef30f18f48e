import type { SettingsSource } from "../../domain/settings-source.ts"

/** Which variables the `env` block of a file may set. */

/** They decide where requests and credentials go, or what code a program loads: never a project's to set. */
const ENDPOINTS_AND_LOADERS = [
  /^ANTHROPIC_(?:BASE_URL|API_KEY|AUTH_TOKEN|CUSTOM_HEADERS)$/,
  /^(?:HTTP|HTTPS|ALL|NO)_PROXY$/i,
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|NODE_TLS_REJECT_UNAUTHORIZED|NODE_OPTIONS|NODE_PATH)$/,
  /^(?:LD|DYLD)_/,
  /^(?:PATH|BASH_ENV|ENV|PROMPT_COMMAND|BASH_FUNC_.*|IFS|SHELLOPTS|PS4)$/i,
  /^(?:CLAUDE_CONFIG_DIR|CLAUDE_CODE_PROCESS_WRAPPER|HOME|XDG_CONFIG_HOME)$/,
  /^(?:NACRE_|CLAUDE_CODE_SHELL|OTEL_)/
]

/** Who the session is: set by whoever starts the program, never by a file. */
const IDENTITY = [
  /^CLAUDE_CODE_(?:REMOTE|SESSION_ID|ENTRYPOINT|SSE_PORT)/,
  /^(?:CLAUDECODE|NACRE_TRUST|NACRE_SESSION_ID|NACRE_CONFIG_DIR|CLAUDE_CONFIG_DIR)$/,
  /_SOCKET(?:_PATH)?$/
]

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

const isOneOf = (patterns: ReadonlyArray<RegExp>, name: string): boolean => patterns.some((pattern) => pattern.test(name))

export const isVariableName = (name: string): boolean => NAME.test(name)

export const isFileVariable = (name: string, source: SettingsSource): boolean => {
  if (!isVariableName(name) || isOneOf(IDENTITY, name)) return false
  const isProject = source === "projectSettings" || source === "localSettings"
  return !(isProject && isOneOf(ENDPOINTS_AND_LOADERS, name))
}
