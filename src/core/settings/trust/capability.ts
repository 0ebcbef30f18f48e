import type { Shape } from "./entry.ts"

/**
 * Every kind of entry of a folder's own configuration that runs something, redirects something or loosens a rule.
 * Nothing of this kind takes effect unless `requireTrust` (gate.ts) was asked; a test holds the table against the
 * settings schema, so that a new key cannot be forgotten.
 */
export interface Capability {
  /** Dotted place in a settings file, or the kind of another file and the place in it. */
  readonly name: string
  readonly from: CapabilitySource
  /** What the dialog calls it. */
  readonly heading: string
  readonly shape: Shape
  /** Values that only make things stricter, or change nothing; they need no trust of their own. */
  readonly harmless?: ReadonlyArray<unknown>
}

export type CapabilitySource = "settings" | "mcp" | "agents" | "skills" | "plugins" | "outputStyles"

const settings = (
  name: string,
  heading: string,
  shape: Shape = "whole",
  harmless: ReadonlyArray<unknown> = []
): Capability => ({ name, from: "settings", heading, shape, harmless })

const of = (from: CapabilitySource, name: string, heading: string, shape: Shape = "whole"): Capability => ({
  name,
  from,
  heading,
  shape
})

const STATUS = "Status line and suggestions"
const HELPERS = "Helpers that run a command"
const MCP = "MCP servers"
const PLUGINS = "Plugins"
const SANDBOX = "Looser sandbox"
const LOOSER = "Fewer questions"
const PLACES = "Files and sessions"
const MODELS = "Models"
const MORE = "Further abilities"

export const CAPABILITIES: ReadonlyArray<Capability> = [
  settings("permissions.allow", "Allow rules", "list"),
  settings("permissions.additionalDirectories", "Directories", "list"),
  settings("permissions.defaultMode", "Permission mode", "whole", ["default", "manual", "plan", "dontAsk"]),
  settings("env", "Environment variables", "record"),
  settings("hooks", "Hooks", "hooks"),
  settings("disableAllHooks", "Hooks", "whole", [false]),
  settings("allowedHttpHookUrls", "Hooks", "list"),
  settings("httpHookAllowedEnvVars", "Hooks", "list"),
  settings("statusLine", STATUS),
  settings("subagentStatusLine", STATUS),
  settings("fileSuggestion", STATUS),
  settings("apiKeyHelper", HELPERS),
  settings("awsAuthRefresh", HELPERS),
  settings("awsCredentialExport", HELPERS),
  settings("gcpAuthRefresh", HELPERS),
  settings("otelHeadersHelper", HELPERS),
  settings("processWrapper", HELPERS),
  settings("policyHelper", HELPERS),
  settings("sshConfigs", HELPERS),
  settings("defaultShell", HELPERS),
  settings("enableAllProjectMcpServers", MCP, "whole", [false]),
  settings("enabledMcpjsonServers", MCP, "list"),
  settings("enabledPlugins", PLUGINS, "record"),
  settings("extraKnownMarketplaces", PLUGINS, "record"),
  settings("pluginConfigs", PLUGINS, "record"),
  settings("sandbox.enabled", SANDBOX, "whole", [true]),
  settings("sandbox.autoAllowBashIfSandboxed", SANDBOX, "whole", [false]),
  settings("sandbox.allowUnsandboxedCommands", SANDBOX, "whole", [false]),
  settings("sandbox.excludedCommands", SANDBOX, "list"),
  settings("sandbox.failIfUnavailable", SANDBOX, "whole", [true]),
  settings("sandbox.ignoreViolations", SANDBOX),
  settings("sandbox.enableWeakerNestedSandbox", SANDBOX, "whole", [false]),
  settings("sandbox.filesystem.allowWrite", SANDBOX, "list"),
  settings("sandbox.filesystem.allowRead", SANDBOX, "list"),
  settings("sandbox.filesystem.disabled", SANDBOX, "whole", [false]),
  settings("sandbox.network.allowedDomains", SANDBOX, "list"),
  settings("sandbox.network.allowUnixSockets", SANDBOX, "list"),
  settings("sandbox.network.allowAllUnixSockets", SANDBOX, "whole", [false]),
  settings("sandbox.network.allowLocalBinding", SANDBOX, "whole", [false]),
  settings("sandbox.network.httpProxyPort", SANDBOX),
  settings("sandbox.network.socksProxyPort", SANDBOX),
  settings("sandbox.network.tlsTerminate", SANDBOX),
  settings("sandbox.bwrapPath", SANDBOX),
  settings("sandbox.socatPath", SANDBOX),
  settings("skipDangerousModePermissionPrompt", LOOSER, "whole", [false]),
  settings("skipAutoPermissionPrompt", LOOSER, "whole", [false]),
  settings("useAutoModeDuringPlan", LOOSER, "whole", [false]),
  settings("autoMode", LOOSER),
  settings("agent", "Main agent"),
  settings("disableSkillShellExecution", LOOSER, "whole", [true]),
  settings("nacre.bypassProtectedPaths", LOOSER, "whole", ["ask"]),
  settings("nacre.webFetchPreapproved", LOOSER, "list"),
  settings("nacre.secretFiles", LOOSER, "whole", ["deny"]),
  settings("nacre.sandbox.wrap", SANDBOX),
  settings("nacre.env.scrub", SANDBOX, "whole", [true]),
  settings("nacre.env.keep", SANDBOX, "list"),
  settings("worktree.symlinkDirectories", PLACES, "list"),
  settings("plansDirectory", PLACES),
  settings("autoMemoryDirectory", PLACES),
  settings("cleanupPeriodDays", PLACES),
  settings("nacre.instructions", PLACES),
  settings("nacre.pastSessions", PLACES),
  settings("nacre.redactTranscripts", PLACES, "whole", [true]),
  settings("nacre.flightRecorder", PLACES),
  settings("askUserQuestionTimeout", LOOSER, "whole", ["never"]),
  settings("skipWebFetchPreflight", LOOSER, "whole", [false]),
  settings("modelOverrides", MODELS, "record"),
  settings("nacre.models", MODELS, "record"),
  settings("nacre.acp", MORE),
  settings("nacre.mcp", MORE),
  settings("nacre.mcpCli", MORE),
  settings("nacre.magicDocs", MORE),
  settings("nacre.snapshot", MORE),
  settings("nacre.teams", MORE),
  settings("nacre.coordinator", MORE),
  settings("nacre.coordinatorSimple", MORE),
  settings("nacre.capabilities", MORE),
  of("mcp", "mcpServers", MCP, "servers"),
  of("agents", "agents.mcpServers", MCP, "servers"),
  of("agents", "agents.hooks", "Hooks", "hooks"),
  of("agents", "agents.permissionMode", "Permission mode"),
  of("skills", "skills.allowed-tools", "Allow rules", "list"),
  of("skills", "skills.hooks", "Hooks", "hooks"),
  of("skills", "skills.shell", "Shell commands of skills", "list"),
  of("plugins", "plugins.lspServers", PLUGINS, "servers"),
  of("outputStyles", "outputStyles.commands", "Shell commands of output styles", "list")
]

const BY_NAME: ReadonlyMap<string, Capability> = new Map(CAPABILITIES.map((each) => [each.name, each]))

export const capabilityNamed = (name: string): Capability | undefined => BY_NAME.get(name)

/** Only what can be read without taking a step into the folder's code: these come from JSON files. */
export const SETTINGS_CAPABILITIES: ReadonlyArray<Capability> = CAPABILITIES.filter(({ from }) => from === "settings")
