import { Effect } from "effect"
import { PERMISSION_MODES, type PermissionMode } from "../../../core/permission/verdict.ts"
import { printRule } from "../../../core/permission/rule.ts"
import { MODEL_ALIASES } from "../../../core/model/catalog/model-alias.ts"
import type { SessionHandle } from "../../session/session-handle.ts"
import { COMPATIBILITY_VERSION } from "../../process/version.ts"
import { isRaw } from "../../../core/domain/json/json-object.ts"
import { hostServer, type HostServers } from "./host-servers.ts"
import type { ControlReply } from "./host-link.ts"
import { answerQuery } from "./host-queries.ts"
import { readInitialize } from "./initialize.ts"
import { turnOf } from "../../../core/loop/machine/transition.ts"

export interface HostRequestOptions {
  readonly session: () => SessionHandle
  readonly servers: () => HostServers
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
    session.setUp(read.setup)
    options.servers().connect(read.servers)
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
    if (mode === "auto" && !session.state().permission.autoAvailable) {
      return failure("Cannot set permission mode to auto: it is turned off by settings (disableAutoMode)")
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
    const session = options.session()
    const budget = tokens === 0 ? undefined : { type: "enabled" as const, budget_tokens: Number(tokens) }
    const thinking = typeof tokens === "number" ? budget : { type: "adaptive" as const }
    session.offer({ _tag: "ModelChosen", choice: { ...session.state().config.choice, thinking } })
    return { _tag: "Success", response: {} }
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

/** Sends the commands of the foreground to the background, one or all of them. */
const backgroundTasks: Handler = (request, options) => {
  const session = options.session()
  const calls = turnOf(session.state())?.calls ?? []
  const running = calls.filter((call) => call.stage === "executing").map((call) => call.id)
  const wanted = request["tool_use_id"]
  const moving = typeof wanted === "string" ? running.filter((callId) => callId === wanted) : running
  return Effect.forEach(moving, session.tasks.moveToBackground).pipe(
    Effect.map((moved): ControlReply => ({ _tag: "Success", response: { backgrounded: moved.some(Boolean) } }))
  )
}

const serverMissing: Handler = (request) => failure(`Server not found: ${String(request["serverName"])}`)

const NOT_IN_HOST = "of MCP servers only those in the host's own process are part of this version"

/** Servers in the host's process are used; others hear why theirs are missing. */
const setServers: Handler = (request, options) =>
  Effect.sync((): ControlReply => {
    const servers = options.servers()
    const wanted = isRaw(request["servers"]) ? Object.entries(request["servers"]) : []
    const own = wanted.filter(([, config]) => isRaw(config) && config["type"] === "sdk")
    const former = servers.statuses.map(({ name }) => name)
    servers.connect(own.map(([name, config]) => hostServer(name, config)))
    return {
      _tag: "Success",
      response: {
        added: own.flatMap(([name]) => (former.includes(name) ? [] : [name])),
        removed: former.filter((name) => !own.some(([each]) => each === name)),
        errors: Object.fromEntries(wanted.flatMap((each) => (own.includes(each) ? [] : [[each[0], NOT_IN_HOST]])))
      }
    }
  })

const serverStatus: Handler = (_request, options) =>
  success({ mcpServers: options.servers().statuses.map((status) => ({ ...status, source: "sdk" })) })

/** The host only waits for us to have heard it. */
const serverMessage: Handler = (request, options) =>
  Effect.sync((): ControlReply => {
    options.servers().receive(request["server_name"], request["message"])
    return { _tag: "Success", response: { mcp_response: { jsonrpc: "2.0", id: 0, result: {} } } }
  })

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
  cancel_async_message: cancelPrompt,
  stop_task: stopTask,
  get_task_output: taskOutput,
  list_permission_rules: permissionRules,
  rename_session: rename,
  background_tasks: backgroundTasks,
  mcp_reconnect: serverMissing,
  mcp_toggle: serverMissing,
  mcp_set_servers: setServers,
  mcp_status: serverStatus,
  mcp_message: serverMessage,
  get_binary_version: () => success({ version: COMPATIBILITY_VERSION }),
  list_models: () => success({ models: MODEL_ALIASES.map((alias) => ({ value: alias, displayName: alias })) })
}

/** Answers one control request of the host. */
export const answerHost = (request: Request, options: HostRequestOptions): Effect.Effect<ControlReply> => {
  const subtype = String(request["subtype"])
  const handler = Object.hasOwn(HANDLERS, subtype) ? HANDLERS[subtype] : undefined
  const query = handler === undefined ? answerQuery(subtype, options.session) : undefined
  if (query !== undefined) return query
  return handler === undefined
    ? failure(`Unsupported control request subtype: ${subtype}`, "unsupported_request")
    : handler(request, options)
}
