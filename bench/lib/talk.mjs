import { spawn } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { startAnswers } from "./answers.mjs"
import { pause, PROMPT, residentMb, Terminal } from "./terminal.mjs"

/**
 * A conversation of any length with the built program: a prompt, a file that is read, an answer of some five hundred
 * characters, and again. The window is small, so that it compacts every few dozen turns.
 */
const MODEL = "bench-model"
const WINDOW_TOKENS = "50000"
const ANSWER = "some words of an answer that is neither long nor short, with `code`\n\n- one\n- two\n\n".repeat(6)
const NOTE = "a line of the file that is read\n".repeat(10)
const PIECE = /[\s\S]{1,40}/g
/** What a turn leaves to be done when its answer has come. */
const SETTLE_MS = 300
const POLL_MS = 20
const PRELOAD = fileURLToPath(new URL("live-heap.cjs", import.meta.url))

const promptOf = (number) => `prompt ${number} of many, in a few words`

/** Megabytes that are left after a collection, and those that V8 holds as code. */
const live = async (pid, file) => {
  rmSync(file, { force: true })
  process.kill(pid, "SIGUSR2")
  while (!existsSync(file)) await pause(POLL_MS)
  const { heapUsed, code } = JSON.parse(readFileSync(file, "utf8"))
  return { liveMb: (heapUsed - code) / 1024 / 1024, codeMb: code / 1024 / 1024 }
}

/** The full-screen interface on a pseudo terminal. */
export const inTerminal = async (bench, place, { preload, server }) => {
  const terminal = new Terminal([...preload, bench.cli, "--model", MODEL], place)
  await terminal.until(PROMPT)
  return {
    pid: terminal.pid,
    turn: async (number) => {
      terminal.type(`${promptOf(number)}\r`)
      await server.nextAnswer()
      // What was drawn is of no use.
      terminal.output = ""
    },
    close: () => terminal.close()
  }
}

/** `-p` with a host that sends one line after the other. */
export const underHost = async (bench, place, { preload }) => {
  const flags = ["-p", "--model", MODEL, "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
  const child = spawn(process.execPath, [...preload, bench.cli, ...flags], {
    cwd: place.cwd,
    env: place.env,
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const untilResult = async () => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error("the program ended before the last turn")
      if (JSON.parse(value).type === "result") return
    }
  }
  return {
    pid: child.pid,
    turn: async (number) => {
      const message = { role: "user", content: promptOf(number) }
      child.stdin.write(`${JSON.stringify({ type: "user", message, parent_tool_use_id: null, session_id: "" })}\n`)
      await untilResult()
    },
    close: async () => {
      child.stdin.end()
      child.kill()
    }
  }
}

/**
 * So many turns, looked at every few.
 *
 * @returns {Promise<ReadonlyArray<{ turns: number, residentMb: number, liveMb?: number, codeMb?: number }>>}
 */
export const talk = async (bench, open, { turns, every, collects }) => {
  const place = bench.place()
  const file = join(place.home, "heap.json")
  const note = join(place.cwd, "note.txt")
  writeFileSync(note, NOTE)
  const call = { name: "Read", input: { file_path: note } }
  const server = await startAnswers({ pieces: ANSWER.match(PIECE), delayMs: 0, call }, place.env)
  const env = {
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "bench",
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: WINDOW_TOKENS,
    BENCH_HEAP_FILE: file
  }
  const preload = collects ? ["-r", PRELOAD] : []
  const program = await open(bench, { ...place, env: { ...place.env, ...env } }, { preload, server })
  const looks = []
  try {
    for (let number = 1; number <= turns; number++) {
      await program.turn(number)
      if (number % every !== 0) continue
      await pause(SETTLE_MS)
      const resident = residentMb(program.pid).now
      looks.push({ turns: number, residentMb: resident, ...(collects ? await live(program.pid, file) : {}) })
    }
  } finally {
    await program.close()
    server.stop()
  }
  return looks
}
