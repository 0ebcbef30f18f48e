import type { SettingsSource } from "../domain/settings-source.ts"
import type { HookEvent } from "./hook-event.ts"
import type { Matcher } from "./matcher.ts"

/** Where a handler was written down. */
export interface HookOrigin {
  readonly source: SettingsSource | "host"
  readonly file: string
  readonly line?: number
}

interface Common {
  readonly event: HookEvent
  /** As it was written; the pattern beside it is what counts. */
  readonly matcher: string | undefined
  readonly pattern: Matcher
  /** A permission rule: the handler runs only for calls that it speaks of. */
  readonly condition?: string
  readonly timeoutMs?: number
  /** What silence until the time is over means. */
  readonly onTimeout?: "block" | "allow"
  /** What a failure means; of callbacks only. */
  readonly onFailure?: "block" | "continue"
  readonly statusMessage?: string
  readonly from: HookOrigin
}

export interface CommandHandler extends Common {
  readonly type: "command"
  readonly command: string
  /** With arguments the command is a program, and no shell reads it. */
  readonly args?: ReadonlyArray<string>
  readonly shell?: "bash" | "powershell"
  readonly isAsync: boolean
  /** Exit code 2 of a handler in the background speaks to the model although it is idle. */
  readonly rewakes: boolean
}

export interface HttpHandler extends Common {
  readonly type: "http"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly allowedEnvVars: ReadonlyArray<string>
}

export interface ModelHandler extends Common {
  readonly type: "prompt" | "agent"
  readonly prompt: string
  readonly model?: string
  readonly continueOnBlock: boolean
}

export interface ServerToolHandler extends Common {
  readonly type: "mcp_tool"
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Code of the host that embeds Nacre. */
export interface CallbackHandler extends Common {
  readonly type: "callback"
  readonly callbackId: string
}

export type Handler = CommandHandler | HttpHandler | ModelHandler | ServerToolHandler | CallbackHandler

/** What a user recognises a handler by. */
export const labelOf = (handler: Handler): string => {
  switch (handler.type) {
    case "command":
      return [handler.command, ...(handler.args ?? [])].join(" ")
    case "http":
      return handler.url
    case "mcp_tool":
      return `${handler.server}/${handler.tool}`
    case "prompt":
    case "agent":
      return handler.prompt
    case "callback":
      return `callback ${handler.callbackId}`
  }
}

/** The same work written down twice is done once; what a host registered is never the same. */
export const workOf = (handler: Handler): string | undefined => {
  const { condition = "" } = handler
  switch (handler.type) {
    case "command":
      return JSON.stringify(["command", handler.command, handler.args ?? null, handler.shell ?? "", condition])
    case "http":
      return JSON.stringify(["http", handler.url, condition])
    case "mcp_tool":
      return JSON.stringify(["mcp_tool", handler.server, handler.tool, handler.input, condition])
    case "prompt":
    case "agent":
      return JSON.stringify([handler.type, handler.prompt, handler.model ?? "", condition])
    case "callback":
      return undefined
  }
}

const SOURCE_NAMES: Readonly<Record<HookOrigin["source"], string>> = {
  policySettings: "Managed",
  userSettings: "User",
  projectSettings: "Project",
  localSettings: "Local",
  flagSettings: "Command line",
  host: "Host"
}

/** The sources in the order in which their handlers count. */
export const HOOK_SOURCES = [
  "policySettings",
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "host"
] as const satisfies ReadonlyArray<HookOrigin["source"]>

export const sourceName = ({ source }: HookOrigin): string => SOURCE_NAMES[source]

export const placeOf = ({ file, line }: HookOrigin): string => (line === undefined ? file : `${file}:${line}`)
