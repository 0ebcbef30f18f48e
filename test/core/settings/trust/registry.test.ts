import { describe, expect, it } from "vitest"
import { KEYS, type KeyName } from "../../../../src/core/settings/keys/keys.ts"
import { mayHold } from "../../../../src/core/settings/limit-layer.ts"
import { CAPABILITIES, SETTINGS_CAPABILITIES } from "../../../../src/core/settings/trust/capability.ts"

/**
 * Every setting is either in the table of what needs trust or in this list of what cannot hurt from a folder: it says
 * how something looks, picks among things that are there, or only takes something away. A new setting is in neither,
 * and somebody has to think about it.
 */
const HARMLESS = [
  "$schema",
  "model",
  "fallbackModel",
  "effortLevel",
  "alwaysThinkingEnabled",
  "availableModels",
  "enforceAvailableModels",
  "outputStyle",
  "language",
  "showThinkingSummaries",
  "fastMode",
  "advisorModel",
  "permissions.ask",
  "permissions.deny",
  "permissions.disableBypassPermissionsMode",
  "permissions.disableAutoMode",
  "disableAutoMode",
  "allowManagedPermissionRulesOnly",
  "nacre.permissionTests",
  "sandbox.filesystem.denyWrite",
  "sandbox.filesystem.denyRead",
  "sandbox.filesystem.allowManagedReadPathsOnly",
  "sandbox.network.deniedDomains",
  "sandbox.network.strictAllowlist",
  "sandbox.network.allowManagedDomainsOnly",
  "sandbox.credentials.files",
  "sandbox.credentials.envVars",
  "allowManagedHooksOnly",
  "nacre.maxStopHookContinuations",
  "disabledMcpjsonServers",
  "allowedMcpServers",
  "deniedMcpServers",
  "allowManagedMcpServersOnly",
  "strictKnownMarketplaces",
  "blockedMarketplaces",
  "strictPluginOnlyCustomization",
  "disableBundledSkills",
  "skillOverrides",
  "skillListingBudgetFraction",
  "skillListingMaxDescChars",
  "autoCompactEnabled",
  "autoCompactWindow",
  "autoMemoryEnabled",
  "nacre.titles",
  "claudeMd",
  "claudeMdExcludes",
  "fileCheckpointingEnabled",
  "promptSuggestionEnabled",
  "awaySummaryEnabled",
  "nacre.context.micro.enabled",
  "nacre.context.micro.idleMinutes",
  "nacre.context.micro.keepRecent",
  "nacre.context.keepRecentTokens",
  "nacre.context.errorBufferTokens",
  "nacre.context.collapse",
  "nacre.context.proactive",
  "nacre.toolResultLimits",
  "nacre.sessionNotes",
  "nacre.memory.everyTurns",
  "nacre.memory.inPrintMode",
  "teammateMode",
  "worktree.baseRef",
  "worktree.sparsePaths",
  "worktree.bgIsolation",
  "forceLoginMethod",
  "nacre.credentialStore",
  "nacre.auth.oauth",
  "theme",
  "tui",
  "editorMode",
  "vimInsertModeRemaps",
  "hideVimModeIndicator",
  "emojiCompletionEnabled",
  "keybindingFlavor",
  "respectGitignore",
  "respondToBashCommands",
  "verbose",
  "viewMode",
  "prefersReducedMotion",
  "syntaxHighlightingDisabled",
  "axScreenReader",
  "spinnerTipsEnabled",
  "spinnerVerbs",
  "autoScrollEnabled",
  "terminalProgressBarEnabled",
  "showTurnDuration",
  "companyAnnouncements",
  "preferredNotifChannel",
  "attribution.commit",
  "attribution.pr",
  "includeCoAuthoredBy",
  "includeGitInstructions",
  "prUrlTemplate",
  "autoUpdatesChannel",
  "minimumVersion",
  "disableClaudeAiConnectors",
  "isolatePeerMachines",
  "crossSessionInbound",
  "syncClaudeAiSkills",
  "nacre.costNotice",
  "nacre.doomLoop",
  "nacre.outputCap",
  "nacre.prices",
  "nacre.search",
  "nacre.staleness",
  "nacre.steerCancelsTools",
  "nacre.streamingTools",
  "nacre.taskTools",
  "nacre.agentProgressSummaries",
  "disableDeepLinkRegistration",
  "feedbackSurveyRate",
  "spinnerTipsOverride"
]

/** Keys that no file of a folder may set, trusted or not. */
const isOutOfReach = (key: KeyName): boolean =>
  !mayHold(KEYS[key].scope, "projectSettings") && !mayHold(KEYS[key].scope, "localSettings")

const INTERFACE = /^nacre\.tui\./

const names = new Set(SETTINGS_CAPABILITIES.map(({ name }) => name))

/** A capability below a key speaks for the key, and one above it too. */
const isCovered = (key: string): boolean =>
  [...names].some((name) => name === key || name.startsWith(`${key}.`) || key.startsWith(`${name}.`))

describe("the table of what needs trust", () => {
  it("and the list of what does not hold every setting, each once", () => {
    const keys = (Object.keys(KEYS) as Array<KeyName>).filter((key) => !isOutOfReach(key))
    expect(keys.filter((key) => !isCovered(key) && !HARMLESS.includes(key) && !INTERFACE.test(key))).toEqual([])
    expect(HARMLESS.filter((key) => isCovered(key))).toEqual([])
    expect(new Set(HARMLESS).size).toBe(HARMLESS.length)
  })

  it("lists nothing as harmless that is gone", () => {
    expect(HARMLESS.filter((key) => !(key in KEYS))).toEqual([])
  })

  it("has each name once, and all that the specification names", () => {
    expect(new Set(CAPABILITIES.map(({ name }) => name)).size).toBe(CAPABILITIES.length)
    const specified =
      "permissions.allow permissions.additionalDirectories permissions.defaultMode env hooks statusLine subagentStatusLine fileSuggestion " +
      "apiKeyHelper awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper mcpServers enabledMcpjsonServers " +
      "enableAllProjectMcpServers enabledPlugins extraKnownMarketplaces agents.mcpServers agents.hooks agents.permissionMode " +
      "skills.allowed-tools skills.shell skills.hooks worktree.symlinkDirectories plansDirectory plugins.lspServers outputStyles.commands"
    const known = new Set(CAPABILITIES.map(({ name }) => name))
    expect(specified.split(" ").filter((name) => !known.has(name))).toEqual([])
  })
})
