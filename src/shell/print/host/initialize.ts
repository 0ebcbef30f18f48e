import { Schema } from "effect"
import type { CallbackHandler, HookOrigin } from "../../../core/hooks/handler.ts"
import { HOOK_EVENT_NAMES, type HookEvent } from "../../../core/hooks/hook-event.ts"
import { readMatcher } from "../../../core/hooks/matcher.ts"
import type { HostSetup } from "../../session/session-handle.ts"
import { type HostServer, hostServer } from "./host-servers.ts"

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

const DEFAULT_TIMEOUT_S = 60
const HOST: HookOrigin = { source: "host", file: "initialize" }

const readMatched = (event: HookEvent, value: unknown): ReadonlyArray<CallbackHandler> => {
  if (!isMatcher(value)) return []
  const matcher = value.matcher ?? undefined
  const { onFailure } = value
  return value.hookCallbackIds.map((callbackId) => ({
    type: "callback",
    event,
    matcher,
    pattern: readMatcher(event, matcher),
    callbackId,
    timeoutMs: (value.timeout ?? DEFAULT_TIMEOUT_S) * 1_000,
    ...(onFailure == null ? {} : { onFailure }),
    from: HOST
  }))
}

const readHooks = (hooks: Readonly<Record<string, unknown>>): ReadonlyArray<CallbackHandler> =>
  HOOK_EVENT_NAMES.flatMap((event) => {
    const matchers = hooks[event]
    return Array.isArray(matchers) ? matchers.flatMap((value) => readMatched(event, value)) : []
  })

const Manifest = Schema.Struct({ initializeResult: Schema.Unknown, toolsListResult: Schema.optionalKey(Schema.Unknown) })
const isManifest = Schema.is(Manifest)

const serversIn = (request: typeof Initialize.Type): ReadonlyArray<HostServer> =>
  (request.sdkMcpServers ?? []).map((name) => {
    const manifest = request.sdkMcpServerManifests?.[name]
    return hostServer(name, request.sdkMcpServerConfigs?.[name], isManifest(manifest) ? manifest : undefined)
  })

export interface HostInitialize {
  readonly setup: HostSetup
  readonly servers: ReadonlyArray<HostServer>
}

/** What the host asks for in its `initialize` request; undefined when its fields have the wrong types. */
export const readInitialize = (request: Readonly<Record<string, unknown>>): HostInitialize | undefined => {
  if (!isInitialize(request)) return undefined
  const prompt = request.systemPrompt
  return {
    servers: serversIn(request),
    setup: {
      hooks: readHooks(request.hooks ?? {}),
      ...(prompt == null ? {} : { systemPrompt: typeof prompt === "string" ? prompt : prompt.join("\n\n") }),
      ...(request.appendSystemPrompt == null ? {} : { appendSystemPrompt: request.appendSystemPrompt }),
      ...(request.jsonSchema == null ? {} : { jsonSchema: request.jsonSchema })
    }
  }
}
