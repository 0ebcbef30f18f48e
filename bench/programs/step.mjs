import { step } from "../../src/core/loop/step.ts"
import { conversation, play, stateOf } from "../lib/scripted-core.mjs"

/**
 * Times the core alone, by the clock and in processor time, sizes in turn. Run with --expose-gc: the young garbage of
 * the set-up is cleared before each replay, what the replay itself leaves is its own. Prints samples as JSON.
 */
const SIZES = [100, 1_000, 10_000]
const PROMPTS = 40
const DELTAS = 50
const ROUNDS = 21
const WARMUPS = 4

/** Half in each of the two answers to a prompt. */
const FEW_DELTAS = 5_000
const MANY_DELTAS = 50_000

const processorMs = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e3
}

const timed = (work) => {
  const fromCpu = processorMs()
  const from = performance.now()
  work()
  return { wallMs: performance.now() - from, cpuMs: processorMs() - fromCpu }
}

const begin = (messages) => {
  const initial = stateOf(messages)
  globalThis.gc({ type: "minor" })
  return initial
}

/** Every event, those that ask for a request too. */
const replay = ({ messages, played }, advance) => {
  let state = begin(messages)
  return timed(() => {
    for (const event of played.events) state = advance(state, event)[0]
  })
}

/** The same with each request's messages made right after its event, as by whoever sends it; told apart. */
const replayReading = ({ messages, played }) => {
  let state = begin(messages)
  let readMs = 0
  const { wallMs } = timed(() => {
    played.events.forEach((event, index) => {
      const [next, commands] = step(state, event)
      state = next
      if (!played.requesting[index]) return
      const { request } = commands.find(({ _tag }) => _tag === "StartRequest")
      readMs += timed(() => request.messages.at(-1)).wallMs
    })
  })
  return { stepMs: wallMs - readMs, readMs, wallMs }
}

/** The least any step over immutable records does: one copy. */
const copyOnly = (state, event) => [{ ...state, now: event.at }, []]

const sampleOf = (entry) => {
  const { events, requesting, request } = entry.played
  const requests = requesting.filter(Boolean).length
  const stepped = replay(entry, step)
  const copied = replay(entry, copyOnly)
  const read = replayReading(entry)
  return {
    nsPerEvent: (stepped.wallMs * 1e6) / events.length,
    cpuNsPerEvent: (stepped.cpuMs * 1e6) / events.length,
    nsPerCopy: (copied.wallMs * 1e6) / events.length,
    cpuNsPerCopy: (copied.cpuMs * 1e6) / events.length,
    nsPerEventRead: (read.stepMs * 1e6) / events.length,
    usPerRequest: (read.readMs * 1e3) / requests,
    usPerStringify: timed(() => JSON.stringify(request)).wallMs * 1e3,
    usPerPrompt: (read.wallMs * 1e3) / PROMPTS
  }
}

const prepare = (size, script) => {
  const messages = conversation(size)
  return { size, messages, played: play(stateOf(messages), script) }
}

const sizes = SIZES.map((size) => ({ ...prepare(size, { prompts: PROMPTS, deltas: DELTAS }), samples: [] }))
const few = prepare(100, { prompts: 1, deltas: FEW_DELTAS })
const many = prepare(100, { prompts: 1, deltas: MANY_DELTAS })
const deltas = []

for (let round = -WARMUPS; round < ROUNDS; round++) {
  for (const entry of sizes) {
    const sample = sampleOf(entry)
    if (round >= 0) entry.samples.push(sample)
  }
  const sample = { tenTimesFewMs: replay(few, step).wallMs * 10, manyMs: replay(many, step).wallMs }
  if (round >= 0) deltas.push(sample)
}

process.stdout.write(JSON.stringify({ sizes: sizes.map(({ size, samples }) => ({ size, samples })), deltas }))
