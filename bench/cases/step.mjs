import { run } from "../lib/child.mjs"
import { summarise, summariseBy } from "../lib/measure.mjs"

const rateOf = (samples, field) => summarise(samples.map((sample) => 1e9 / sample[field]))

/** The trembling of a median on a busy machine; the sizes are factors of ten apart. */
const NO_GROWTH = 1.25

const growthRow = (small, other) => ({
  name: `step-growth-${other.size}`,
  what: `time per event, all events, with ${other.size} messages against ${small.size}`,
  unit: "ns",
  ours: summariseBy(other.samples, "nsPerEvent"),
  floor: summariseBy(small.samples, "nsPerEvent"),
  target: { of: "ratio", most: NO_GROWTH }
})

const afterReadingRow = (small, other) => ({
  name: `step-after-read-${other.size}`,
  what: `the same when each request of ${other.size} messages is read in between, reading not counted`,
  unit: "ns",
  ours: summariseBy(other.samples, "nsPerEventRead"),
  floor: summariseBy(small.samples, "nsPerEventRead")
})

const requestRow = ({ size, samples }) => ({
  name: `request-${size}`,
  what: `making the messages of a request of ${size} against serialising it`,
  unit: "us",
  ours: summariseBy(samples, "usPerRequest"),
  floor: summariseBy(samples, "usPerStringify")
})

const promptRow = ({ size, samples }) => ({
  name: `prompt-${size}`,
  what: `everything the core does for a prompt with one call, requests read, ${size} messages before it`,
  unit: "us",
  ours: summariseBy(samples, "usPerPrompt")
})

/** The pure core, without a shell around it. */
export const step = async (bench) => {
  const { stdout } = await run(["--expose-gc", bench.program("step")], bench.place())
  const { sizes, deltas } = JSON.parse(stdout)
  const [small, middle, large] = sizes
  return [
    {
      name: "step",
      what: "events a second through step by the clock, 1000 messages, against spreading the state once each",
      unit: "/s",
      ours: rateOf(middle.samples, "nsPerEvent"),
      floor: rateOf(middle.samples, "nsPerCopy"),
      target: { of: "ours", least: 200_000 }
    },
    {
      name: "step-cpu",
      what: "the same in processor time, collector threads included",
      unit: "/s",
      ours: rateOf(middle.samples, "cpuNsPerEvent"),
      floor: rateOf(middle.samples, "cpuNsPerCopy"),
      target: { of: "ours", least: 200_000 }
    },
    growthRow(small, middle),
    growthRow(small, large),
    afterReadingRow(small, middle),
    afterReadingRow(small, large),
    ...sizes.map(requestRow),
    ...sizes.map(promptRow),
    {
      name: "step-deltas",
      what: "100,000 deltas against ten times 10,000",
      unit: "ms",
      ours: summariseBy(deltas, "manyMs"),
      floor: summariseBy(deltas, "tenTimesFewMs"),
      target: { of: "ratio", most: 1.25 }
    }
  ]
}
