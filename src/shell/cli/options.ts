import type { PermissionMode } from "../../core/permission/verdict.ts"
import type { JsonSchema } from "../../core/model/request/model-request.ts"
import type { CommandName } from "./tables/commands.ts"
import type { EFFORTS, INPUT_FORMATS, OUTPUT_FORMATS, THINKING } from "./tables/flags.ts"

/** What a command line asks for, typed. The shell acts on this record and never looks at argv again. */
export type Invocation =
  | { readonly _tag: "Version" }
  | { readonly _tag: "Help"; readonly command?: CommandName; readonly sub?: string; readonly all: boolean }
  | { readonly _tag: "Command"; readonly command: CommandName; readonly invocation: CommandInvocation }
  | Start

/** Start a session. */
export interface Start {
  readonly _tag: "Start"
  readonly prompt?: string
  /** Set when there is no prompt but a list flag took words that may have been meant as one. */
  readonly promptHint?: string
  /** Why this is print mode; absent for an interactive session. */
  readonly printBecause?: "flag" | "streamJson" | "stdoutIsNoTerminal" | "noKeyboard"
  readonly output: OutputOptions
  readonly model: ModelOptions
  readonly session: SessionOptions
  readonly permissions: PermissionOptions
  readonly systemPrompt?: PromptText
  readonly appendSystemPrompt?: PromptText
  readonly debug: DebugOptions
  /** No discovery of instruction files and extensions; few tools. */
  readonly bare: boolean
  readonly axScreenReader: boolean
  /** The folder is trusted for this run. */
  readonly trust: boolean
  /** No alternate screen: the conversation goes to the terminal's own scrollback. */
  readonly inline: boolean
  readonly awaitInitialize: boolean
  /** Prints the system prompt instead of starting. */
  readonly dumpsSystemPrompt: boolean
  readonly settings: SettingsFlags
  /** Accepted flags whose feature is not in this release, to be named on stderr. */
  readonly later: ReadonlyArray<LaterFlag>
  /** Further lines for stderr. */
  readonly notices: ReadonlyArray<string>
}

export interface SettingsFlags {
  /** Absent: all three. */
  readonly sources?: ReadonlyArray<SettingSource>
  /** A file or the JSON itself. */
  readonly flag?: string
  readonly managed?: string
  /** A setting that cannot be used ends the start. */
  readonly strict: boolean
}

export interface LaterFlag {
  readonly flag: string
  readonly value?: string
}

export type PromptText =
  | { readonly from: "argument"; readonly text: string }
  | { readonly from: "file"; readonly path: string }

export const SETTING_SOURCES = ["user", "project", "local"] as const
export type SettingSource = (typeof SETTING_SOURCES)[number]

export interface OutputOptions {
  readonly outputFormat: (typeof OUTPUT_FORMATS)[number]
  readonly inputFormat: (typeof INPUT_FORMATS)[number]
  readonly verbose: boolean
  readonly includePartialMessages: boolean
  readonly includeHookEvents: boolean
  readonly replayUserMessages: boolean
  readonly jsonSchema?: JsonSchema
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
}

export interface ModelOptions {
  readonly model?: string
  readonly fallbackModels: ReadonlyArray<string>
  readonly effort?: (typeof EFFORTS)[number] | "auto"
  readonly thinking?: (typeof THINKING)[number]
  readonly thinkingDisplay?: string
  readonly maxThinkingTokens?: number
  readonly betas: ReadonlyArray<string>
  readonly requireCredential: boolean
}

export interface SessionOptions {
  readonly from:
    | { readonly _tag: "New" }
    | { readonly _tag: "Continue" }
    /** Without `session` the picker opens. */
    | { readonly _tag: "Resume"; readonly session?: string }
  readonly fork: boolean
  readonly sessionId?: string
  readonly resumeAt?: string
  readonly persist: boolean
  readonly name?: string
}

export interface PermissionOptions {
  /** Absent: the default of the settings. */
  readonly mode?: PermissionMode
  readonly bypassAvailable: boolean
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
  /** Absent or "default": every tool; an empty list: none. */
  readonly tools?: "default" | ReadonlyArray<string>
  readonly addDirs: ReadonlyArray<string>
  /** Questions go to the host on stdin and stdout. */
  readonly askHost: boolean
  /** What would ask is denied, whoever could answer. */
  readonly neverAsk: boolean
}

export interface DebugOptions {
  readonly enabled: boolean
  readonly filter?: string
  readonly file?: string
  /** Directory for the recording of this session. */
  readonly record?: string
}

/** A command as it was typed: `nacre permissions explain --json -- ls` is {sub: "explain", flags: {json: true}, operands: ["ls"]}. */
export interface CommandInvocation {
  readonly sub: string | undefined
  readonly operands: ReadonlyArray<string>
  /** By the flag's name without dashes: true for a switch, the value, or every value of a flag that may be repeated. */
  readonly flags: Readonly<Record<string, true | string | ReadonlyArray<string>>>
}
