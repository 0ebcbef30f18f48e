import { spawn } from "node:child_process"
import { once } from "node:events"
import { decide } from "../../src/core/permission/decide/decide.ts"
import { factsWanted } from "../../src/core/permission/decide/facts-wanted.ts"
import { contextFor } from "../../test/core/permission/fixture.ts"
import { plainFacts } from "../../test/support/plain-facts.ts"

/** Permission decisions under few and many rules, beside the start of a process. Prints samples as JSON. */
const COUNTS = [1, 100, 1_000]
const ROUNDS = 25
const WARMUPS = 5
const DECISION_TRIES = 20
const SPAWN_TRIES = 3

/** Rules of every kind that name something else than what is asked, and the one that allows it last. */
const rulesFor = (count) => {
  const kinds = [
    (n) => `Bash(npm run task-${n} *)`,
    (n) => `Read(//srv/data-${n}/**)`,
    (n) => `Edit(/packages/part-${n}/**)`,
    (n) => `WebFetch(domain:host-${n}.example)`
  ]
  const others = Array.from({ length: count - 1 }, (_, n) => kinds[n % kinds.length](n))
  const half = Math.floor(others.length / 2)
  return contextFor({ deny: others.slice(0, half), allow: [...others.slice(half), "Bash(npm test *)"] })
}

const READS = ["src/main.ts", "src/core/loop/step.ts", "README.md", "docs/guide.md"]
const COMMANDS = ["npm test -- --run", "npm test src/core", "npm test 'a b' && npm test c", "npm test > out.txt"]

const requestsIn = (context) =>
  [
    ...COMMANDS.map((command) => ({
      context,
      tool: { name: "Bash", aliases: [] },
      needs: [{ kind: "shell", command }],
      input: { command }
    })),
    ...READS.map((path) => ({
      context,
      tool: { name: "Read", aliases: [] },
      needs: [{ kind: "read", path: `/work/${path}` }],
      input: { file_path: `/work/${path}` }
    }))
  ].map((request) => ({ ...request, facts: plainFacts(factsWanted(request)) }))

/** The best of several tries: whatever else the machine does can only add time. */
const bestOf = async (tries, timed) => {
  let best = Number.POSITIVE_INFINITY
  for (let time = 0; time < tries; time++) {
    const from = performance.now()
    await timed()
    best = Math.min(best, (performance.now() - from) * 1e3)
  }
  return best
}

const decisionUs = async (requests) =>
  (await bestOf(DECISION_TRIES, () => {
    for (const request of requests) decide(request)
  })) / requests.length

const spawnUs = () => bestOf(SPAWN_TRIES, () => once(spawn("true", { stdio: "ignore" }), "exit"))

const cases = COUNTS.map((count) => ({ count, requests: requestsIn(rulesFor(count)), samples: [] }))
const spawns = []
for (let round = -WARMUPS; round < ROUNDS; round++) {
  for (const { requests, samples } of cases) {
    const sample = await decisionUs(requests)
    if (round >= 0) samples.push(sample)
  }
  const spawned = await spawnUs()
  if (round >= 0) spawns.push(spawned)
}
process.stdout.write(JSON.stringify({ cases: cases.map(({ count, samples }) => ({ count, samples })), spawns }))
