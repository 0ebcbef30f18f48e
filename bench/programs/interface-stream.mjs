import { loopState } from "../../test/support/loop-fixture.ts"
import { changedCells, Interface, ToldLoop } from "../lib/interface-world.mjs"
import { conversation, stateOf } from "../lib/scripted-core.mjs"

/**
 * An answer in Markdown streams in, word by word, and every few words become a frame. Prints as JSON: bytes and changed
 * cells of each frame, and the processor microseconds of a frame in a short and in a very long session.
 */
const SIZE = { columns: 120, rows: 40 }
const SIZES = [100, 100_000]
/** A fast model says about 250 words a second, and there are at most 60 frames in it. */
const WORDS_PER_FRAME = 4
const SECTIONS = 12
const ROUNDS = 9

const section = (number) => `## Step ${number}

The parser reads a line, looks at its first word and decides what it is. That was **slow**: every line was copied, and
the copies were compared with \`localeCompare\`, which asks the locale each time.

- lines are cut where they stand, without a copy
- the first word is looked up in a map, see [the table](https://example.com/table)
- what is left goes to the reader of step ${number + 1}

\`\`\`ts
const read = (line: string): Row => {
  const end = line.indexOf(" ")
  return { head: line.slice(0, end), rest: line.slice(end + 1) }
}
\`\`\`

| case | before | after |
| --- | --- | --- |
| short lines | 41 | ${number} |
| long lines | 388 | ${number * 3} |

`

const words = Array.from({ length: SECTIONS }, (_, number) => section(number + 1))
  .join("")
  .match(/\S+\s*/g)

const delta = (text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })

const asking = (state) => {
  const world = new Interface({ size: SIZE, state })
  const loop = new ToldLoop(state, (news) => world.hear(news))
  world.settle()
  loop.begin("make the parser faster")
  loop.startResponse()
  loop.say({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } })
  world.frame()
  return { world, loop }
}

const frames = (state) => {
  const { world, loop } = asking(state)
  const samples = []
  for (let at = 0; at < words.length; at += WORDS_PER_FRAME) {
    for (const word of words.slice(at, at + WORDS_PER_FRAME)) loop.say(delta(word))
    world.now += 16
    const { before, screen, bytes } = world.frame()
    samples.push({ bytes: Buffer.byteLength(bytes), cells: changedCells(before, screen) })
  }
  return samples
}

const processorUs = () => {
  const { system, user } = process.cpuUsage()
  return system + user
}

/** What a frame of the answer costs, words and all. */
const frameUs = (state) => {
  const { world, loop } = asking(state)
  const count = Math.ceil(words.length / WORDS_PER_FRAME)
  const from = processorUs()
  for (let at = 0; at < words.length; at += WORDS_PER_FRAME) {
    for (const word of words.slice(at, at + WORDS_PER_FRAME)) loop.say(delta(word))
    world.frame()
  }
  return (processorUs() - from) / count
}

const states = SIZES.map((size) => ({ size, state: stateOf(conversation(size)), samples: [] }))
for (let round = -2; round < ROUNDS; round++) {
  for (const { state, samples } of states) {
    const sample = frameUs(state)
    if (round >= 0) samples.push(sample)
  }
}
process.stdout.write(
  JSON.stringify({ frames: frames(loopState({})), sizes: states.map(({ size, samples }) => ({ size, samples })) })
)
