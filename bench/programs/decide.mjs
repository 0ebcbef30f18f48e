import { spawn } from "node:child_process"
import { once } from "node:events"
import { decide } from "../../src/core/permission/decide.ts"
import { contextFor, factOf } from "../../test/core/permission/fixture.ts"

/** Permission decisions under few and many rules, beside the start of a process. Prints samples as JSON. */
const COUNTS = [1, 100, 1_000]
const ROUNDS = 25
const WARMUPS = 5
const REPEATS = 20

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

const requestsIn = (context) => [
  ...COMMANDS.map((command) => ({
    context,
    tool: { name: "Bash", aliases: [] },
    needs: [{ kind: "shell", command }],
    facts: [],
    input: { command }
  })),
  ...READS.map((path) => ({
    context,
    tool: { name: "Read", aliases: [] },
    needs: [{ kind: "read", path: `/work/${path}` }],
    facts: [factOf(`/work/${path}`)],
    input: { file_path: `/work/${path}` }
  }))
]

const decisionUs = (requests) => {
  const from = performance.now()
  for (let time = 0; time < REPEATS; time++) for (const request of requests) decide(request)
  return ((performance.now() - from) * 1e3) / (REPEATS * requests.length)
}

const spawnUs = async () => {
  const from = performance.now()
  await once(spawn("true", { stdio: "ignore" }), "exit")
  return (performance.now() - from) * 1e3
}

const cases = COUNTS.map((count) => ({ count, requests: requestsIn(rulesFor(count)), samples: [] }))
const spawns = []
for (let round = -WARMUPS; round < ROUNDS; round++) {
  for (const { requests, samples } of cases) {
    const sample = decisionUs(requests)
    if (round >= 0) samples.push(sample)
  }
  const spawned = await spawnUs()
  if (round >= 0) spawns.push(spawned)
}
process.stdout.write(JSON.stringify({ cases: cases.map(({ count, samples }) => ({ count, samples })), spawns }))
