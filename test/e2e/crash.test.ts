import { describe, expect, it } from "vitest"
import { makePlace, type Place, type RunningCli, start } from "../support/built-cli.ts"
import { blocksIn, endpointEnv, list, object, readTranscript, serve, STREAM, transcriptsOf } from "../support/e2e-world.ts"
import { blocks, type Plan, type Reply, type Step, text, write } from "../support/messages-reply.ts"
import type { Json } from "../support/messages-validate.ts"
import { kindOf, streamProblems } from "../support/stream-json-schema.ts"
import { isOneSeed, seedsFor } from "../support/seeds.ts"
import { putFile } from "../support/temp-world.ts"
import { makeRandom, type Random } from "../sim/random.ts"

/**
 * kill -9 at random instants. Every session is killed again and again: each run resumes what the last one left, and its
 * first request must hold every prompt that was accepted and every line that was printed before. A failing seed is
 * printed and can be run again with NACRE_SEED.
 */
const SEEDS = seedsFor({ first: 20_260_726, fixed: 8, fresh: 2, soak: 30 })
const RUNS = 9
/** Of the nine runs of a session some end before their moment comes. */
const KILLS_WANTED = 6
const WORKERS = 3

/** When a run dies. Moments of the conversation, not of the clock, except where the clock is the point. */
type Moment =
  | { readonly kind: "line"; readonly count: number }
  | { readonly kind: "request"; readonly count: number }
  | { readonly kind: "event"; readonly request: number; readonly event: number }
  | { readonly kind: "delay"; readonly ms: number }

const momentOf = (random: Random): Moment => {
  switch (random.int(5)) {
    case 0:
      return { kind: "line", count: 1 + random.int(12) }
    case 1:
      return { kind: "line", count: 1 + random.int(60) }
    case 2:
      return { kind: "request", count: 1 + random.int(3) }
    case 3:
      return { kind: "event", request: 1 + random.int(3), event: random.int(25) }
    default:
      return { kind: "delay", ms: 60 + random.int(400) }
  }
}

interface Run {
  readonly prompt: string
  readonly moment: Moment | undefined
  requests: number
  kill: () => void
}

/** One conversation over many processes, and what it owes to whoever watched it. */
class Session {
  readonly id: string
  readonly place: Place = makePlace()
  readonly name: string
  readonly problems: Array<string> = []
  /** Prompts and the assistant's blocks in the order they were seen. */
  private readonly seen: Array<Json> = []
  private readonly results = new Map<string, string>()
  run: Run | undefined
  kills = 0
  checks = 0

