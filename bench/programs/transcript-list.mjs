import { layoutBlock } from "../../src/tui/transcript/blocks/block-layout.ts"
import { partsOf } from "../../src/tui/transcript/rows/parts.ts"
import { DEFAULT_OPTIONS } from "../../src/tui/transcript/block.ts"
import { openList } from "../../src/tui/transcript/list/state/transcript-list.ts"
import { acceptSearch, openSearch, typeSearch } from "../../src/tui/transcript/list/commands/search.ts"
import { listChanged, listFilled, listRedrawn, updateList } from "../../src/tui/transcript/list/update.ts"
import { visibleRows } from "../../src/tui/transcript/list/view/viewport.ts"
import * as Vector from "../../src/tui/transcript/vector.ts"

/**
 * The transcript pane over a short and a very long session: what every key costs up to its rows, and what the index
 * costs. Processor time, the best of a few tries. Run with --expose-gc. Prints samples in microseconds as JSON.
 */
const SIZES = [100, 100_000]
const ROUNDS = 11
const WARMUPS = 4
const TRIES = 3
/** Keys in one try: enough that the clock is fine enough. */
const REPEATS = 200

const context = {
  height: 40,
  options: { ...DEFAULT_OPTIONS, width: 100 },
  layout: layoutBlock,
  parts: partsOf,
  autoScroll: true
}

const processorUs = () => {
  const { system, user } = process.cpuUsage()
  return system + user
}

const WORDS = "some words of an answer that is neither long nor short "

const sourceOf = (number) => {
  const needle = number % 10 === 0 ? "needle " : ""
  return `${number} ${needle}${WORDS.repeat(1 + (number % 6))}\n\n${WORDS.repeat(number % 4)}`
}

const entryOf = (number) => {
  const id = `e${number}`
  const source = sourceOf(number)
  const block =
    number % 4 === 0
      ? { id: `${id}.0`, kind: "user", revision: 0, source, gap: true }
      : { id: `${id}.0`, kind: "text", revision: 0, source, streaming: false, lineage: {}, gap: true }
  return { id, kind: number % 4 === 0 ? "user" : "assistant", blocks: [block] }
}

const sessionOf = (size) => {
  let entries = Vector.empty()
  for (let number = 0; number < size; number++) entries = Vector.push(entries, entryOf(number))
  return entries
}

const pressing = (names) => (list) => {
  let state = list
  for (let turn = 0; turn < REPEATS; turn++) {
    state = updateList(state, { name: names[turn % names.length] }, context)
    visibleRows(state, context)
  }
  return state
}

const streaming = (list) => {
  let state = list
  for (let turn = 0; turn < REPEATS; turn++) {
    state = listChanged(state, Vector.push(state.entries.source, entryOf(1_000_000 + turn)), context)
    visibleRows(state, context)
  }
  return state
}

/** By what the user does; each goes over REPEATS keys. */
const ACTS = {
  key: pressing(["pane:down", "pane:down", "pane:up", "transcript:word"]),
  scroll: pressing(["pane:halfPageDown", "pane:scrollDown", "pane:halfPageUp", "pane:scrollUp"]),
  ends: pressing(["pane:top", "pane:bottom"]),
  search: pressing(["pane:searchNext", "pane:searchNext", "pane:searchPrevious"]),
  append: streaming
}

const bestUs = (act, repeats) => {
  const tries = Array.from({ length: TRIES }, () => {
    globalThis.gc({ type: "minor" })
    const from = processorUs()
    act()
    return (processorUs() - from) / repeats
  })
  return Math.min(...tries)
}

const searched = (list) => acceptSearch(typeSearch(openSearch(list, 1, context), "needle", context), context)

const prepare = (size) => {
  const session = sessionOf(size)
  const opened = listRedrawn(openList(session), context)
  const filled = searched(updateList(listFilled(opened, size, context), { name: "pane:bottom", count: 50 }, context))
  return { size, session, filled, samples: [] }
}

const open = (session) => {
  for (let turn = 0; turn < 10; turn++) visibleRows(listRedrawn(openList(session), context), context)
}

const sampleOf = ({ session, filled }) => ({
  ...Object.fromEntries(Object.entries(ACTS).map(([name, act]) => [name, bestUs(() => act(filled), REPEATS)])),
  open: bestUs(() => open(session), 10)
})

/** Looking once at every character is the least that an index of lines can do. */
const countBreaks = (session) => {
  let count = 0
  for (const { blocks } of Vector.iterate(session)) {
    for (const { source } of blocks) {
      for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) count++
    }
  }
  return count
}

const SLICE = 2_000

const fillSample = (session) => {
  let list = openList(session)
  const slices = Math.ceil(list.entries.pending / SLICE)
  const from = processorUs()
  while (list.entries.pending > 0) list = listFilled(list, SLICE, context)
  const sliceUs = (processorUs() - from) / slices
  return { sliceUs, floorUs: (bestUs(() => countBreaks(session), 1) * SLICE) / session.length }
}

/** What the index keeps for a message besides the message itself. */
const bytesPerMessage = (session, other) => {
  // The tree that was read last is held on to: let it be a small one.
  listRedrawn(openList(other), context)
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const list = listFilled(openList(session), session.length, context)
  globalThis.gc()
  return (process.memoryUsage().heapUsed - before) / list.entries.tree.count
}

const sizes = SIZES.map(prepare)
const fills = []
for (let round = -WARMUPS; round < ROUNDS; round++) {
  for (const entry of sizes) {
    const sample = sampleOf(entry)
    if (round >= 0) entry.samples.push(sample)
  }
  const fill = fillSample(sizes[1].session)
  if (round >= 0) fills.push(fill)
}
const bytes = bytesPerMessage(sizes[1].session, sizes[0].session)
process.stdout.write(JSON.stringify({ sizes: sizes.map(({ size, samples }) => ({ size, samples })), fills, bytes }))
