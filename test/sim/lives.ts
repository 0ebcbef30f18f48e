import { expect } from "vitest"
import { SIDE_KINDS } from "../../src/core/context/side/side-task.ts"
import type { Command } from "../../src/core/loop/machine/command.ts"
import { SOURCE_KINDS } from "../../src/core/context/sources/table.ts"
import { step } from "../../src/core/loop/step.ts"
import type { AgentState } from "../../src/core/loop/machine/state.ts"
import type { Restored } from "../../src/core/loop/turn/start-turn.ts"
import { digestOf, stateSummary } from "../../src/shell/trace/state-digest.ts"
import { type ConfigPatch, loopState, permissions } from "../support/loop-fixture.ts"
import { type Checker, makeChecker } from "./checkers.ts"
import { lostAfterResume, resumeFrom } from "./crash.ts"
import { makeRandom, type Random } from "./random.ts"
import { type DiskLine, World } from "./world.ts"

const EVENT_LIMIT = 5_000

const configFor = (random: Random): ConfigPatch => ({
  canAsk: random.chance(0.7),
  maxTurns: random.chance(0.3) ? 1 + random.int(4) : undefined,
  fallbackModels: random.chance(0.4) ? ["offline-b"] : [],
  retry: { maxRetries: random.int(6), watchdog: false },
  hookEvents: random.chance(0.3)
    ? ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "UserPromptSubmit"]
    : [],
  effort: random.chance(0.5) ? "high" : undefined,
  parallelCalls: 1 + random.int(5),
  side: { kinds: SIDE_KINDS, smallModel: "offline", memoryDir: "/memory" },
  windowTokens: random.chance(0.4) ? random.pick([2_000, 8_000, 14_000, 20_000, 30_000]) : undefined,
  ...(random.chance(0.4) ? { clearing: { isEnabled: true, idleMs: 20 + random.int(500), keepResults: random.int(3) } } : {}),
  sources: random.chance(0.5) ? SOURCE_KINDS : []
})

const modeFor = (random: Random) =>
  random.pick(["default", "default", "acceptEdits", "plan", "auto", "auto", "dontAsk", "bypassPermissions"] as const)

/** What the user does: prompts, impatience, changes of mind. */
const schedulePerson = (world: World, random: Random, prefix: string): void => {
  const prompts = 1 + random.int(4)
  for (let index = 0; index < prompts; index++) {
    world.schedule(index * random.int(800), {
      _tag: "PromptSubmitted",
      uuid: `${prefix}-prompt-${index}`,
      content: index === 1 ? `ultrathink about prompt ${index} +2k` : `prompt ${index}`,
      priority: random.pick(["next", "next", "later", "now"] as const),
      origin: "human",
      appendOnly: random.chance(0.05)
    })
  }
  for (let index = random.int(3); index > 0; index--) world.schedule(random.int(3_000), { _tag: "Interrupted" })
  for (let index = random.int(3); index > 0; index--) {
    const _tag = random.pick(["SideAsked", "SideDropped"] as const)
    world.schedule(random.int(4_000), { _tag, kind: random.pick(SIDE_KINDS) })
  }
  if (random.chance(0.3)) world.schedule(random.int(4_000), { _tag: "CompactionRequested", focus: "" })
  if (random.chance(0.1)) world.schedule(random.int(4_000), { _tag: "SnipRequested", rounds: 1 + random.int(3) })
  const wishes = [{ _tag: "Undo" }, { _tag: "Undo" }, { _tag: "Redo" }, { _tag: "Reword", text: "other words" }] as const
  for (let index = random.chance(0.3) ? 1 + random.int(4) : 0; index > 0; index--) {
    world.schedule(random.int(6_000), { _tag: "AboutCompaction", wish: random.pick(wishes) })
  }
  for (let index = random.int(3); index > 0; index--) {
    const mode = random.pick(["auto", "default", "plan"] as const)
    world.schedule(random.int(3_000), { _tag: "ModeChanged", mode })
  }
  world.schedule(700, { _tag: "RetryHastened", by: "sameModel" })
  world.schedule(1_900, { _tag: "RetryHastened", by: "nextModel" })
  // Whoever left a question unanswered comes back and interrupts; otherwise a silent question would wait for ever.
  world.schedule(2_000_000, { _tag: "Interrupted" })
  world.schedule(4_000_000, { _tag: "Interrupted" })
  world.schedule(6_000_000, { _tag: "Interrupted" })
  world.schedule(8_000_000, { _tag: "Interrupted" })
  world.schedule(10_000_000, { _tag: "Interrupted" })
}

