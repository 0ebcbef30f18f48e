import { dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { explainInstruction } from "../../core/context/instructions/explain.ts"
import { compareUsage } from "../../core/context/usage/compare.ts"
import type { ContextUsage } from "../../core/context/usage/context-usage.ts"
import { cutAtTurn, turnsIn } from "../../core/context/usage/turns.ts"
import { instructionReports } from "../../core/context/usage/instruction-report.ts"
import { changeJson, usageJson } from "../../core/context/usage/usage-json.ts"
import { diffLines, usageLines } from "../../core/context/usage/usage-lines.ts"
import type { Message } from "../../core/domain/message.ts"
import { countedAs, usageOf } from "../../core/loop/reduction/context-usage.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { initialState } from "../../core/loop/turn/start-turn.ts"
import { Model } from "../../core/ports/Model.ts"
import type { CommandInvocation } from "../cli/options.ts"
import type { CommandIo } from "../commands/io/command-io.ts"
import { wireBody } from "../layers/ports.ts"
import { visibleText } from "../../tui/text/sanitize.ts"
import { readInstructions, readNested } from "../instructions/read-instructions.ts"
import { rehearse, type Rehearsal } from "./rehearse.ts"
import { earlierMessages, type Sight, type SightPorts, startFrom, withSight } from "./sight.ts"

/** `nacre context`: what fills the window of a stored session, or of one that would begin here. */

/** Where the prompt will stand. */
const NO_PROMPT_YET = "(your prompt)"

interface Asked {
  readonly flags: CommandInvocation["flags"]
  readonly turns: ReadonlyArray<string>
  readonly io: CommandIo
}

const print = ({ io }: Asked, value: unknown): void => io.out(`${JSON.stringify(value, null, 2)}\n`)

const nextRequest = ({ state, collect }: Sight): Effect.Effect<Rehearsal, string, SightPorts> =>
  Effect.flatMap(rehearse(state, NO_PROMPT_YET, { at: Date.now(), collect }), (rehearsal) =>
    rehearsal === undefined
      ? Effect.fail("the window is full: room would be made before the next request. Fix: /compact in the session")
      : Effect.succeed(rehearsal)
  )

/** A new conversation has its window when its first prompt is there. */
const stateOf = (sight: Sight): Effect.Effect<AgentState, string, SightPorts> =>
  sight.session.loaded === undefined
    ? Effect.map(nextRequest(sight), (rehearsal) => rehearsal.state)
    : Effect.succeed(sight.state)

const counted = Effect.fnUntraced(function* (sight: Sight, state: AgentState, { io }: Asked) {
  const { request } = yield* nextRequest(sight)
  const model = yield* Model
  const counting = model.count?.(request) ?? Effect.succeed(undefined)
  const tokens = yield* counting.pipe(Effect.mapError(({ message }) => `the endpoint did not count: ${message}`))
  if (tokens !== undefined) return countedAs(state, tokens)
  io.err(`nacre: nobody counts for ${request.model}; these are estimates\n`)
  return state
})

const turnNumber = (text: string | undefined, last: number): Effect.Effect<number, string> => {
  const turn = Number(text)
  return Number.isInteger(turn) && turn >= 1 && turn <= last
    ? Effect.succeed(turn)
    : Effect.fail(`--diff takes two turns from 1 to ${last}. Fix: nacre context --continue --diff 1 ${last}`)
}

/** The window at the end of a turn, by the messages up to there. */
const usageAt = ({ initial }: Sight, messages: ReadonlyArray<Message>, turn: number): ContextUsage =>
  usageOf(
    initial.restored === undefined
      ? initialState(initial)
      : initialState({ ...initial, restored: { ...initial.restored, messages: cutAtTurn(messages, turn) } })
  )

const diff = Effect.fnUntraced(function* (sight: Sight, asked: Asked, earlier: ReadonlyArray<Message>) {
  const messages = [...earlier, ...(sight.initial.restored?.messages ?? [])]
  const last = turnsIn(messages)
  const from = yield* turnNumber(asked.turns[0], last)
  const to = yield* turnNumber(asked.turns[1], last)
  const change = compareUsage(usageAt(sight, messages, from), usageAt(sight, messages, to))
  if (asked.flags["json"] === true) print(asked, changeJson(change, [from, to]))
  else asked.io.out(`${diffLines(change, [from, to]).join("\n")}\n`)
  return 0
})

const report = Effect.fnUntraced(function* (sight: Sight, asked: Asked, earlier: ReadonlyArray<Message>) {
  const { flags, io } = asked
  const { loaded, sessionId } = sight.session
  const begun = yield* stateOf(sight)
  const state = flags["exact"] === true ? yield* counted(sight, begun, asked) : begun
  const kept = new Set(loaded?.messages.map(({ uuid }) => uuid))
  const usage = usageOf(state, turnsIn(earlier.filter(({ uuid }) => !kept.has(uuid))))
  const { found } = yield* readInstructions(sight.plan)
  const instructions = instructionReports(usage, found)
  if (flags["json"] === true) {
    print(asked, usageJson({ session: loaded === undefined ? null : sessionId, usage, instructions }))
  } else {
    io.out(`${usageLines(usage, { all: flags["all"] === true }).join("\n")}\n`)
  }
  return 0
})

/** Whether a file is an instruction here, and why. */
const whyRead = Effect.fnUntraced(function* ({ plan }: Sight, file: string, { flags, io }: Asked) {
  const path = resolve(io.cwd, file)
  const instructions = yield* readInstructions(plan)
  const beside = join(dirname(path), "-")
  const nested = yield* readNested(plan, instructions, { path: beside, realPath: beside })
  const reason = explainInstruction(path, instructions.found, nested.found)
  const text = visibleText(`${path} is ${reason.isRead ? "read " : "not read: "}${reason.why}`, "command")
  io.out(flags["json"] === true ? `${JSON.stringify(reason, null, 2)}\n` : `${text}\n`)
  return 0
})

const show = Effect.fnUntraced(function* (sight: Sight, asked: Asked) {
  const { why } = asked.flags
  if (typeof why === "string") return yield* whyRead(sight, why, asked)
  if (asked.flags["dump-prompt"] === true) {
    const { request } = yield* nextRequest(sight)
    print(asked, yield* Effect.promise(() => wireBody(request)))
    return 0
  }
  const earlier = yield* earlierMessages(sight)
  return yield* asked.flags["diff"] === true ? diff(sight, asked, earlier) : report(sight, asked, earlier)
})

const problemOf = ({ flags, turns }: Asked): string | undefined => {
  if (flags["session"] !== undefined && flags["continue"] === true) {
    return "--session and --continue cannot be used together. Fix: leave one of them out"
  }
  if (flags["diff"] === true && turns.length !== 2) {
    return "--diff takes two turns. Fix: nacre context --continue --diff 3 7"
  }
  return flags["diff"] !== true && turns.length > 0 ? "turns belong to --diff. Fix: nacre context --diff 3 7" : undefined
}

const argumentsOf = ({ flags }: Asked): ReadonlyArray<string> => {
  const { session, model } = flags
  return [
    ...(typeof session === "string" ? [`--resume=${session}`] : []),
    ...(flags["continue"] === true ? ["--continue"] : []),
    ...(typeof model === "string" ? [`--model=${model}`] : [])
  ]
}

export const runContext = async ({ flags, operands }: CommandInvocation, io: CommandIo): Promise<number> => {
  const asked: Asked = { flags, turns: operands, io }
  const complain = (text: string): void => io.err(`nacre: ${text}\n`)
  const problem = problemOf(asked)
  if (problem !== undefined) {
    complain(problem)
    return 1
  }
  const place = { env: io.env, cwd: io.cwd, home: io.home, complain }
  return withSight(startFrom(argumentsOf(asked), complain), place, (sight) => show(sight, asked))
}
