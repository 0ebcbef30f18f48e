import { initialState, type Restored } from "../../src/core/loop/turn/start-turn.ts"
import type { LoopEvent } from "../../src/core/loop/machine/event.ts"
import { configFromFlat, eventsOf, type FlatConfig } from "../../src/shell/trace/flat-config.ts"
import type { AgentState, LoopConfig } from "../../src/core/loop/machine/state.ts"
import { type AutoSettings, DEFAULT_AUTO } from "../../src/core/permission/auto-mode-lists.ts"
import type { PermissionContext } from "../../src/core/permission/context.ts"
import { makeContext } from "../../src/core/permission/configuration/make-context.ts"
import type { PermissionMode } from "../../src/core/permission/verdict.ts"
import type { JsonSchema } from "../../src/core/model/request/model-request.ts"
import { builtInEntries, schemaEntry, type ToolEntry } from "../../src/core/tools/tool-entry.ts"
import { offered } from "../../src/core/tools/toolbox.ts"

/** A conversation in /work with every tool offered, for tests of the loop alone. */
export const PROJECT_DIR = "/project"

interface Tools {
  readonly schema?: JsonSchema
  readonly interactive?: boolean
  readonly only?: ReadonlyArray<string>
}

/** The tools of a conversation in which no rule denies any. */
export const toolsFor = ({ schema, interactive = true, only }: Tools = {}): ReadonlyArray<ToolEntry> =>
  offered([...builtInEntries(true), ...(schema === undefined ? [] : [schemaEntry(schema)])], {
    interactive,
    testing: false,
    only,
    isDenied: () => false
  })

const TOOLS = toolsFor()

const DEFAULTS: Omit<FlatConfig, "tools"> = {
  sessionId: "11111111-1111-4111-8111-111111111111",
  projectDir: PROJECT_DIR,
  sessionDir: "/home/.claude/projects/-project/session",
  canAsk: true,
  model: "offline",
  fallbackModels: [],
  system: [{ type: "text", text: "You are Nacre." }],
  sources: [],
  maxTurns: undefined,
  maxBudgetUsd: undefined,
  explicitOutputTokens: undefined,
  thinking: undefined,
  effort: undefined,
  betas: [],
  userId: undefined,
  caching: { enabled: true, ttl: "5m" },
  jsonSchema: undefined,
  structuredRetries: 5,
  checkTimeoutMs: 30_000,
  retry: { maxRetries: 10, watchdog: false },
  autoCompact: true,
  windowTokens: undefined,
  autoWindowTokens: undefined,
  parallelCalls: 10,
  repeatedCalls: 5,
  hookEvents: []
}

/** Options of the loop by their names alone: tests change one or two. */
export type ConfigPatch = Partial<Omit<FlatConfig, "tools">>

export const loopConfig = (patch: ConfigPatch = {}): LoopConfig => configFromFlat({ ...DEFAULTS, ...patch })

/** The events that change these options of a running loop. */
export const configChange = (state: AgentState, patch: ConfigPatch): ReadonlyArray<LoopEvent> =>
  eventsOf({ _tag: "ConfigChanged", config: patch, at: 0 }, state)

export const permissions = (
  options: {
    readonly mode?: PermissionMode
    readonly allow?: ReadonlyArray<string>
    readonly ask?: ReadonlyArray<string>
    readonly deny?: ReadonlyArray<string>
    readonly canPrompt?: boolean
    readonly auto?: Partial<AutoSettings>
  } = {}
): PermissionContext =>
  makeContext({
    mode: options.mode ?? "default",
    cwd: { path: PROJECT_DIR, realPath: PROJECT_DIR },
    home: { path: "/home", realPath: "/home" },
    bypassAvailable: true,
    autoAvailable: true,
    auto: { ...DEFAULT_AUTO, ...options.auto },
    canPrompt: options.canPrompt ?? true,
    allow: options.allow ?? [],
    ask: options.ask ?? [],
    deny: options.deny ?? []
  }).context

export interface LoopFixture {
  readonly config?: ConfigPatch
  readonly permission?: PermissionContext
  readonly tools?: ReadonlyArray<ToolEntry>
  readonly seed?: string
  readonly restored?: Restored
}

export const loopState = (fixture: LoopFixture = {}): AgentState =>
  initialState({
    config: loopConfig(fixture.config),
    permission: fixture.permission ?? permissions(),
    tools: fixture.tools ?? TOOLS,
    cwd: PROJECT_DIR,
    seed: fixture.seed ?? "fixture",
    ...(fixture.restored === undefined ? {} : { restored: fixture.restored })
  })
