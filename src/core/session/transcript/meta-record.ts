import { Schema } from "effect"

/**
 * Bookkeeping lines of a transcript: no envelope, no uuid, never part of the chain. Extra fields are allowed and kept
 * because the guards only look, they do not copy.
 */
const Optional = Schema.optionalKey
const Session = { sessionId: Optional(Schema.String) }
const OptionalText = Optional(Schema.NullOr(Schema.String))

const SCHEMAS = {
  summary: Schema.Struct({ type: Schema.Literal("summary"), summary: Schema.String, leafUuid: Schema.String }),
  "custom-title": Schema.Struct({ type: Schema.Literal("custom-title"), customTitle: Schema.String, ...Session }),
  "ai-title": Schema.Struct({ type: Schema.Literal("ai-title"), aiTitle: Schema.String, ...Session }),
  "agent-name": Schema.Struct({ type: Schema.Literal("agent-name"), agentName: Schema.String, ...Session }),
  "agent-color": Schema.Struct({ type: Schema.Literal("agent-color"), agentColor: Schema.String, ...Session }),
  "agent-setting": Schema.Struct({ type: Schema.Literal("agent-setting"), agentSetting: Schema.String, ...Session }),
  tag: Schema.Struct({ type: Schema.Literal("tag"), tag: Schema.String, ...Session }),
  "last-prompt": Schema.Struct({
    type: Schema.Literal("last-prompt"),
    lastPrompt: OptionalText,
    leafUuid: OptionalText,
    ...Session
  }),
  mode: Schema.Struct({ type: Schema.Literal("mode"), mode: Schema.String, ...Session }),
  "permission-mode": Schema.Struct({
    type: Schema.Literal("permission-mode"),
    permissionMode: Schema.String,
    ...Session
  }),
  "queue-operation": Schema.Struct({
    type: Schema.Literal("queue-operation"),
    operation: Schema.Literals(["enqueue", "dequeue", "remove", "popAll"]),
    content: Optional(Schema.Unknown),
    timestamp: Optional(Schema.String),
    ...Session
  }),
  "file-history-snapshot": Schema.Struct({
    type: Schema.Literal("file-history-snapshot"),
    messageId: Schema.String,
    snapshot: Schema.Unknown,
    isSnapshotUpdate: Optional(Schema.Boolean)
  }),
  "file-history-delta": Schema.Struct({
    type: Schema.Literal("file-history-delta"),
    messageId: Schema.String,
    snapshotMessageId: Schema.String,
    trackingPath: Schema.String,
    backup: Schema.Unknown,
    timestamp: Optional(Schema.String)
  }),
  "content-replacement": Schema.Struct({
    type: Schema.Literal("content-replacement"),
    replacements: Schema.Array(Schema.Struct({ kind: Schema.String, toolUseId: Schema.String, replacement: Schema.String })),
    agentId: Optional(Schema.String),
    ...Session
  }),
  "pr-link": Schema.Struct({
    type: Schema.Literal("pr-link"),
    prNumber: Schema.Number,
    prUrl: Schema.String,
    prRepository: Optional(Schema.String),
    timestamp: Optional(Schema.String),
    ...Session
  }),
  "worktree-state": Schema.Struct({
    type: Schema.Literal("worktree-state"),
    worktreeSession: Schema.NullOr(Schema.Unknown),
    ...Session
  }),
  relocated: Schema.Struct({ type: Schema.Literal("relocated"), relocatedCwd: Schema.String, ...Session }),
  "cost-state": Schema.Struct({
    type: Schema.Literal("cost-state"),
    totalCostUSD: Schema.Number,
    modelUsage: Schema.Record(Schema.String, Schema.Unknown),
    totalAPIDuration: Optional(Schema.Number),
    totalDuration: Optional(Schema.Number),
    totalToolDuration: Optional(Schema.Number),
    totalLinesAdded: Optional(Schema.Number),
    totalLinesRemoved: Optional(Schema.Number),
    timestamp: Optional(Schema.String),
    ...Session
  }),
  "nacre-snapshot": Schema.Struct({
    type: Schema.Literal("nacre-snapshot"),
    messageId: Schema.String,
    kind: Schema.Literals(["prompt", "shell", "rewind"]),
    manifest: Schema.String,
    changes: Schema.Array(Schema.Unknown),
    toolUseId: Optional(Schema.String)
  }),
  "nacre-pin": Schema.Struct({
    type: Schema.Literal("nacre-pin"),
    target: Schema.String,
    pinned: Schema.Boolean,
    text: Optional(Schema.String)
  }),
  "nacre-label": Schema.Struct({ type: Schema.Literal("nacre-label"), uuid: Schema.String, label: Schema.String })
} as const

type Schemas = typeof SCHEMAS
export type MetaType = keyof Schemas
export type MetaOf<T extends MetaType> = Schemas[T]["Type"]
export type MetaRecord = { [T in MetaType]: MetaOf<T> }[MetaType]
export type CostState = MetaOf<"cost-state">
export type Replacement = MetaOf<"content-replacement">["replacements"][number]

const GUARDS: ReadonlyMap<string, (value: unknown) => value is MetaRecord> = new Map(
  Object.entries(SCHEMAS).map(([type, schema]) => [type, Schema.is<typeof schema>(schema)])
)

/** Whether a parsed line is a bookkeeping record whose fields we understand. */
export const isMetaRecord = (value: { readonly type?: unknown }): value is MetaRecord =>
  typeof value.type === "string" && (GUARDS.get(value.type)?.(value) ?? false)