const replay = (initial: AgentState, world: World): void => {
  let state = initial
  for (const event of world.events) state = step(state, event)[0]
  expect(digestOf(stateSummary(state))).toBe(digestOf(stateSummary(world.state)))
  expect(state.conversation.messages.length).toBe(world.state.conversation.messages.length)
}

const runWorld = (world: World, checker: Checker): void => {
  for (let count = 0; world.advance(); count++) {
    if (count > EVENT_LIMIT) throw new Error("law broken: every turn ends: too many events")
  }
  checker.atEnd(world)
}

interface Life {
  readonly seed: number
  readonly name: string
  readonly left: Remains
  readonly restored?: Restored
}

/** What a run leaves behind: its disk, and the time at which it ended or crashed. */
interface Remains {
  readonly disk: ReadonlyArray<DiskLine>
  readonly at: number
}

export interface Witness {
  readonly onCommands?: (commands: ReadonlyArray<Command>) => void
  /** A life came to its end, or to its crash. */
  readonly onEnd: (world: World, crashed: boolean) => void
}

/** One run of the program from start or resume to its end or a crash. */
const live = (random: Random, life: Life, witness: Witness): Remains => {
  const config = configFor(random)
  const initial = loopState({
    config,
    permission: permissions({ mode: modeFor(random), auto: { duringPlan: random.chance(0.5) } }),
    seed: `sim-${life.seed}-${life.name}`,
    ...(life.restored === undefined ? {} : { restored: life.restored })
  })
  const checker = makeChecker({ maxTurns: config.maxTurns })
  const world = new World(
    initial,
    { random, faulty: random.chance(0.8), disk: life.left.disk, startAt: life.left.at },
    (inspected, event, commands) => {
      witness.onCommands?.(commands)
      checker.check(inspected, event, commands)
    }
  )
  schedulePerson(world, random, `${life.name}${life.seed}`)
  const crashAfter = random.chance(0.4) ? random.int(150) : undefined
  try {
    if (crashAfter === undefined) runWorld(world, checker)
    else for (let count = 0; count < crashAfter && world.advance(); count++);
    replay(initial, world)
    witness.onEnd(world, crashAfter !== undefined)
  } catch (error) {
    const trace = world.trace.slice(-60).join("\n")
    throw new Error(`seed ${life.seed}, ${life.name} (run it alone: NACRE_SEED=${life.seed}): ${String(error)}\n${trace}`, {
      cause: error
    })
  }
  const disk = random.chance(0.3) ? world.disk.slice(0, -1) : world.disk
  return { disk, at: world.now + 1_000 }
}

const LIVES = ["first", "second", "third"]

/** Several lives of one session: each resumes from what the one before left on disk. */
export const runSeed = (seed: number, witness: Witness): void => {
  const random = makeRandom(seed)
  let left: Remains = { disk: [], at: 1_700_000_000_000 }
  for (const name of LIVES) {
    const restored = left.disk.length === 0 ? undefined : resumeFrom(left.disk)
    if (restored !== undefined) {
      const lost = lostAfterResume(left.disk, restored)
      if (lost.length > 0) throw new Error(`seed ${seed}, before ${name}: lost after resume: ${lost.join(", ")}`)
    }
    left = live(random, { seed, name, left, ...(restored === undefined ? {} : { restored }) }, witness)
    if (random.chance(0.5)) return
  }
}
