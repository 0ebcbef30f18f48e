import { Schema } from "effect"
import type { HookEvent } from "../../../core/loop/machine/state.ts"
import type { HostSetup } from "../../session/session-handle.ts"
import { type HostServer, hostServer } from "./host-servers.ts"
import type { HostHook, HostHookEvent, HostHooks } from "./hook-calls.ts"

const Matcher = Schema.Struct({
  matcher: Schema.optionalKey(Schema.NullOr(Schema.String)),
  hookCallbackIds: Schema.Array(Schema.String),
  timeout: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  onFailure: Schema.optionalKey(Schema.NullOr(Schema.Literals(["continue", "block"])))
})

const Initialize = Schema.Struct({
  hooks: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  systemPrompt: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)]))),
  appendSystemPrompt: Schema.optionalKey(Schema.NullOr(Schema.String)),
  jsonSchema: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  sdkMcpServers: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  sdkMcpServerConfigs: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  sdkMcpServerManifests: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
})

const isInitialize = Schema.is(Initialize)
const isMatcher = Schema.is(Matcher)

/** Events of the loop; questions about permission are answered beside it. */
const LOOP_EVENTS: ReadonlyArray<HookEvent> = [
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "PreCompact",
  "PostCompact"
]
const SUPPORTED: ReadonlyArray<HostHookEvent> = [...LOOP_EVENTS, "PermissionRequest"]
const DEFAULT_TIMEOUT_S = 60

const readHook = (value: unknown): ReadonlyArray<HostHook> =>
  isMatcher(value)
    ? [
        {
          matcher: value.matcher ?? undefined,
          callbackIds: value.hookCallbackIds,
          timeoutMs: (value.timeout ?? DEFAULT_TIMEOUT_S) * 1_000,
          onFailure: value.onFailure ?? undefined
        }
      ]
    : []

const readHooks = (hooks: Readonly<Record<string, unknown>>): HostHooks =>
  Object.fromEntries(
    SUPPORTED.flatMap((event) => {
      const matchers = hooks[event]
      const read = Array.isArray(matchers) ? matchers.flatMap(readHook) : []
      return read.length === 0 ? [] : [[event, read]]
    })
  )

const Manifest = Schema.Struct({ initializeResult: Schema.Unknown, toolsListResult: Schema.optionalKey(Schema.Unknown) })
const isManifest = Schema.is(Manifest)

const serversIn = (request: typeof Initialize.Type): ReadonlyArray<HostServer> =>
  (request.sdkMcpServers ?? []).map((name) => {
    const manifest = request.sdkMcpServerManifests?.[name]
    return hostServer(name, request.sdkMcpServerConfigs?.[name], isManifest(manifest) ? manifest : undefined)
  })

export interface HostInitialize {
  readonly setup: HostSetup
  readonly hooks: HostHooks
  readonly servers: ReadonlyArray<HostServer>
}

/** What the host asks for in its `initialize` request; undefined when its fields have the wrong types. */
export const readInitialize = (request: Readonly<Record<string, unknown>>): HostInitialize | undefined => {
  if (!isInitialize(request)) return undefined
  const hooks = readHooks(request.hooks ?? {})
  const prompt = request.systemPrompt
  return {
    hooks,
    servers: serversIn(request),
    setup: {
      hookEvents: LOOP_EVENTS.filter((event) => hooks[event] !== undefined),
      hooksAnswerQuestions: hooks.PermissionRequest !== undefined,
      ...(prompt == null ? {} : { systemPrompt: typeof prompt === "string" ? prompt : prompt.join("\n\n") }),
      ...(request.appendSystemPrompt == null ? {} : { appendSystemPrompt: request.appendSystemPrompt }),
      ...(request.jsonSchema == null ? {} : { jsonSchema: request.jsonSchema })
    }
  }
}
