import type { JsonScalar } from "./json-text.ts"
import { anything, either, flag, fraction, listOf, object, oneOf, recordOf, text, whole, word } from "./shape.ts"
import type { Shape, ShapeType } from "./shape.ts"

/**
 * Every setting that is known, as one table: reading, merging, `nacre config`, help and the JSON Schema all use it.
 *
 * Scope: A any file; L every file but the project's shared one; U user, flag and managed; M managed only; G the global
 * configuration, never a settings file.
 */
export type Scope = "A" | "L" | "U" | "M" | "G"

export interface KeyRule<A> {
  readonly scope: Scope
  readonly shape: Shape<A>
  /** One line for people. */
  readonly help: string
  /** How a stronger file's value meets a weaker one's: lists unite and objects merge unless this says otherwise. */
  readonly merge?: "replace" | "concat" | { readonly stricter: ReadonlyArray<JsonScalar> }
  /** The value that a managed file gets when its own cannot be read. */
  readonly strictest?: JsonScalar
  /** Only makes things stricter, whatever its value: holds even from a managed file that anybody could have written. */
  readonly tightens?: true
  /** The only values that a project's files may set; others would loosen what holds without them. */
  readonly fromProject?: ReadonlyArray<JsonScalar>
  /** Read, checked and kept, but nothing acts on it in this version. */
  readonly unused?: true
  /** Read once when a session starts. */
  readonly atStart?: true
}

const free = <A>(shape: Shape<A>, help: string): KeyRule<A> => ({ scope: "A", shape, help })
const limited = <A>(scope: Scope, shape: Shape<A>, help: string): KeyRule<A> => ({ scope, shape, help })
const idle = <A>(shape: Shape<A>, help: string, scope: Scope = "A"): KeyRule<A> => ({
  scope,
  shape,
  help,
  unused: true
})

/** From loose to strict; the stricter of two values holds, whoever set it. */
const stricter = <A>(rule: KeyRule<A>, ...ladder: ReadonlyArray<JsonScalar>): KeyRule<A> => ({
  ...rule,
  merge: { stricter: ladder }
})

const texts = listOf(text)

/** Ends in the strict value, for switches that only ever take something away. */
const lock = (help: string): KeyRule<"disable"> => ({
  ...stricter(free(oneOf("disable"), help), "disable"),
  strictest: "disable",
  tightens: true
})

const managedLock = (help: string): KeyRule<boolean> => ({
  scope: "M",
  shape: flag,
  help,
  strictest: true,
  tightens: true
})

const EFFORTS = oneOf("auto", "low", "medium", "high", "xhigh", "max")
const MODES = oneOf("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto", "manual")

