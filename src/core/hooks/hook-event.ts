/** Every moment at which hooks are heard: what they are told, what they may change, and what their no means. */

export type HandlerType = "command" | "http" | "mcp_tool" | "prompt" | "agent" | "callback"

/** What exit code 2, and `decision: "block"`, mean. */
export type Blocking =
  /** The call is refused. */
  | "deny"
  /** What was about to happen does not happen. */
  | "refuse"
  /** The model hears it beside the result. */
  | "feedback"
  /** The model goes on working. */
  | "continue"
  /** The turn ends. */
  | "end"
  /** Nothing; the user hears of it. */
  | "tell"

/** What an answer may change beside its verdict, by the names of `hookSpecificOutput`. */
export type EffectName =
  | "additionalContext"
  | "permissionDecision"
  | "updatedInput"
  | "decision"
  | "retry"
  | "updatedToolOutput"
  | "updatedMCPToolOutput"
  | "initialUserMessage"
  | "sessionTitle"
  | "suppressOriginalPrompt"
  | "displayContent"

interface HookEventSpec {
  /** The field of the input that a matcher is compared with; without one matchers mean nothing. */
  readonly matches?: string
  readonly blocking: Blocking
  readonly effects: ReadonlyArray<EffectName>
  readonly handlers: ReadonlyArray<HandlerType>
  /** Plain text on stdout is context for the model; otherwise it goes to the debug log. */
  readonly plainText?: "context"
  /** `if` may ask about a call. */
  readonly aboutCall?: true
  /** Nobody waits for the answers. */
  readonly observes?: true
  readonly tellsMode?: true
  /** Handlers may write variables for later commands into a file of theirs. */
  readonly getsEnvFile?: true
  readonly timeoutMs?: number
  /** The event's own fields, for trying a handler out. */
  readonly sample: Readonly<Record<string, unknown>>
}

const EVERY_TYPE: ReadonlyArray<HandlerType> = ["command", "http", "mcp_tool", "prompt", "agent", "callback"]
/** No model is asked: there is no turn that it would belong to. */
const OUTSIDE_TURN: ReadonlyArray<HandlerType> = ["command", "http", "mcp_tool", "callback"]
const AT_START: ReadonlyArray<HandlerType> = ["command", "mcp_tool", "callback"]

const CALL = {
  tool_name: "Bash",
  tool_input: { command: "echo hello", description: "Say hello" },
  tool_use_id: "toolu_sample"
}
const CALLS = { matches: "tool_name", handlers: EVERY_TYPE, aboutCall: true, tellsMode: true } as const
const TURN_END = {
  blocking: "continue",
  effects: ["additionalContext"],
  handlers: EVERY_TYPE,
  tellsMode: true
} as const
const ENDED = { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [], session_crons: [] }
const TASK = {
  blocking: "refuse",
  effects: [],
  handlers: EVERY_TYPE,
  tellsMode: true,
  sample: { task_id: "1", task_subject: "Write the tests" }
} as const
const OUTSIDE = { blocking: "tell", effects: [], handlers: OUTSIDE_TURN } as const
const SERVER_QUESTION = { matches: "mcp_server_name", blocking: "refuse", effects: [], handlers: OUTSIDE_TURN } as const

