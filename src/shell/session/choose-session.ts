import { Effect } from "effect"
import { costOf } from "../../core/model/catalog/cost.ts"
import { readVariable } from "../../core/domain/env.ts"
import type { Restored as LoopRestored } from "../../core/loop/turn/start-turn.ts"
import type { ModelTotals, QueuedPrompt, Totals } from "../../core/loop/machine/state.ts"
import { addUsage, type Usage, zeroUsage } from "../../core/domain/usage.ts"
import { lookupMessage, Records } from "../../core/ports/Records.ts"
import { forkRewriter } from "../../core/session/fork.ts"
import { beforePrompt } from "../../core/session/load/clean.ts"
import { isContinuable, type SessionFile } from "../../core/session/row.ts"
import type { SessionOptions } from "../cli/options.ts"
import { collectGarbage } from "../process/collect-garbage.ts"
import { loadSession, type LoadedSession } from "./load-session.ts"
import type { SessionPlan } from "../plan/session-plan.ts"

/** The session a run works on: a fresh one, or one read back from disk. */
export interface ChosenSession {
  readonly sessionId: string
  readonly path: string
  readonly loaded?: LoadedSession
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const isUuid = (text: string): boolean => UUID.test(text)

/** The file that `--resume <text>` means: a path, an id, or a title. */
const findSession = Effect.fnUntraced(function* (text: string, cwd: string): Effect.fn.Return<SessionFile, string, Records> {
  const records = yield* Records
  if (text.endsWith(".jsonl")) {
    return yield* records.fileAt(text).pipe(Effect.mapError((failure) => failure.message))
  }
  if (isUuid(text)) {
    const found = yield* records.findById(text, [cwd])
    return found._tag === "Found" ? found.file : yield* Effect.fail(lookupMessage(text, found))
  }
  const [first, ...others] = yield* records.findByTitle(text, [cwd])
  if (first === undefined) return yield* Effect.fail(`No conversation found with session ID: ${text}`)
  if (others.length > 0) {
    return yield* Effect.fail(
      `${others.length + 1} sessions are called ${text}. Fix: resume one by its id (${[first, ...others].map((row) => row.sessionId).join(", ")})`
    )
  }
  return first
})

/** Windows that the environment may ask for, at most. */
const ASKED_WINDOW_TOKENS = 10_000_000

const load = ({ env, start }: SessionPlan, file: SessionFile) => {
  const { resumeAt: at } = start.session
  const asksForWindow = env["NACRE_OFFLINE_WINDOW"] !== undefined || readVariable(env, "MAX_CONTEXT_TOKENS") !== undefined
  return loadSession(file.path, {
    ...(at === undefined ? {} : { at }),
    ...(asksForWindow ? { windowTokens: ASKED_WINDOW_TOKENS } : {})
  }).pipe(Effect.mapError((failure) => failure.message))
}

/** A copy under a new id: the original is never written. */
const fork = Effect.fnUntraced(function* (
  plan: SessionPlan,
  file: SessionFile,
  sessionId: string
): Effect.fn.Return<SessionFile, string, Records> {
  const records = yield* Records
  const { resumeAt } = plan.start.session
  const at = resumeAt === undefined ? {} : { at: resumeAt }
  return yield* records
    .fork({ source: file, sessionId, cwd: plan.cwd, ...forkRewriter({ sessionId, from: file.sessionId, ...at }) })
    .pipe(Effect.mapError((failure) => failure.message))
})

const refuseIfOpen = Effect.fnUntraced(function* (sessionId: string): Effect.fn.Return<void, string, Records> {
  const records = yield* Records
  const holder = yield* records.holder(sessionId)
  if (holder !== null) {
    return yield* Effect.fail(
      `Session ${sessionId} is open in process ${holder.pid}. Fix: close it there or add --fork-session`
    )
  }
})

/** A transcript named by its file is read, never written: the run goes on in a copy. */
const isNamedByFile = ({ from }: SessionOptions): boolean =>
  from._tag === "Resume" && from.session?.endsWith(".jsonl") === true

/** A shorter one leaves little behind. */
const LONG_BYTES = 16 * 1024 * 1024

const continued = Effect.fnUntraced(function* (
  plan: SessionPlan,
  file: SessionFile
): Effect.fn.Return<ChosenSession, string, Records> {
  const { session } = plan.start
  const isCopy = session.fork || isNamedByFile(session)
  if (!isCopy) yield* refuseIfOpen(file.sessionId)
  const target = isCopy ? yield* fork(plan, file, session.sessionId ?? crypto.randomUUID()) : file
  const loaded = yield* load(plan, target)
  if (target.size > LONG_BYTES) yield* Effect.promise(collectGarbage)
  return { sessionId: target.sessionId, path: target.path, loaded }
})

const fresh = Effect.fnUntraced(function* (plan: SessionPlan): Effect.fn.Return<ChosenSession, string, Records> {
  const records = yield* Records
  const wanted = plan.start.session.sessionId
  if (wanted !== undefined) {
    if (!isUuid(wanted)) return yield* Effect.fail(`--session-id ${wanted} is not a UUID`)
    const found = yield* records.findById(wanted, [plan.cwd])
    if (found._tag !== "Missing")
      return yield* Effect.fail(`Session ID ${wanted} is already in use. Fix: resume it or choose another id`)
  }
  const sessionId = wanted ?? crypto.randomUUID()
  return { sessionId, path: records.pathFor(plan.cwd, sessionId) }
})

/** The stored session that a start names; undefined where it begins a new one. */
const storedSession = Effect.fnUntraced(function* (
  plan: SessionPlan,
  headless = plan.start.printBecause !== undefined
): Effect.fn.Return<SessionFile | undefined, string, Records> {
  const { from } = plan.start.session
  if (from._tag === "New") return undefined
  if (from._tag === "Resume") {
    if (from.session === undefined) return yield* Effect.fail("--resume needs a session id, title or file here")
    return yield* findSession(from.session, plan.cwd)
  }
  const row = yield* (yield* Records).newest(plan.cwd, (candidate) => isContinuable(candidate, headless))
  if (row !== null) return row
  return headless
    ? undefined
    : yield* Effect.fail("No conversation found to continue; nacre --resume lists those of other folders and of -p too")
})

/** The session of a start as it is on the disk, whoever has it open. Nothing is written. */
export const lookAtSession = Effect.fnUntraced(function* (
  plan: SessionPlan
): Effect.fn.Return<ChosenSession, string, Records> {
  const file = yield* storedSession(plan, true)
  if (file === undefined) {
    if (plan.start.session.from._tag === "Continue") return yield* Effect.fail("There is no session of this folder")
    return yield* fresh(plan)
  }
  return { sessionId: file.sessionId, path: file.path, loaded: yield* load(plan, file) }
})

/** Which session to work on. In print mode `--continue` without a session starts a new one. */
export const chooseSession = Effect.fnUntraced(function* (
  plan: SessionPlan
): Effect.fn.Return<ChosenSession, string, Records> {
  const file = yield* storedSession(plan)
  return file === undefined ? yield* fresh(plan) : yield* continued(plan, file)
})

const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0)

