import { describe, expect, it } from "vitest"
import { isOneSeed, seedsFor } from "../support/seeds.ts"
import { runSeed, type Witness } from "./lives.ts"
import { isUndoLine } from "../../src/core/context/reduction/undo-line.ts"
import type { SystemMessage } from "../../src/core/domain/message.ts"
import type { Command } from "../../src/core/loop/machine/command.ts"

/**
 * Whole conversations from a seed: a user, a model, tools and a disk that misbehave, in virtual time. After every
 * event the laws are checked; at the end the recorded events are replayed and must give the same states. A failing seed
 * is printed with its trace and can be run alone with NACRE_SEED.
 */
const SEEDS = seedsFor({ first: 0, fixed: 600, fresh: 60, soak: 20_000 })
const SHARDS = 20
/** What the seeds together have seen; a simulation that never gets somewhere proves nothing about it. */
const seen = new Map<string, number>()

const mark = (name: string): void => {
  seen.set(name, (seen.get(name) ?? 0) + 1)
}

const markReduction = (message: SystemMessage): void => {
  if (message.subtype === "compact_boundary") mark("boundary")
  if (message.subtype === "microcompact_boundary") mark("cleared")
  if (isUndoLine(message)) mark("undone")
  if (message.content?.startsWith("The compaction was done again") === true) mark("done again")
  if (message.content?.startsWith("The summary was edited") === true) mark("reworded")
}

const markAll: Witness["onEnd"] = (world, crashed) => {
  if (crashed) mark("crashed")
  for (const emission of world.emissions) {
    mark(emission._tag)
    if (emission._tag === "MessageAdded" && emission.message.type === "system") markReduction(emission.message)
    if (emission._tag === "TurnFinished") mark(emission.result.terminalReason)
  }
  for (const { message } of world.disk) if (JSON.stringify(message).includes("rounds were taken out")) mark("snipped")
  for (const line of world.trace) mark(/-> (\w+)/.exec(line)?.[1] ?? "")
}

const markHooks = (commands: ReadonlyArray<Command>): void => {
  for (const command of commands) if (command._tag === "RunHooks") mark(command.event)
}

const MUST_BE_SEEN = [
  "completed",
  "aborted_streaming",
  "aborted_tools",
  "max_turns",
  "api_error",
  "hook_stopped",
  "stop_hook_prevented",
  "model_error",
  "prompt_too_long",
  "Preparing",
  "Collecting",
  "UserPromptSubmit",
  "Compacting",
  "Rereading",
  "boundary",
  "snipped",
  "cleared",
  "undone",
  "done again",
  "reworded",
  "Requesting",
  "Streaming",
  "Waiting",
  "Tools",
  "Hooks",
  "Stop",
  "Settling",
  "Done",
  "Tombstone",
  "RetryScheduled",
  "PermissionDenied",
  "PromptQueued",
  "PromptTaken",
  "CallProgress",
  "CallChecking",
  "SideReported",
  "crashed"
]

describe("simulation", () => {
  for (let shard = 0; shard < SHARDS; shard++) {
    it(`holds its laws, shard ${shard + 1} of ${SHARDS}`, () => {
      for (let at = shard; at < SEEDS.length; at += SHARDS)
        runSeed(SEEDS[at] ?? 0, { onCommands: markHooks, onEnd: markAll })
    })
  }
  it.skipIf(isOneSeed)("has been everywhere", () => {
    expect(MUST_BE_SEEN.filter((name) => !seen.has(name))).toEqual([])
  })
})