export const HOOK_EVENTS = {
  SessionStart: {
    matches: "source",
    blocking: "tell",
    effects: ["additionalContext", "initialUserMessage", "sessionTitle"],
    handlers: AT_START,
    plainText: "context",
    getsEnvFile: true,
    sample: { source: "startup" }
  },
  Setup: {
    matches: "trigger",
    blocking: "tell",
    effects: ["additionalContext"],
    handlers: AT_START,
    getsEnvFile: true,
    sample: { trigger: "init" }
  },
  InstructionsLoaded: {
    ...OUTSIDE,
    matches: "load_reason",
    observes: true,
    sample: { file_path: "CLAUDE.md", memory_type: "Project", load_reason: "session_start" }
  },
  UserPromptSubmit: {
    blocking: "refuse",
    effects: ["additionalContext", "sessionTitle", "suppressOriginalPrompt"],
    handlers: EVERY_TYPE,
    plainText: "context",
    tellsMode: true,
    timeoutMs: 30_000,
    sample: { prompt: "Fix the failing test" }
  },
  UserPromptExpansion: {
    matches: "command_name",
    blocking: "refuse",
    effects: ["additionalContext"],
    handlers: EVERY_TYPE,
    plainText: "context",
    tellsMode: true,
    sample: {
      expansion_type: "slash_command",
      command_name: "review",
      command_args: "",
      command_source: "projectSettings",
      prompt: "/review"
    }
  },
  MessageDisplay: {
    ...OUTSIDE,
    effects: ["displayContent"],
    observes: true,
    timeoutMs: 10_000,
    sample: { turn_id: "turn", message_id: "msg", index: 0, final: true, delta: "Done.\n" }
  },
  PreToolUse: {
    ...CALLS,
    blocking: "deny",
    effects: ["permissionDecision", "updatedInput", "additionalContext"],
    sample: CALL
  },
  PermissionRequest: {
    ...CALLS,
    blocking: "tell",
    effects: ["decision"],
    sample: { tool_name: CALL.tool_name, tool_input: CALL.tool_input }
  },
  PermissionDenied: { ...CALLS, blocking: "tell", effects: ["retry"], sample: { ...CALL, reason: "it is too risky" } },
  PostToolUse: {
    ...CALLS,
    blocking: "feedback",
    effects: ["additionalContext", "updatedToolOutput", "updatedMCPToolOutput"],
    sample: { ...CALL, tool_response: { stdout: "hello", stderr: "", interrupted: false, isImage: false }, duration_ms: 12 }
  },
  PostToolUseFailure: {
    ...CALLS,
    blocking: "feedback",
    effects: ["additionalContext"],
    sample: { ...CALL, error: "Exit code 1", is_interrupt: false, duration_ms: 12 }
  },
  PostToolBatch: {
    blocking: "end",
    effects: ["additionalContext"],
    handlers: EVERY_TYPE,
    tellsMode: true,
    sample: { tool_calls: [{ ...CALL, tool_response: "hello" }] }
  },
  Notification: {
    ...OUTSIDE,
    matches: "notification_type",
    sample: { message: "Nacre waits for an answer", notification_type: "permission_prompt" }
  },
  SubagentStart: {
    matches: "agent_type",
    blocking: "tell",
    effects: ["additionalContext"],
    handlers: OUTSIDE_TURN,
    sample: { agent_id: "a1", agent_type: "general-purpose" }
  },
  SubagentStop: {
    ...TURN_END,
    matches: "agent_type",
    sample: { ...ENDED, agent_id: "a1", agent_type: "general-purpose", agent_transcript_path: "" }
  },
  TaskCreated: TASK,
  TaskCompleted: TASK,
  TeammateIdle: { ...TASK, sample: { teammate_name: "reviewer", team_name: "team" } },
  Stop: { ...TURN_END, sample: ENDED },
  StopFailure: {
    ...OUTSIDE,
    matches: "error",
    observes: true,
    sample: { error: "server_error", last_assistant_message: "" }
  },
  ConfigChange: {
    ...OUTSIDE,
    matches: "source",
    blocking: "refuse",
    sample: { source: "user_settings", file_path: "settings.json" }
  },
  CwdChanged: { ...OUTSIDE, getsEnvFile: true, sample: { old_cwd: "/", new_cwd: "/tmp" } },
  DirectoryAdded: { ...OUTSIDE, matches: "source", sample: { directory: "/tmp", source: "slash_command" } },
  FileChanged: {
    ...OUTSIDE,
    matches: "file_path",
    getsEnvFile: true,
    sample: { file_path: "package.json", event: "change" }
  },
  WorktreeCreate: { ...OUTSIDE, blocking: "refuse", sample: { name: "feature" } },
  WorktreeRemove: { ...OUTSIDE, sample: { worktree_path: "/tmp/feature" } },
  PreCompact: {
    matches: "trigger",
    blocking: "refuse",
    effects: [],
    handlers: OUTSIDE_TURN,
    plainText: "context",
    sample: { trigger: "manual", custom_instructions: null }
  },
  PostCompact: { ...OUTSIDE, matches: "trigger", sample: { trigger: "manual", compact_summary: "What was said." } },
  PreModelSwitch: { ...OUTSIDE, sample: { from_model: "sonnet", to_model: "opus" } },
  PostModelSwitch: { ...OUTSIDE, sample: { from_model: "sonnet", to_model: "opus" } },
  SessionEnd: { ...OUTSIDE, matches: "reason", timeoutMs: 1_500, sample: { reason: "other" } },
  Elicitation: { ...SERVER_QUESTION, sample: { mcp_server_name: "server", message: "Your name?", mode: "form" } },
  ElicitationResult: { ...SERVER_QUESTION, sample: { mcp_server_name: "server", action: "accept", content: {} } }
} as const satisfies Record<string, HookEventSpec>

export type HookEvent = keyof typeof HOOK_EVENTS

export const HOOK_EVENT_NAMES = Object.keys(HOOK_EVENTS) as ReadonlyArray<HookEvent>

export const isHookEvent = (name: string): name is HookEvent => Object.hasOwn(HOOK_EVENTS, name)

export const specOf = (event: HookEvent): HookEventSpec => HOOK_EVENTS[event]

/** What a matcher is compared with; the last part of a path for files. */
export const subjectOf = (event: HookEvent, input: Readonly<Record<string, unknown>>): string | undefined => {
  const { matches } = specOf(event)
  const value = matches === undefined ? undefined : input[matches]
  if (typeof value !== "string") return undefined
  return event === "FileChanged" ? value.slice(value.lastIndexOf("/") + 1) : value
}
