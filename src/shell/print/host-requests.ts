import { Effect } from "effect"
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/verdict.ts"
import { statusOf } from "../../core/loop/sending.ts"
import { printRule } from "../../core/permission/rule.ts"
import { MODEL_ALIASES } from "../../core/domain/model-alias.ts"
import { modelUsage } from "../model-usage.ts"
import type { SessionHandle } from "../session-handle.ts"
import { COMPATIBILITY_VERSION } from "../version.ts"
import type { ControlReply, HostHooks } from "./control.ts"
import { readInitialize } from "./initialize.ts"

export interface HostRequestOptions {
  readonly session: () => SessionHandle
  readonly setHooks: (hooks: HostHooks) => void
}

type Request = Readonly<Record<string, unknown>>
type Handler = (request: Request, options: HostRequestOptions) => Effect.Effect<ControlReply>

const success = (response: Readonly<Record<string, unknown>> = {}): Effect.Effect<ControlReply> =>
  Effect.succeed({ _tag: "Success", response })

const failure = (error: string, code?: string): Effect.Effect<ControlReply> =>
  Effect.succeed({ _tag: "Error", error, ...(code === undefined ? {} : { code }) })

const initialize: Handler = (request, options) =>
  Effect.suspend(() => {
    const read = readInitialize(request)
    if (read === undefined) return failure("initialize: a field has the wrong type", "invalid_request")
    const session = options.session()
    options.setHooks(read.hooks)
    session.setUp(read.setup)
    return success({
      commands: [],
      agents: [],
      output_style: "default",
      available_output_styles: ["default"],
      models: MODEL_ALIASES.map((alias) => ({ value: alias, displayName: alias, description: `Alias ${alias}` })),
      account: { apiKeySource: session.facts.apiKeySource },
      hooks_applied: true,
      hook_on_failure_supported: true,
      claude_code_version: COMPATIBILITY_VERSION
    })
  })

const interrupt: Handler = (request, options) =>
  Effect.sync((): ControlReply => {
    const session = options.session()
    const queued = session.state().queue.map((prompt) => prompt.uuid)
    const cancels = request["cancel_queued"] === true
    if (cancels) session.offer({ _tag: "QueueCancelled", uuids: queued })
    session.interrupt()
    return {
      _tag: "Success",
      response: cancels ? { still_queued: [], cancelled: queued } : { still_queued: queued }
    }
  })

const isMode = (value: unknown): value is PermissionMode => PERMISSION_MODES.some((mode) => mode === value)

const setPermissionMode: Handler = (request, options) =>
  Effect.suspend(() => {
    const mode = request["mode"]
    if (!isMode(mode)) return failure(`Unknown permission mode: ${String(mode)}`, "invalid_request")
    const session = options.session()
    if (mode === "bypassPermissions" && !session.state().permission.bypassAvailable) {
      return failure(
        "Cannot set permission mode to bypassPermissions: the session was not started with --dangerously-skip-permissions or --allow-dangerously-skip-permissions"
      )
    }
    session.offer({ _tag: "ModeChanged", mode })
    return success({ mode })
  })

const setModel: Handler = (request, options) =>
  Effect.sync((): ControlReply => {
    const model = request["model"]
    options.session().setModel(typeof model === "string" ? model : undefined)
    return { _tag: "Success", response: {} }
  })

const setThinking: Handler = (request, options) =>
  Effect.sync((): ControlReply => {
    const tokens = request["max_thinking_tokens"]
    options.session().offer({
      _tag: "ConfigChanged",
      config: {
        thinking:
          typeof tokens !== "number"
            ? { type: "adaptive" }
            : tokens === 0
              ? undefined
              : { type: "enabled", budget_tokens: tokens }
      }
    })
    return { _tag: "Success", response: {} }
  })

const contextUsage: Handler = (_request, options) =>
  Effect.sync((): ControlReply => {
    const status = statusOf(options.session().state())
    return {
      _tag: "Success",
      response: {
        totalTokens: status.usedTokens,
        maxTokens: status.windowTokens,
        percentage: Math.round((100 * status.usedTokens) / status.windowTokens),
        model: options.session().state().config.model
      }
    }
  })

const sessionCost: Handler = (_request, options) =>
  Effect.sync((): ControlReply => {
    const { totals } = options.session().state()
    return {
      _tag: "Success",
      response: { total_cost_usd: totals.costUsd, total_api_duration_ms: totals.apiMs, modelUsage: modelUsage(totals.models) }
    }
  })

const cancelPrompt: Handler = (request, options) =>
  Effect.sync((): ControlReply => {
    const uuid = String(request["message_uuid"])
    const session = options.session()
    const queued = session.state().queue.some((prompt) => prompt.uuid === uuid)
    if (queued) session.offer({ _tag: "QueueCancelled", uuids: [uuid] })
    return { _tag: "Success", response: { cancelled: queued } }
  })

const stopTask: Handler = (request, options) =>
  options
    .session()
    .tasks.stop(String(request["task_id"]))
    .pipe(
      Effect.map((stopped): ControlReply =>
        stopped
          ? { _tag: "Success", response: {} }
          : { _tag: "Error", error: `No running task with id ${String(request["task_id"])}` }
      )
    )

const taskOutput: Handler = (request, options) =>
  options
    .session()
    .tasks.output(String(request["task_id"]))
    .pipe(
      Effect.map((output): ControlReply =>
        output === undefined
          ? { _tag: "Error", error: `No task with id ${String(request["task_id"])}` }
          : {
              _tag: "Success",
              response: {
                output: output.text,
                total_bytes: output.totalBytes,
                truncated: Buffer.byteLength(output.text) < output.totalBytes
              }
            }
      )
    )

const permissionRules: Handler = (_request, options) =>
  Effect.sync((): ControlReply => {
    const { rules } = options.session().state().permission
    return {
      _tag: "Success",
      response: {
        rules: rules.map((rule) => ({ behavior: rule.behavior, rule: printRule(rule), source: rule.source }))
      }
    }
  })

const rename: Handler = (request, options) =>
  Effect.suspend(() => {
    const wanted = request["title"] ?? request["name"]
    const title = typeof wanted === "string" ? wanted.trim() : ""
    if (title === "") return failure("rename_session: the title is empty", "invalid_request")
    options.session().rename(title)
    return success({})
  })

const HANDLERS: Readonly<Record<string, Handler>> = {
  initialize,
  interrupt,
  set_permission_mode: setPermissionMode,
  set_model: setModel,
  set_max_thinking_tokens: setThinking,
  get_context_usage: contextUsage,
  get_session_cost: sessionCost,
  cancel_async_message: cancelPrompt,
  stop_task: stopTask,
  get_task_output: taskOutput,
  list_permission_rules: permissionRules,
  rename_session: rename,
  mcp_status: () => success({ mcpServers: [] }),
  get_binary_version: () => success({ version: COMPATIBILITY_VERSION }),
  list_models: () => success({ models: MODEL_ALIASES.map((alias) => ({ value: alias, displayName: alias })) })
}

/** Answers one control request of the host. */
export const answerHost = (request: Request, options: HostRequestOptions): Effect.Effect<ControlReply> => {
  const subtype = String(request["subtype"])
  const handler = HANDLERS[subtype]
  return handler === undefined
    ? failure(`Unsupported control request subtype: ${subtype}`, "unsupported_request")
    : handler(request, options)
}
