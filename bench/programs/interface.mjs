import { Interface } from "../lib/interface-world.mjs"
import { conversation, stateOf } from "../lib/scripted-core.mjs"
import { loopState } from "../../test/support/loop-fixture.ts"

/**
 * What a key costs from the keyboard to the bytes, in an empty session and in long ones, and what scrolling and
 * searching cost in the longest. Run with --expose-gc. Prints samples as JSON: processor microseconds for keys of the
 * prompt, milliseconds by the clock for keys of the transcript.
 */
const SIZES = [0, 100, 100_000]
const SIZE = { columns: 120, rows: 40 }
const ROUNDS = 15
const WARMUPS = 4
const TRIES = 3
const KEYS = 60

const processorUs = () => {
  const { system, user } = process.cpuUsage()
  return system + user
}

const openedWith = (size) => {
  const state = size === 0 ? loopState({}) : stateOf(conversation(size))
  const opened = new Interface({ size: SIZE, state })
  opened.settle()
  opened.frame()
  return opened
}

const press = (world, stroke) => {
  world.key(stroke)
  return world.frame().bytes
}

/** Letters into the prompt and out of it again. */
const typing = (world) => {
  for (let turn = 0; turn < KEYS; turn++) press(world, turn % 6 < 3 ? "a" : "<BS>")
}

const bestUs = (act) =>
  Math.min(
    ...Array.from({ length: TRIES }, () => {
      globalThis.gc({ type: "minor" })
      const from = processorUs()
      act()
      return (processorUs() - from) / KEYS
    })
  )

const timedMs = (act) => {
  const from = performance.now()
  act()
  return performance.now() - from
}

const SCROLLS = ["<C-u>", "<C-u>", "<C-y>", "k", "<C-d>", "<C-e>", "j", "gg", "G"]
const SEARCH = ["/", ..."prompt 77".split(""), "<CR>", "n", "n", "N"]

/** Each key by itself; what is left for later is done between two keys and timed as a slice. */
const keystrokes = (world, keys) => {
  const samples = { keys: [], slices: [] }
  for (const key of keys) {
    samples.keys.push(timedMs(() => press(world, key)))
    while (world.hasWork()) samples.slices.push(timedMs(() => world.tick()))
  }
  return samples
}

const openMs = (state) =>
  timedMs(() => {
    new Interface({ size: SIZE, state }).frame()
  })

const worlds = SIZES.map((size) => ({ size, world: openedWith(size), samples: [] }))
const long = worlds.at(-1).world
const scroll = { keys: [], slices: [] }
const search = { keys: [], slices: [] }
for (let round = -WARMUPS; round < ROUNDS; round++) {
  for (const { world, samples } of worlds) {
    const sample = bestUs(() => typing(world))
    if (round >= 0) samples.push(sample)
  }
}
long.key("<C-o>")
for (let round = -2; round < ROUNDS; round++) {
  const [scrolled, searched] = [keystrokes(long, SCROLLS), keystrokes(long, SEARCH)]
  if (round < 0) continue
  for (const part of ["keys", "slices"]) {
    scroll[part].push(...scrolled[part])
    search[part].push(...searched[part])
  }
}
const state = stateOf(conversation(SIZES.at(-1)))
const opens = Array.from({ length: 5 }, () => openMs(state))
process.stdout.write(
  JSON.stringify({ sizes: worlds.map(({ size, samples }) => ({ size, samples })), scroll, search, opens })
)