export const KEYS = {
  $schema: free(text, "Where editors find the JSON Schema of this file"),

  model: { ...free(word, "Model that answers"), atStart: true },
  fallbackModel: {
    ...free(either(text, texts), "Models to try when the first one is overloaded"),
    merge: "replace",
    atStart: true
  },
  effortLevel: { ...free(EFFORTS, "How much work the model puts into an answer"), atStart: true },
  alwaysThinkingEnabled: free(flag, "Whether the model thinks first"),
  availableModels: free(texts, "The only models that may be chosen"),
  enforceAvailableModels: idle(flag, "Refuse every other model"),
  modelOverrides: idle(recordOf(text), "Ids to send instead of the usual ones"),
  outputStyle: { ...idle(text, "Output style"), atStart: true },
  language: idle(text, "Language of the answers"),
  showThinkingSummaries: idle(flag, "Show summaries of the thinking"),
  fastMode: idle(flag, "Faster answers"),
  advisorModel: idle(text, "Model that gives second opinions"),

  "permissions.allow": free(texts, "Rules for calls that need no question"),
  "permissions.ask": { ...free(texts, "Rules for calls that always ask"), tightens: true },
  "permissions.deny": { ...free(texts, "Rules for calls that never run"), tightens: true },
  "permissions.additionalDirectories": free(texts, "More directories the tools may work in"),
  "permissions.defaultMode": {
    ...free(MODES, "Permission mode a session starts in"),
    strictest: "default",
    fromProject: ["default", "manual", "plan", "dontAsk", "acceptEdits"]
  },
  "permissions.disableBypassPermissionsMode": lock("`disable` takes bypass mode away"),
  "permissions.disableAutoMode": lock("`disable` takes auto mode away"),
  disableAutoMode: lock("`disable` takes auto mode away"),
  allowManagedPermissionRulesOnly: managedLock("Allow rules of managed settings only"),
  autoMode: idle(object, "Rules of auto mode", "U"),
  skipDangerousModePermissionPrompt: idle(flag, "The warning about bypass mode was accepted", "L"),
  skipAutoPermissionPrompt: idle(flag, "The notice about auto mode was accepted", "U"),
  useAutoModeDuringPlan: stricter(idle(flag, "Let auto mode answer in plan mode", "L"), true, false),
  "nacre.secretFiles": {
    ...stricter(free(oneOf("off", "ask", "deny"), "What happens when a secret file is read"), "off", "ask", "deny"),
    strictest: "deny",
    fromProject: ["ask", "deny"]
  },
  "nacre.bypassProtectedPaths": stricter(
    limited("L", oneOf("allow", "ask"), "Protected paths in bypass mode"),
    "allow",
    "ask"
  ),
  "nacre.webFetchPreapproved": limited("L", texts, "Hosts that may be fetched without a question"),
  "nacre.permissionTests": idle(listOf(object), "Self-tests of rules"),

  "sandbox.enabled": { ...free(flag, "Run commands in the sandbox"), strictest: true },
  "sandbox.autoAllowBashIfSandboxed": free(flag, "Sandboxed commands need no question"),
  "sandbox.allowUnsandboxedCommands": { ...free(flag, "Commands may ask to leave the sandbox"), strictest: false },
  "sandbox.excludedCommands": free(texts, "Commands that run outside the sandbox"),
  "sandbox.failIfUnavailable": free(flag, "Stop when there is no sandbox"),
  "sandbox.ignoreViolations": free(object, "Violations that are not reported"),
  "sandbox.enableWeakerNestedSandbox": free(flag, "Accept a weaker sandbox inside a container"),
  "sandbox.filesystem.allowWrite": free(texts, "Paths that sandboxed commands may write"),
  "sandbox.filesystem.denyWrite": { ...free(texts, "Paths that they may not write"), tightens: true },
  "sandbox.filesystem.allowRead": free(texts, "Paths that they may read although a wider one is denied"),
  "sandbox.filesystem.denyRead": { ...free(texts, "Paths that they may not read"), tightens: true },
  "sandbox.filesystem.disabled": { scope: "U", shape: flag, help: "No limits for files", strictest: false },
  "sandbox.filesystem.allowManagedReadPathsOnly": managedLock("Managed allowRead only"),
  "sandbox.network.allowedDomains": free(texts, "Hosts that sandboxed commands may reach"),
  "sandbox.network.deniedDomains": { ...free(texts, "Hosts that they may not reach"), tightens: true },
  "sandbox.network.allowUnixSockets": free(texts, "Sockets that they may use"),
  "sandbox.network.allowAllUnixSockets": free(flag, "They may use every socket"),
  "sandbox.network.allowLocalBinding": free(flag, "They may listen on local ports"),
  "sandbox.network.httpProxyPort": free(whole(1, 65_535), "Port of a proxy of your own"),
  "sandbox.network.socksProxyPort": free(whole(1, 65_535), "Port of a SOCKS proxy of your own"),
  "sandbox.network.strictAllowlist": { scope: "U", shape: flag, help: "Unknown hosts are denied", strictest: true },
  "sandbox.network.allowManagedDomainsOnly": managedLock("Managed hosts only"),
  "sandbox.credentials.files": idle(listOf(object), "Credential files that are masked", "U"),
  "sandbox.credentials.envVars": idle(listOf(object), "Credential variables that are masked", "U"),
  "sandbox.bwrapPath": { scope: "M", shape: text, help: "Path of bubblewrap" },
  "sandbox.socatPath": { scope: "M", shape: text, help: "Path of socat" },
  "nacre.sandbox.wrap": limited("L", object, "What else runs in the sandbox"),
  "nacre.env.scrub": limited("L", flag, "Commands do not get variables whose names sound like secrets"),
  "nacre.env.keep": limited("L", texts, "Names of variables that they get all the same"),

  hooks: { ...idle(recordOf(listOf(object)), "Commands that run on events"), merge: "concat" },
  disableAllHooks: stricter(idle(flag, "Run no hooks"), false, true),
  allowManagedHooksOnly: { ...managedLock("Managed hooks only"), unused: true },
  allowedHttpHookUrls: idle(texts, "Addresses that hooks may call"),
  httpHookAllowedEnvVars: idle(texts, "Variables that hooks may send"),
  "nacre.maxStopHookContinuations": idle(whole(0, 100), "How often a Stop hook may go on"),

  enableAllProjectMcpServers: idle(flag, "Approve every server of .mcp.json"),
  enabledMcpjsonServers: idle(texts, "Approved servers of .mcp.json"),
  disabledMcpjsonServers: idle(texts, "Refused servers of .mcp.json"),
  allowedMcpServers: idle(listOf(object), "The only MCP servers that may be used"),
  deniedMcpServers: { ...idle(listOf(object), "MCP servers that may not be used"), tightens: true },
  allowManagedMcpServersOnly: { ...managedLock("Managed MCP servers only"), unused: true },

  enabledPlugins: idle(recordOf(either(flag, texts)), "Plugins that are on"),
  extraKnownMarketplaces: idle(object, "More places of plugins"),
  strictKnownMarketplaces: idle(listOf(anything), "The only places of plugins", "M"),
  blockedMarketplaces: idle(listOf(anything), "Places of plugins that are refused", "M"),
  pluginConfigs: idle(object, "Options of plugins", "U"),
  disableBundledSkills: idle(flag, "Leave out the built-in skills"),
  disableSkillShellExecution: idle(flag, "Skills run no commands when they load"),
  skillOverrides: idle(object, "Which skills are shown"),
  strictPluginOnlyCustomization: idle(either(flag, texts), "Customisation by plugins only", "M"),

  autoCompactEnabled: free(flag, "Summarise a conversation that gets long"),
  autoCompactWindow: free(whole(1, 100_000_000), "Tokens after which it is summarised"),
  autoMemoryEnabled: idle(flag, "Keep notes between sessions"),
  autoMemoryDirectory: idle(text, "Where those notes are", "U"),
  claudeMd: idle(text, "Instructions of the organisation", "M"),
  claudeMdExcludes: idle(texts, "Instruction files to leave out"),
  env: free(recordOf(text), "Variables for this program and its commands"),
  fileCheckpointingEnabled: idle(flag, "Keep copies of files before they are changed"),
  plansDirectory: idle(text, "Where plans are written"),
  skillListingBudgetFraction: idle(fraction, "Share of the window for the list of skills"),
  skillListingMaxDescChars: idle(whole(1, 1_000_000), "Longest description in that list"),
  promptSuggestionEnabled: idle(flag, "Suggest the next prompt"),
  awaySummaryEnabled: idle(flag, "Summarise what happened meanwhile"),
  "nacre.context": idle(object, "How the context is kept small"),
  "nacre.toolResultLimits": idle(recordOf(whole(1, 100_000_000)), "Longest results by tool"),
  "nacre.instructions": idle(object, "Which instruction files are read"),
  "nacre.sessionNotes": idle(object, "Notes of a session"),
  "nacre.memory": idle(object, "When notes are taken"),
  "nacre.pastSessions": idle(anything, "Search in past sessions"),
  "nacre.magicDocs": idle(anything, "Documents that keep themselves up to date"),
  "nacre.models": idle(recordOf(object), "What is known of further models", "L"),

  agent: idle(text, "Agent that runs the session"),
  teammateMode: idle(text, "How teammates are shown"),
  "worktree.baseRef": idle(text, "What new worktrees start from"),
  "worktree.symlinkDirectories": idle(texts, "Directories that worktrees share"),
  "worktree.sparsePaths": idle(texts, "Paths that worktrees hold"),
  "worktree.bgIsolation": idle(anything, "Worktrees of background sessions"),
  cleanupPeriodDays: idle(whole(1, 100_000), "Days after which sessions are deleted"),
  processWrapper: idle(anything, "Program that starts every process", "U"),

  apiKeyHelper: idle(text, "Command that prints a key"),
  awsAuthRefresh: idle(text, "Command that renews AWS credentials"),
  awsCredentialExport: idle(text, "Command that prints AWS credentials"),
  gcpAuthRefresh: idle(text, "Command that renews Google credentials"),
  otelHeadersHelper: idle(text, "Command that prints telemetry headers"),
  forceLoginMethod: idle(text, "The only way to log in"),
  "nacre.credentialStore": idle(oneOf("auto", "file", "keychain"), "Where credentials are kept", "U"),
  "nacre.auth.oauth": idle(object, "Issuer of tokens", "U"),
  sshConfigs: idle(listOf(object), "Machines reached over ssh", "U"),

  theme: free(text, "Colours of the interface"),
  tui: { ...free(oneOf("default", "fullscreen"), "Interface: scrollback or full screen"), atStart: true },
  editorMode: free(oneOf("vim", "normal", "emacs"), "Keys of the prompt"),
  vimInsertModeRemaps: idle(object, "Key sequences in insert mode", "U"),
  keybindingFlavor: idle(text, "Style of the keys"),
  statusLine: idle(object, "Command that prints the status line"),
  subagentStatusLine: idle(object, "The same for sub-agents"),
  fileSuggestion: idle(object, "Command that suggests files"),
  respectGitignore: free(flag, "Leave ignored files out of suggestions"),
  respondToBashCommands: free(flag, "The model answers to what a ! command printed"),
  verbose: idle(flag, "Show everything"),
  viewMode: free(oneOf("default", "verbose", "focus"), "How much of a conversation is shown"),
  prefersReducedMotion: free(flag, "No moving parts"),
  syntaxHighlightingDisabled: free(flag, "No colours in code"),
  axScreenReader: idle(flag, "Plain lines for screen readers"),
  spinnerTipsEnabled: idle(flag, "Tips while waiting"),
  spinnerVerbs: idle(anything, "Words while waiting"),
  autoScrollEnabled: free(flag, "Follow the end of the conversation"),
  terminalProgressBarEnabled: idle(flag, "Progress in the terminal's title bar"),
  showTurnDuration: free(flag, "Say how long a turn took"),
  defaultShell: idle(oneOf("bash", "powershell"), "Shell of ! commands"),
  companyAnnouncements: idle(texts, "Announcements at the start"),
  footerLinksRegexes: idle(listOf(anything), "Links in the footer", "U"),
  preferredNotifChannel: free(text, "How you are called back to the terminal"),
  "nacre.tui.borders": limited("L", oneOf("line", "ascii", "none"), "Lines around panes"),
  "nacre.tui.glyphs": limited("L", oneOf("unicode", "ascii"), "Characters of the interface"),
  "nacre.tui.mouse": limited("L", flag, "Use the mouse"),
  "nacre.tui.thinking": limited("L", oneOf("hide", "fold", "show"), "How thinking is shown"),
  "nacre.tui.meta": limited("L", flag, "Show the meta line"),
  "nacre.tui.codeWrap": limited("L", flag, "Wrap long lines of code"),
  "nacre.tui.diff": limited("L", oneOf("unified", "split", "auto"), "Form of differences"),
  "nacre.tui.tabWidth": free(whole(1, 16), "Columns of a tab"),
  "nacre.tui.whichKeyMs": limited("L", whole(0, 60_000), "Pause before the keys that may follow are shown; 0 never"),
  "nacre.tui.followOnSubmit": limited("L", flag, "Go to the end when a prompt is sent"),
  "nacre.tui.typeThrough": limited("L", flag, "Typing reaches the prompt from everywhere"),
  "nacre.tui.copyOnSelect": limited("L", flag, "Copy what the mouse selects"),
  "nacre.tui.fold": free(recordOf(whole(1, 100_000)), "Rows shown before a result is folded"),
  "nacre.tui.leader": limited("L", word, "Leader key"),
  "nacre.tui.pagerKeys": limited("L", flag, "Pager keys in the conversation"),
  "nacre.tui.ambiguousWide": idle(flag, "Ambiguous characters are wide", "L"),
  "nacre.tui.scrollRegions": idle(flag, "Use scroll regions", "L"),
  "nacre.tui.guard": idle(flag, "Restore the terminal after a crash", "L"),
  "nacre.tui.caps": idle(object, "What the terminal can do", "L"),
  "nacre.tui.clipboard": idle(anything, "How text is copied", "L"),
  "nacre.tui.promptSlash": idle(anything, "What / does in the prompt", "L"),
  "nacre.tui.images": idle(anything, "How images are shown", "L"),
  "nacre.tui.exitSummary": idle(flag, "Summary at the end", "L"),
  "nacre.tui.alwaysShowCursor": idle(flag, "Always show the cursor", "L"),

  "attribution.commit": idle(text, "Line added to commits"),
  "attribution.pr": idle(text, "Line added to pull requests"),
  includeCoAuthoredBy: idle(flag, "Name the program as co-author"),
  includeGitInstructions: idle(flag, "Tell the model how to use git"),
  prUrlTemplate: idle(text, "Address of pull requests"),

  autoUpdatesChannel: idle(oneOf("latest", "stable"), "Channel of updates"),
  minimumVersion: { ...idle(text, "Oldest version that updates may install"), atStart: true },
  requiredMinimumVersion: { ...idle(text, "Oldest version that may run", "M"), atStart: true },
  requiredMaximumVersion: { ...idle(text, "Newest version that may run", "M"), atStart: true },

  disableClaudeAiConnectors: stricter(idle(flag, "No connectors of the vendor"), false, true),
  isolatePeerMachines: stricter(idle(flag, "No messages from other machines"), false, true),
  crossSessionInbound: stricter(
    idle(oneOf("deliver", "hold", "refuse"), "Messages from other sessions"),
    "deliver",
    "hold",
    "refuse"
  ),
  syncClaudeAiSkills: stricter(idle(flag, "Take over skills of the vendor's site", "L"), true, false),
  "nacre.costNotice": idle(anything, "Sum at which the cost is told"),
  "nacre.doomLoop": idle(anything, "When repeated calls are stopped"),
  "nacre.outputCap": idle(anything, "Limit of one answer"),
  "nacre.prices": idle(object, "Prices of models", "L"),
  "nacre.redactTranscripts": idle(flag, "Leave secrets out of transcripts"),
  "nacre.search": idle(object, "Search in sessions"),
  "nacre.snapshot": idle(object, "Snapshots of the working tree"),
  "nacre.staleness": idle(anything, "Files changed since they were read"),
  "nacre.steerCancelsTools": idle(flag, "A new prompt stops running calls"),
  "nacre.streamingTools": idle(flag, "Start calls while the answer arrives"),
  "nacre.taskTools": idle(flag, "Offer the task tools"),
  "nacre.flightRecorder": idle(anything, "Record every session"),
  "nacre.acp": idle(object, "Editor protocol"),
  "nacre.mcp": idle(object, "Limits of MCP"),
  "nacre.mcpCli": idle(anything, "MCP tools as commands"),
  "nacre.channels": idle(anything, "Messages from chats", "U"),
  "nacre.remote": idle(object, "Sessions on other machines", "U"),
  "nacre.remoteHosts": idle(anything, "Other machines", "U"),
  "nacre.teams": idle(anything, "Teams of agents"),
  "nacre.coordinator": idle(anything, "Coordinator of agents"),
  "nacre.coordinatorSimple": idle(anything, "A simpler coordinator"),
  "nacre.agentProgressSummaries": idle(flag, "Summaries of running agents"),
  "nacre.assistant": idle(object, "Assistant mode", "U"),
  "nacre.capabilities": idle(object, "Limits of extensions"),

  autoUpdates: idle(flag, "Update without being asked", "U"),
  disableDeepLinkRegistration: idle(anything, "Whether links open this program"),
  feedbackSurveyRate: idle(fraction, "How often a survey is shown"),
  forceLoginGatewayUrl: idle(text, "The only gateway", "M"),
  forceLoginOrgUUID: idle(anything, "The only organisation", "M"),
  forceRemoteSettingsRefresh: idle(flag, "Fetch managed settings first", "M"),
  policyHelper: idle(object, "Program that prints managed settings", "M"),
  skipWebFetchPreflight: idle(flag, "Fetch without asking the vendor first"),
  spinnerTipsOverride: idle(object, "Tips of your own"),

  permissionExplainerEnabled: idle(flag, "Explain permission questions", "G"),
  autoConnectIde: idle(flag, "Connect to an editor", "G"),
  diffTool: idle(text, "How differences are shown", "G"),
  externalEditorContext: idle(flag, "Give the editor the last answer", "G"),
  hasCompletedOnboarding: idle(flag, "The first run is over", "G"),
  projects: idle(object, "What is known of folders", "G"),
  mcpServers: idle(object, "MCP servers of the user", "G"),
  customApiKeyResponses: idle(object, "Answers about keys", "G"),
  nacreMigrationVersion: idle(whole(0, 1_000_000), "Last migration", "G")
} as const satisfies Readonly<Record<string, KeyRule<unknown>>>

export type KeyName = keyof typeof KEYS
export type KeyType<K extends KeyName> = ShapeType<(typeof KEYS)[K]["shape"]>