  constructor(
    index: number,
    readonly seed: number
  ) {
    this.name = `session-${index}`
    this.id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`
    putFile(`${this.place.cwd}/a.txt`, `alpha of ${this.name}\n`)
    putFile(`${this.place.cwd}/b.txt`, `beta of ${this.name}\n`)
  }

  get transcript(): string | undefined {
    return transcriptsOf(this.place)[0]
  }

  /** Takes down what a run showed before it died. */
  note(run: Run, lines: ReadonlyArray<Json>): void {
    if (lines.length > 0 || run.requests > 0) this.seen.push({ type: "text", text: run.prompt })
    for (const line of lines) {
      for (const block of blocksIn(line)) {
        if (kindOf(line) === "user") this.results.set(String(block["tool_use_id"]), JSON.stringify(block["content"]))
        else if (block["type"] !== "thinking") this.seen.push(block)
      }
    }
  }

  private complain(what: string): void {
    this.problems.push(
      `NACRE_SEED=${this.seed}, ${this.name}, ${this.run?.prompt ?? ""} (${JSON.stringify(this.run?.moment)}): ${what}`
    )
  }

  /** The request of a resumed run holds everything that was seen, in its order, each once. */
  checkRequest(body: Json): void {
    this.checks += 1
    const sent = list(body["messages"]).flatMap((message) => list(message["content"]))
    let from = 0
    for (const block of this.seen) {
      const at = sent.findIndex((candidate, index) => index >= from && isSame(candidate, block))
      if (at === -1) this.complain(`lost or out of place: ${JSON.stringify(block)}`)
      else from = at + 1
      const times = sent.filter((candidate) => isSame(candidate, block)).length
      if (times > 1) this.complain(`${times} times: ${JSON.stringify(block)}`)
    }
    for (const [id, content] of this.results) {
      const answer = sent.find((block) => block["tool_use_id"] === id)
      const told = JSON.stringify(answer?.["content"])
      if (told !== content) this.complain(`${id} gave ${content}, but the model is told ${told}`)
    }
  }

  /** Whatever was printed is on disk, and at most the end of the file is torn. */
  checkFile(lines: ReadonlyArray<Json>, tornBefore: number): void {
    const path = this.transcript
    if (path === undefined) {
      if (lines.length > 0) this.complain("lines were printed, but there is no transcript")
      return
    }
    const file = readTranscript(path)
    const written = new Set(file.lines.map((line) => line["uuid"]))
    for (const line of lines) {
      const spoken = kindOf(line) === "assistant" || kindOf(line) === "user"
      if (spoken && !written.has(line["uuid"])) this.complain(`printed but not written: ${JSON.stringify(line)}`)
    }
    const last = file.text.split("\n").length - 1
    const torn = file.torn.length - tornBefore
    if (torn > 1 || (torn === 1 && file.torn.at(-1) !== last)) this.complain(`torn lines: ${file.torn.join(", ")}`)
  }

  get torn(): number {
    const path = this.transcript
    return path === undefined ? 0 : readTranscript(path).torn.length
  }
}

const isSame = (sent: Json, seen: Json): boolean => {
  if (sent["type"] !== seen["type"]) return false
  if (seen["type"] === "text") return sent["text"] === seen["text"]
  return sent["id"] === seen["id"] && JSON.stringify(sent["input"]) === JSON.stringify(seen["input"])
}

/** The n-th answer to a prompt: reading, then writing and a command, then words. Every text and id occurs once. */
const answer = (session: Session, run: Run, step: number): Reply => {
  const tag = `${run.prompt.replaceAll(" ", "-")}-${step}`
  const { cwd } = session.place
  const messageId = `msg_${tag}`
  if (step === 0) {
    return blocks(
      [
        { type: "thinking", thinking: `thinking of ${tag}` },
        { type: "text", text: `reading for ${tag}` },
        { type: "tool_use", name: "Read", input: { file_path: `${cwd}/a.txt` }, id: `toolu_${tag}-a` },
        { type: "tool_use", name: "Read", input: { file_path: `${cwd}/b.txt` }, id: `toolu_${tag}-b` }
      ],
      { messageId }
    )
  }
  if (step === 1) {
    return blocks(
      [
        { type: "tool_use", name: "Write", input: { file_path: `${cwd}/${tag}`, content: tag }, id: `toolu_${tag}-w` },
        { type: "tool_use", name: "Bash", input: { command: `echo ${tag} >> log; cat log` }, id: `toolu_${tag}-s` },
        { type: "text", text: `wrote for ${tag}` }
      ],
      { messageId }
    )
  }
  return text(`the end of ${tag}, in enough words to come in several pieces`, { messageId })
}

/** A step that is never written: whoever reaches it dies. */
const deadly = (kill: () => void): Step => ({
  type: "wait",
  get until() {
    kill()
    return new Promise(() => {})
  }
})

const withDeath =
  (reply: Reply, run: Run): Reply =>
  (context): Plan => {
    const plan = reply(context)
    const { moment } = run
    if (moment?.kind !== "event" || moment.request !== run.requests) return plan
    const at = Math.min(moment.event, plan.steps.length)
    return { ...plan, steps: [...plan.steps.slice(0, at), deadly(run.kill), write(""), ...plan.steps.slice(at)] }
  }

const stepOf = (body: Json, prompt: string): number => {
  const messages = list(body["messages"])
  const asked = messages.findLastIndex((message) => list(message["content"]).some((block) => block["text"] === prompt))
  return messages.slice(asked).filter((message) => message["role"] === "assistant").length
}

const PROMPT = /^session-(\d+) run \d+$/

const newestPrompt = (body: Json): string =>
  list(body["messages"])
    .flatMap((message) => list(message["content"]))
    .map((block) => String(block["text"]))
    .findLast((said) => PROMPT.test(said)) ?? ""

const arm = (run: Run, cli: RunningCli): void => {
  run.kill = () => cli.signal("SIGKILL")
  const { moment } = run
  if (moment?.kind === "delay") setTimeout(run.kill, moment.ms)
  if (moment?.kind !== "line") return
  let count = 0
  cli.onLine(() => {
    count += 1
    if (count === moment.count) run.kill()
  })
}

const ARGS = [...STREAM, "--include-partial-messages", "--permission-mode", "acceptEdits", "--allowedTools=Bash"]

interface Life {
  readonly number: number
  readonly env: Readonly<Record<string, string>>
  readonly moment?: Moment
}

const live = async (session: Session, { number, env, moment }: Life) => {
  const current: Run = { prompt: `${session.name} run ${number}`, moment, requests: 0, kill: () => undefined }
  session.run = current
  const tornBefore = session.torn
  const from = session.transcript === undefined ? ["--session-id", session.id] : ["--resume", session.id]
  const cli = await start(["-p", ...ARGS, ...from, "--", current.prompt], { place: session.place, env })
  arm(current, cli)
  const ended = await cli.ended
  const { code, stdout, stderr } = ended
  if (ended.signal === "SIGKILL") session.kills += 1
  else if (code === 0) session.problems.push(...streamProblems(stdout))
  else session.problems.push(`NACRE_SEED=${session.seed}, ${current.prompt}: exit code ${code}: ${stdout}${stderr}`)
  session.checkFile(ended.lines, tornBefore)
  session.note(current, ended.lines)
  return ended
}

describe("kill -9 at a random instant", () => {
  it("loses nothing that was seen", { timeout: SEEDS.length * 20_000 }, async () => {
    const sessions = SEEDS.map((seed, index) => new Session(index, seed))
    const server = await serve((body) => {
      const session = sessions[Number(PROMPT.exec(newestPrompt(body))?.[1])]
      const run = session?.run
      if (session === undefined || run === undefined) return text("nobody asked")
      run.requests += 1
      const step = stepOf(body, run.prompt)
      if (run.requests === 1) session.checkRequest(body)
      const { moment } = run
      if (moment?.kind === "request" && moment.count === run.requests) run.kill()
      return withDeath(answer(session, run, step), run)
    })
    const env = endpointEnv(server)
    const queue = [...sessions]
    const worker = async (): Promise<void> => {
      for (let session = queue.shift(); session !== undefined; session = queue.shift()) {
        const random = makeRandom(session.seed)
        for (let number = 0; number < RUNS && session.problems.length === 0; number++) {
          await live(session, { number, env, moment: momentOf(random) })
        }
        const last = await live(session, { number: RUNS, env })
        if (object(last.lines.at(-1))["is_error"] !== false) session.problems.push(`${session.name} did not end well`)
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, worker))
    expect(sessions.flatMap((session) => session.problems)).toEqual([])
    expect(server.violations()).toEqual([])
    expect(sessions.every((session) => session.checks > 0)).toBe(true)
    const kills = sessions.reduce((sum, session) => sum + session.kills, 0)
    if (!isOneSeed) expect(kills).toBeGreaterThanOrEqual(KILLS_WANTED * sessions.length)
  })
})