const usageOf = (value: unknown): Usage => {
  const entry = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>
  return {
    ...zeroUsage,
    input_tokens: number(entry["inputTokens"]),
    output_tokens: number(entry["outputTokens"]),
    cache_read_input_tokens: number(entry["cacheReadInputTokens"]),
    cache_creation_input_tokens: number(entry["cacheCreationInputTokens"])
  }
}

/** Totals at the last record, and what was spent after it. */
const totalsOf = (loaded: LoadedSession): Totals => {
  const state = loaded.costState
  const models: Record<string, ModelTotals> = Object.fromEntries(
    Object.entries(state?.modelUsage ?? {}).map(([model, entry]) => {
      const cost = (entry as { costUSD?: unknown } | null)?.costUSD
      return [model, { usage: usageOf(entry), costUsd: number(cost) }]
    })
  )
  let costUsd = number(state?.totalCostUSD)
  for (const spent of loaded.spending) {
    const cost = costOf(spent.model, spent.usage)
    const known = models[spent.model] ?? { usage: zeroUsage, costUsd: 0 }
    costUsd += cost ?? 0
    models[spent.model] = {
      usage: addUsage(known.usage, spent.usage),
      costUsd: cost === undefined || known.costUsd === undefined ? undefined : known.costUsd + cost
    }
  }
  return { models, costUsd, apiMs: number(state?.totalAPIDuration) }
}

const queuedOf = (loaded: LoadedSession): ReadonlyArray<QueuedPrompt> =>
  loaded.queue.flatMap((content) =>
    typeof content === "string" && content.trim() !== ""
      ? [{ uuid: crypto.randomUUID(), content, priority: "next" as const, origin: "human" as const }]
      : []
  )

/** What the loop takes over. Queued prompts of a crashed run come back only where somebody can decide about them. */
export const restoredFor = (loaded: LoadedSession, keepQueue: boolean): LoopRestored => ({
  messages: beforePrompt(loaded, { uuid: crypto.randomUUID(), timestamp: new Date().toISOString() }),
  replacements: new Map(loaded.contentReplacements.map((entry) => [entry.toolUseId, entry.replacement])),
  totals: totalsOf(loaded),
  tip: loaded.chain.tip,
  pins: loaded.pins,
  queue: keepQueue ? queuedOf(loaded) : []
})
