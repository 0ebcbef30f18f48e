import { step } from "../../src/core/loop/step.ts"
import { conversation, play, stateOf } from "../lib/scripted-core.mjs"

/**
 * Times the core alone, in processor time, so that other programs matter little. Run with --expose-gc: the
 * young garbage of the set-up is cleared first; a full collection would throw away compiled code. Prints samples as JSON.
 */
const SIZES = [100, 1_000, 10_000]
const PROMPTS = 40
const DELTAS = 50
const ROUNDS = 11
const WARMUPS = 3
/** Of so many tries the best counts: whatever else the machine does can only add time. */
const TRIES = 3

/** Half in each of the two answers to a prompt. */
const FEW_DELTAS = 5_000
const MANY_DELTAS = 50_000

const processorMs = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e3
}

/** Steps through the events and keeps the time of those that build a request apart from the rest. */
const replay = (initial, { events, requesting }, advance) => {
  let state = initial
  let plainMs = 0
  let requestMs = 0
  let from = processorMs()
  for (let index = 0; index < events.length; index++) {
    if (!requesting[index]) {
      state = advance(state, events[index])[0]
      continue
    }
    const before = processorMs()
    state = advance(state, events[index])[0]
    const after = processorMs()
    plainMs += before - from
    requestMs += after - before
    from = after
  }
  plainMs += processorMs() - from
  return { plainMs, requestMs, totalMs: plainMs + requestMs }
}

const best = ({ messages, played }, advance) => {
  const tries = Array.from({ length: TRIES }, () => {
    const initial = stateOf(messages)
    globalThis.gc({ type: "minor" })
    return replay(initial, played, advance)
  })
  const least = (field) => Math.min(...tries.map((one) => one[field]))
  return { plainMs: least("plainMs"), requestMs: least("requestMs"), totalMs: least("totalMs") }
}

/** The least any step over immutable records does: one copy. */
const copyOnly = (state, event) => [{ ...state, now: event.at }, []]

const stringifyMs = (value) => {
  const times = Array.from({ length: TRIES }, () => {
    const from = processorMs()
    JSON.stringify(value)
    return processorMs() - from
  })
  return Math.min(...times)
}

const sampleOf = (entry) => {
  const { events, requesting, request } = entry.played
  const requests = requesting.filter(Boolean).length
  const stepped = best(entry, step)
  const copied = best(entry, copyOnly)
  return {
    nsPerEvent: (stepped.plainMs * 1e6) / (events.length - requests),
    nsPerCopy: (copied.plainMs * 1e6) / (events.length - requests),
    usPerRequest: (stepped.requestMs * 1e3) / requests,
    usPerStringify: stringifyMs(request) * 1e3,
    usPerPrompt: (stepped.totalMs * 1e3) / PROMPTS
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
  const sample = { tenTimesFewMs: best(few, step).totalMs * 10, manyMs: best(many, step).totalMs }
  if (round >= 0) deltas.push(sample)
}

process.stdout.write(JSON.stringify({ sizes: sizes.map(({ size, samples }) => ({ size, samples })), deltas }))
